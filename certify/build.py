"""From a run and its witnesses to a certificate: goals first, then the evidence, by keys only."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, TypeVar

from lp.clusters import strongest_cluster
from lp.weak_duality import largest_duals, right_side, tightened
from online import exact
from online.algorithm import OnlineAlgorithm
from online.family import IntervalFamily
from online.instance import Instance
from online.run import Run
from online.witness import Witness

FORMAT = "dualfit-certificate"
VERSION = 1

Document = dict[str, Any]


@dataclass(frozen=True)
class Bound:
    """A lower bound on the offline optimum in ticks, the evidence for it, and where it came from."""

    value: Fraction
    evidence: Document = field(repr=False)
    origin: str


def size_bound(instance: Instance) -> Bound:
    """`T* >= max p_j`: a job cannot run in parallel with itself (rule C0)."""
    sizes = instance.size.tolist()
    largest = max(range(instance.n), key=sizes.__getitem__)
    return Bound(Fraction(sizes[largest]), {"rule": "C0", "job": largest}, "the largest job")


def family_bound(instance: Instance, family: IntervalFamily, origin: str) -> Bound:
    """The bound of Lemma 6.1 on a family, with the largest feasible dual variables (rule C3)."""
    family = tightened(instance, family)
    duals = largest_duals(instance, family)
    evidence: Document = {"rule": "C3", "per_tick": family.per_tick}
    for name in ("machine", "start", "end"):
        evidence[name] = getattr(family, name).tolist()
    if not bool((family.multiplicity == 1).all()):
        evidence["multiplicity"] = family.multiplicity.tolist()
    evidence["alpha"] = duals
    return Bound(right_side(instance, family, duals), evidence, origin)


@dataclass(frozen=True)
class Part:
    """The strongest part of a phase's interval family, and a value in ticks that its bound reaches at least."""

    family: IntervalFamily = field(repr=False)
    value: Fraction
    guess: Fraction

    @classmethod
    def of(cls, instance: Instance, witness: Witness | None) -> Part | None:
        """None without a witness, or if the phase left no interval."""
        if witness is None or not len(witness.family):
            return None
        return cls(*strongest_cluster(instance, witness.family), witness.guess)

    def bound(self, instance: Instance) -> Bound:
        """The part as a bound with evidence."""
        return family_bound(instance, self.family, f"the intervals of the phase with guess {exact.text(self.guess)}")


BoundT = TypeVar("BoundT", Bound, Part)


def best(found: Iterable[BoundT | None]) -> BoundT | None:
    """The one of largest value, the first among equals."""
    return max((one for one in found if one is not None), key=lambda one: one.value, default=None)


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
    parts = [Part.of(instance, algorithm.explain(run, phase)) for phase in run.phases]
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
    return _assemble(problem, [goal], instance, None, [bound.evidence] if bound else [], source)


class _Paper:
    """The certificate being written."""

    def __init__(self, run: Run, source: Document | None) -> None:
        self.run, self.source = run, source
        self.goal: list[Document] = []
        self.evidence: list[Document] = []
        self.numbers: dict[int, int] = {}
        self.in_budget = over_budget(run) is None

    def claim_run(self) -> None:
        run = self.run
        self.goal.append({"claim": "feasible"})
        if self.in_budget:
            self.goal.append({"claim": "budget", "epsilon": exact.text(run.epsilon), "weight": "count"})
        self.goal.append({"claim": "objective", "value": exact.text(run.objective)})

    def claim_bound(self, bound: Bound) -> None:
        self.goal.append(
            {"claim": "lower-bound", "value": exact.text(bound.value), "evidence": self._number(bound.evidence)}
        )

    def refutes(self, phase: int, found: Sequence[Part | Bound | None]) -> bool:
        """Claim that the guess of a phase is below T*, by the first of the bounds that shows it; False if none does."""
        guess = self.run.phases[phase].guess
        for one in found:
            if one is not None and guess is not None and one.value > guess:
                bound = one.bound(self.run.instance) if isinstance(one, Part) else one
                self.goal.append({"claim": "refuted-guess", "phase": phase, "evidence": self._number(bound.evidence)})
                return True
        return False

    def _number(self, evidence: Document) -> int:
        if id(evidence) not in self.numbers:
            self.numbers[id(evidence)] = len(self.evidence)
            self.evidence.append(evidence)
        return self.numbers[id(evidence)]

    def document(self) -> Document:
        run = self.run
        record: Document = {
            "algorithm": run.algorithm,
            "parameters": {"epsilon": exact.text(run.epsilon), **run.parameters},
            "dispatch": run.dispatch.tolist(),
            "schedule": "fifo",
            "phases": [
                {"guess": exact.text(phase.guess), "first": phase.first, "last": phase.last, "ended": phase.ended}
                for phase in run.phases
                if phase.guess is not None
            ],
        }
        return _assemble(run.problem, self.goal, run.instance, record, self.evidence, self.source)


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
