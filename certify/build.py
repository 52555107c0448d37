"""From a run and its witnesses to a certificate: goals first, then the evidence, by keys only."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from certify.evidence import Bound, Document, Part, best, part_of, size_bound
from online import exact
from online.algorithm import OnlineAlgorithm, blame
from online.instance import Instance
from online.load_witness import LoadWitness
from online.run import REJECTED, Phase, Run
from online.witness import Witness

FORMAT = "dualfit-certificate"
VERSION = 1


@dataclass(frozen=True)
class Certified:
    """A certificate and the numbers it certifies, in ticks; `ratio` is None without a positive bound."""

    document: Document = field(repr=False)
    run: Run
    objective: int
    bound: Bound | None
    ratio: Fraction | None
    refuted: int
    unrefuted: int


def certify(
    run: Run,
    algorithm: type[OnlineAlgorithm],
    *,
    extra: Sequence[Bound] = (),
    source: Document | None = None,
) -> Certified:
    """Build the certificate of a run: feasible, within budget, its objective, a bound on T*, the ratio, refutations.

    `extra` are further bounds, from a linear program say; the best of all becomes the bound. A guess that was given up,
    or under which more than the budget was rejected, is refuted where a bound exceeds it; `unrefuted` counts the
    others. A run over its budget (a known guess below the optimum can do that) gets a certificate without a budget.
    """
    instance = run.instance
    parts = [part_of(instance, _explained(algorithm, run, phase)) for phase in run.phases]
    own = best(parts)
    candidates: list[Bound | None] = [
        *extra,
        None if own is None else own.bound(instance),
        size_bound(instance) if instance.n else None,
    ]
    bound = best(candidates)
    paper = _Paper(run, source)
    paper.claim_run()
    if bound is not None:
        paper.claim_bound(bound)
    suspects = [k for k, phase in enumerate(run.phases) if phase.guess and (phase.ended or not paper.in_budget)]
    refuted = [k for k in suspects if paper.refutes(k, [parts[k], bound])]
    ratio = Fraction(run.objective) / bound.value if bound is not None and bound.value > 0 else None
    if ratio is not None:
        paper.goal.append({"claim": "ratio", "value": exact.text(ratio)})
    return Certified(paper.document(), run, run.objective, bound, ratio, len(refuted), len(suspects) - len(refuted))


def certify_bound(instance: Instance, problem: str, bound: Bound | None, source: Document | None = None) -> Document:
    """A certificate of a lower bound alone, without a run."""
    goal: Document = {"claim": "lower-bound", "value": exact.text(bound.value if bound else 0)}
    if bound is not None:
        goal["evidence"] = 0
    return _assemble(problem, [goal], instance, None, [bound.document()] if bound else [], source)


def _explained(algorithm: type[OnlineAlgorithm], run: Run, phase: Phase) -> Witness | LoadWitness | None:
    try:
        witness = algorithm.explain(run, phase)
        if witness is not None and not isinstance(witness, Witness | LoadWitness):
            raise TypeError(f"returned a {type(witness).__name__}, expected a Witness, a LoadWitness or None")
    except BaseException as failed:
        blame(run.algorithm, "explain()", failed)
    return witness


class _Paper:
    """The certificate being written."""

    def __init__(self, run: Run, source: Document | None) -> None:
        self.run, self.source = run, source
        self.goal: list[Document] = []
        self.bounds: list[Bound] = []
        self.in_budget = over_budget(run) is None

    def claim_run(self) -> None:
        run = self.run
        self.goal.append({"claim": "feasible"})
        if self.in_budget:
            self.goal.append({"claim": "budget", "epsilon": exact.text(run.epsilon), "weight": "count"})
        self.goal.append({"claim": "objective", "value": exact.text(run.objective)})

    def claim_bound(self, bound: Bound) -> None:
        self.goal.append({"claim": "lower-bound", "value": exact.text(bound.value), "evidence": self._number(bound)})

    def refutes(self, phase: int, found: Sequence[Part | Bound | None]) -> bool:
        """Claim that the guess of a phase is below T*, by the first of the bounds that shows it; False if none does."""
        guess = self.run.phases[phase].guess
        for one in found:
            if one is not None and guess is not None and one.value > guess:
                bound = one if isinstance(one, Bound) else one.plain(self.run.instance)
                self.goal.append({"claim": "refuted-guess", "phase": phase, "evidence": self._number(bound)})
                return True
        return False

    def _number(self, bound: Bound) -> int:
        for number, known in enumerate(self.bounds):
            if known is bound:
                return number
        self.bounds.append(bound)
        return len(self.bounds) - 1

    def document(self) -> Document:
        run = self.run
        record: Document = {
            "algorithm": run.algorithm,
            "parameters": {"epsilon": exact.text(run.epsilon), **run.parameters},
            "dispatch": run.dispatch.tolist(),
            "schedule": "assignment" if run.problem == "load" else "fifo",
            "phases": [_phase(phase) for phase in run.phases],
        }
        if run.late:
            record["late"] = {"job": [one.job for one in run.late], "after": [one.after for one in run.late]}
        return _assemble(
            run.problem, self.goal, run.instance, record, [one.document() for one in self.bounds], self.source
        )


def _phase(phase: Phase) -> Document:
    record: Document = {} if phase.guess is None else {"guess": exact.text(phase.guess)}
    record |= {"first": phase.first, "last": phase.last, "ended": phase.ended}
    return record | ({"choice": phase.choice} if phase.choice != REJECTED else {})


def over_budget(run: Run) -> int | None:
    """The first position at which more than an epsilon share of the arrived jobs is rejected, or None."""
    for position, rejected in enumerate(run.rejections()):
        if rejected * run.epsilon.denominator > run.epsilon.numerator * (position + 1):
            return position
    return None


def _assemble(
    problem: str,
    goal: list[Document],
    instance: Instance,
    run: Document | None,
    evidence: list[Document],
    source: Document | None,
) -> Document:
    document: Document = {"format": FORMAT, "version": VERSION, "problem": problem, "goal": goal}
    if source is not None:
        document["source"] = source
    document["sha256"] = instance.sha256
    if run is not None:
        document["run"] = run
    document["evidence"] = evidence
    document["instance"] = instance.to_document()
    return document


def to_text(document: Document) -> str:
    """The certificate as it is written to a file: one line a top-level key, the same bytes for the same document."""
    lines = [f"{json.dumps(key)}: {json.dumps(value, separators=(',', ':'))}" for key, value in document.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"
