"""Bounds on the offline optimum of an instance by a chosen method, each with evidence that the checker accepts."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from certify.build import Bound, Part, best, family_bound, size_bound
from lp.bound import lp_bound
from lp.optimum import greedy_upper
from online.errors import InvalidInput, Problem
from online.flow_time.max_flow import LeastLoaded
from online.instance import Instance
from online.play import play

METHODS = ("lp", "witness", "size")
LP_ENTRIES = 60_000
"""`auto` solves the linear program up to this many (job, eligible machine) pairs."""


@dataclass(frozen=True)
class Bracket:
    """Lower and upper bound on the offline optimum in ticks; `lp_upper` bounds the LP's own optimum from above.

    `lower` is None for an instance without jobs, whose optimum is 0.
    """

    method: str
    lower: Bound | None
    upper: Fraction
    lp_upper: Fraction | None = None
    form: str | None = None


def lp_lower(instance: Instance, time_limit: float | None = None) -> tuple[Bound | None, Fraction, str]:
    """The LP of Lemma 6.1: its repaired dual as a bound, its repaired primal value, and the form solved."""
    found = lp_bound(instance, time_limit=time_limit)
    bound = (
        family_bound(instance, found.family, f"the LP of Lemma 6.1 ({found.form} form)") if len(found.family) else None
    )
    return bound, found.upper, found.form


def witness_lower(instance: Instance) -> Bound | None:
    """The best bound that the intervals of the unit-size algorithm give, whatever algorithm the run is of."""
    half = Fraction(1, 2)
    if instance.unit_size is None:
        return None
    run = play(instance, LeastLoaded, half)
    own = best(Part.of(instance, LeastLoaded.explain(run, phase)) for phase in run.phases)
    return None if own is None else own.bound(instance)


def pairs(instance: Instance) -> int:
    """Number of (job, eligible machine) pairs: the number of variables x of the LP."""
    lengths = instance.sets.start[1:] - instance.sets.start[:-1]
    return int(lengths[instance.eligible_set].sum())


def bracket(instance: Instance, method: str, time_limit: float | None = None) -> Bracket:
    """Bound the offline optimum from both sides by `method`.

    Claim: `lower` carries evidence for the checker; `upper` is the largest flow time of a schedule that rejects
    nobody. The size bound is always tried too, and the better one is kept.

    Raises: `InvalidInput` for an unknown method.
    """
    if method not in METHODS:
        raise InvalidInput(
            Problem("--method", "unknown method", repr(method), "one of " + ", ".join(METHODS), "choose one")
        )
    if not instance.n:
        return Bracket(method, None, Fraction(0), Fraction(0) if method == "lp" else None)
    upper = Fraction(greedy_upper(instance).value)
    found = lp_upper = form = None
    if method == "lp":
        found, lp_upper, form = lp_lower(instance, time_limit)
    elif method == "witness":
        found = witness_lower(instance)
    return Bracket(method, best([found, size_bound(instance)]), upper, lp_upper, form)
