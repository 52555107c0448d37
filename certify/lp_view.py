"""A solved linear program of the paper, with the algorithm's own dual variables beside the optimal ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from certify.evidence import DensityPart, SetPart, best, weights_of
from certify.problems.registry import TRACKS
from lp.bound import lp_bound
from lp.load import weak_duality as load_duality
from lp.load.textbook import solve_dual
from lp.weak_duality import largest_duals, right_side
from online import exact
from online.algorithm import find
from online.errors import InvalidInput
from online.family import IntervalFamily
from online.instance import Instance
from online.load_witness import LoadWitness
from online.play import play
from online.run import Run
from online.weighted.trail import Trail
from online.witness import Witness


@dataclass(frozen=True)
class Duals:
    """A dual solution with sum beta/weight = 1: its value in the input's units, alpha_j of each job, rows of beta."""

    value: Fraction
    alpha: list[Fraction]
    beta: list[dict[str, str]]


@dataclass(frozen=True)
class View:
    """The LP's optimum lies in `[lower, upper]` (input's units); `own` is None where no algorithm applies."""

    instance: Instance
    lower: Fraction
    upper: Fraction
    optimal: Duals
    own: Duals | None

    def to_document(self) -> dict[str, Any]:
        """One JSON object; numbers are `p/q` strings."""
        own = self.own
        return {
            "lp_lower": exact.text(self.lower),
            "lp_upper": exact.text(self.upper),
            "own_bound": None if own is None else exact.text(own.value),
            "alpha": [
                {
                    "job": job,
                    "optimal": exact.text(self.optimal.alpha[j]),
                    "own": None if own is None else exact.text(own.alpha[j]),
                }
                for j, job in enumerate(self.instance.ids)
            ],
            "beta": {"optimal": self.optimal.beta, "own": None if own is None else own.beta},
        }


def solved_view(instance: Instance, problem: str, epsilon: Fraction) -> View:
    """Solve the problem's LP and run its algorithm by guess and double; of its phases the best one is shown.

    Raises: `LimitReached` if the program is too large for the textbook form.
    """
    if problem == "load":
        solved = solve_dual(instance)
        return View(
            instance,
            solved.lower * instance.tick,
            solved.upper * instance.tick,
            _price_duals(instance, solved.beta),
            _own_prices(_run(instance, problem, epsilon)),
        )
    weights, unit = weights_of(problem, instance), TRACKS[problem].unit(instance)
    found = lp_bound(instance, form="textbook", weights=weights, most_classes=instance.n)
    duals = largest_duals(instance, found.family, weights=weights)
    optimal = _interval_duals(instance, found.family, duals, problem)
    own = _own_intervals(_run(instance, problem, epsilon), problem)
    return View(instance, found.lower * unit, found.upper * unit, optimal, own)


def _run(instance: Instance, problem: str, epsilon: Fraction) -> Run | None:
    """A run by guess and double of the problem's own algorithm; None if it does not admit the instance.

    Algorithm A runs with alpha = 1: fuller queues leave more intervals.
    """
    name = TRACKS[problem].default_algorithm(instance)
    algorithm = find(name)
    options = {"alpha": Fraction(1)} if "alpha" in algorithm.options else {}
    try:
        return play(instance, algorithm, epsilon, name=name, options=options) if instance.n else None
    except InvalidInput:
        return None


def _own_intervals(run: Run | None, problem: str) -> Duals | None:
    found = []
    for phase in run.phases if run else ():
        assert run is not None
        witness = find(run.algorithm).explain(run, phase)
        if isinstance(witness, Witness) and len(witness.family):
            duals = [0] * phase.first + witness.duals.tolist() + [0] * (run.instance.n - 1 - phase.last)
            found.append(_interval_duals(run.instance, witness.family, duals, problem))
        part = DensityPart.of(run.instance, witness) if isinstance(witness, Trail) else None
        if part is not None:
            duals = largest_duals(run.instance, part.family, weights=part.weights)
            found.append(_interval_duals(run.instance, part.family, duals, problem))
    return max(found, key=lambda own: own.value, default=None)


def _own_prices(run: Run | None) -> Duals | None:
    if run is None:
        return None
    witnesses = (find(run.algorithm).explain(run, phase) for phase in run.phases)
    part = best(SetPart.of(run.instance, one) for one in witnesses if isinstance(one, LoadWitness))
    return None if part is None else _price_duals(run.instance, load_duality.prices(run.instance, part.machines))


def _interval_duals(instance: Instance, family: IntervalFamily, duals: list[int], problem: str) -> Duals:
    tick, unit = instance.tick, TRACKS[problem].unit(instance)
    weight_unit = unit / tick
    scale = weight_unit / (family.share or 1)
    rows = [
        {
            "machine": instance.machine_name(one.machine),
            "start": exact.text(one.start * tick),
            "end": exact.text(one.end * tick),
            **({} if problem == "max-flow" else {"weight": exact.text(one.weight * weight_unit)}),
            "beta": exact.text(one.multiplicity * scale),
        }
        for one in family
    ]
    return Duals(right_side(instance, family, duals) * unit, [dual * scale for dual in duals], rows)


def _price_duals(instance: Instance, beta: Sequence[int]) -> Duals:
    if not any(beta):
        return Duals(Fraction(0), [Fraction(0)] * instance.n, [])
    count = sum(beta)
    rows = [
        {"machine": instance.machine_name(i), "beta": exact.text(Fraction(price, count))}
        for i, price in enumerate(beta)
        if price
    ]
    duals = load_duality.largest_duals(instance, beta)
    sizes = instance.size.tolist()
    alpha = [Fraction(dual * p, count) * instance.tick for dual, p in zip(duals, sizes, strict=True)]
    return Duals(load_duality.load_bound(instance, beta) * instance.tick, alpha, rows)
