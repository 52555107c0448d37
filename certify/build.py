"""From a run and its witnesses to a certificate: goals first, then the evidence, by keys only."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from certify.evidence import Bound, Document, Part, best, own_part, size_bound, weights_of
from online import exact
from online.algorithm import Algorithm
from online.instance import Instance
from online.run import REJECTED, Phase, Run

FORMAT = "dualfit-certificate"
VERSION = 1


@dataclass(frozen=True)
class Certified:
    """A certificate and the numbers it certifies, in ticks; `ratio` is None without a positive bound."""

    document: Document = field(repr=False)
    run: Run
    objective: int | Fraction
    bound: Bound | None
    ratio: Fraction | None
    refuted: int
    unrefuted: int


def certify(
    run: Run,
    algorithm: type[Algorithm],
    *,
    extra: Sequence[Bound] = (),
    upper: Bound | None = None,
    source: Document | None = None,
) -> Certified:
    """Build the certificate of a run: feasible, within budget, its objective, a bound on T*, the ratio, refutations.

    `extra` are further bounds, from a linear program say; the best of all becomes the bound. `upper` is a bound on T*
    from above. A guess that was given up, or under which more than the budget was rejected, is refuted where a bound
    exceeds it; `unrefuted` counts the others. A run over its budget (a known guess below the optimum can do that) gets
    a certificate without a budget.
    """
    instance = run.instance
    parts = [own_part(algorithm, run, phase) for phase in run.phases]
    own = best(parts)
    candidates: list[Bound | None] = [
        *extra,
        None if own is None else own.bound(instance),
        size_bound(instance, weights_of(run.problem, instance)) if instance.n else None,
    ]
    bound = best(candidates)
    paper = _Paper(run, source)
    paper.claim_run()
    if bound is not None:
        paper.claim_bound(bound)
    if upper is not None:
        paper.claim_upper(upper)
    last = len(run.phases) - 1
    suspects = [k for k, phase in enumerate(run.phases) if phase.guess and (k < last or not paper.in_budget)]
    refuted = [k for k in suspects if paper.refutes(k, [parts[k], bound])]
    ratio = Fraction(run.objective) / bound.value if bound is not None and bound.value > 0 else None
    if ratio is not None:
        paper.goal.append({"claim": "ratio", "value": exact.text(ratio)})
    return Certified(paper.document(), run, run.objective, bound, ratio, len(refuted), len(suspects) - len(refuted))


def certify_bounds(
    instance: Instance, problem: str, lower: Sequence[Bound], upper: Bound | None = None, source: Document | None = None
) -> Document:
    """A certificate of bounds on T* alone, without a run; without any, it says that T* is at least 0."""
    goal: list[Document] = [
        {"claim": "lower-bound", "value": exact.text(bound.value), "evidence": number}
        for number, bound in enumerate(lower)
    ]
    if not lower:
        goal.append({"claim": "lower-bound", "value": "0"})
    evidence = [bound.document() for bound in lower]
    if upper is not None:
        goal.append({"claim": "upper-bound", "value": exact.text(upper.value), "evidence": len(evidence)})
        evidence.append(upper.document())
    return _assemble(problem, goal, instance, None, evidence, source)


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
            self.goal.append({"claim": "budget", "epsilon": exact.text(run.epsilon), "weight": run.budget})
        self.goal.append({"claim": "objective", "value": exact.text(run.objective)})

    def claim_bound(self, bound: Bound) -> None:
        self.goal.append({"claim": "lower-bound", "value": exact.text(bound.value), "evidence": self._number(bound)})

    def claim_upper(self, bound: Bound) -> None:
        self.goal.append({"claim": "upper-bound", "value": exact.text(bound.value), "evidence": self._number(bound)})

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
            "schedule": _schedule(run),
            "phases": [_phase(phase) for phase in run.phases],
        }
        if run.speed != 1:
            record["speed"] = exact.text(run.speed)
        if run.late:
            record["late"] = _late(run)
        return _assemble(
            run.problem, self.goal, run.instance, record, [one.document() for one in self.bounds], self.source
        )


def _schedule(run: Run) -> Document | str:
    if run.pieces is not None:
        return {"per_tick": run.per_tick, **{name: list(column) for name, column in run.pieces._asdict().items()}}
    return "assignment" if run.problem == "load" else "fifo"


def _late(run: Run) -> Document:
    """Late rejections at ticks, or after arrivals where there is no time."""
    when = "after" if run.late[0].time is None else "time"
    return {"job": [one.job for one in run.late], when: [getattr(one, when) for one in run.late]}


def _phase(phase: Phase) -> Document:
    record: Document = {} if phase.guess is None else {"guess": exact.text(phase.guess)}
    record |= {"first": phase.first, "last": phase.last, "ended": phase.ended}
    return record | ({"choice": phase.choice} if phase.choice != REJECTED else {})


def over_budget(run: Run) -> int | None:
    """The first position at which more than an epsilon share is rejected of what has arrived, or None."""
    for position, (rejected, arrived) in enumerate(run.prefixes()):
        if rejected * run.epsilon.denominator > run.epsilon.numerator * arrived:
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
