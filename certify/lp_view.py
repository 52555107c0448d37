"""The solved LP of Lemma 6.1, with the algorithm's own dual variables beside the optimal ones."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from lp.bound import lp_bound
from lp.weak_duality import largest_duals, lower_bound
from online import exact
from online.family import IntervalFamily
from online.flow_time.max_flow import LeastLoaded
from online.instance import Instance
from online.play import play


@dataclass(frozen=True)
class View:
    """Two dual solutions of one instance, scaled so that the multipliers of the intervals sum to 1.

    `optimal` and `own` hold alpha_j of each job; `own` is None where the unit-size algorithm does not apply.
    Bounds are in the input's time unit; the LP's optimum lies in `[lower, upper]`.
    """

    instance: Instance
    lower: Fraction
    upper: Fraction
    optimal: list[Fraction]
    optimal_family: IntervalFamily
    own: list[Fraction] | None
    own_family: IntervalFamily | None
    own_bound: Fraction | None

    def to_document(self) -> dict[str, Any]:
        """One JSON object; numbers are `p/q` strings."""
        own = self.own
        return {
            "lower": exact.text(self.lower),
            "upper": exact.text(self.upper),
            "own_bound": None if self.own_bound is None else exact.text(self.own_bound),
            "alpha": [
                {
                    "job": job,
                    "optimal": exact.text(self.optimal[j]),
                    "own": None if own is None else exact.text(own[j]),
                }
                for j, job in enumerate(self.instance.ids)
            ],
            "beta": {
                "optimal": intervals(self.instance, self.optimal_family),
                "own": None if self.own_family is None else intervals(self.instance, self.own_family),
            },
        }


def intervals(instance: Instance, family: IntervalFamily) -> list[dict[str, Any]]:
    """The intervals of a family with their multipliers beta, which sum to 1; times in the input's unit."""
    count, tick = family.count, instance.tick
    return [
        {
            "machine": instance.machine_name(one.machine),
            "start": exact.text(one.start * tick),
            "end": exact.text(one.end * tick),
            "beta": exact.text(Fraction(one.multiplicity, count)),
        }
        for one in family
    ]


def solved_view(instance: Instance, epsilon: Fraction) -> View:
    """Solve the LP and, for equal sizes, run the unit-size algorithm; of its phases the best one is shown.

    Raises: `LimitReached` if the program is too large for the textbook form.
    """
    found = lp_bound(instance, form="textbook")
    own = _own(instance, epsilon)
    return View(
        instance=instance,
        lower=found.lower * instance.tick,
        upper=found.upper * instance.tick,
        optimal=_normalised(largest_duals(instance, found.family), found.family),
        optimal_family=found.family,
        own=None if own is None else _normalised(own.duals, own.family),
        own_family=None if own is None else own.family,
        own_bound=None if own is None else own.bound * instance.tick,
    )


class _Own(NamedTuple):
    """A phase's family, its own dual of every job of the instance (0 outside the phase), and its bound in ticks."""

    family: IntervalFamily
    duals: list[int]
    bound: Fraction


def _own(instance: Instance, epsilon: Fraction) -> _Own | None:
    if instance.unit_size is None:
        return None
    run = play(instance, LeastLoaded, epsilon)
    found = []
    for phase in run.phases:
        witness = LeastLoaded.explain(run, phase)
        if witness is not None and len(witness.family):
            duals = [0] * phase.first + witness.duals.tolist() + [0] * (instance.n - 1 - phase.last)
            found.append(_Own(witness.family, duals, lower_bound(instance, witness.family, duals)))
    return max(found, key=lambda own: own.bound, default=None)


def _normalised(duals: list[int], family: IntervalFamily) -> list[Fraction]:
    count = family.count or 1
    return [Fraction(dual, count) for dual in duals]
