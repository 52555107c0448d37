"""A bound from the dual solution that another solver found on an exported program."""

from __future__ import annotations

from certify.evidence import family_bound, price_bound, weights_of
from certify.problems.registry import TRACKS
from certify.problems.track import Bracket, Rung, Tell
from lp.solution_file import SolutionFile, read
from lp.solver_duals import FamilyDuals, PriceDuals, duals_bound, load_duals_bound
from online.errors import InvalidInput, Problem
from online.instance import Instance

EXPORTED = ("max-flow", "weighted")
"""The problems in time whose programs are exported."""


def imported_bracket(instance: Instance, problem: str, path: str, tell: Tell) -> Bracket:
    """The bracket whose last rung is what the duals in a file prove; the largest job stands below it.

    Claim: the bound is computed from the instance and the multipliers alone, so a wrong file only makes it weaker.

    Raises: `InvalidInput` for a file that is no solution of an exported program of this instance and problem.
    """
    found, below = read(path), TRACKS[problem].bracket(instance, "size", None, tell)
    if not instance.n:
        return below
    tell("reading the duals")
    rung = _prices(instance, found) if problem == "load" else _intervals(instance, problem, found)
    return Bracket("duals", (*below.rungs, rung), below.upper)


def _prices(instance: Instance, found: SolutionFile) -> Rung:
    duals = load_duals_bound(instance, found)
    form = _words(found, duals)
    return Rung("duals", price_bound(instance, duals.beta, f"a solver's duals ({form})"), form)


def _intervals(instance: Instance, problem: str, found: SolutionFile) -> Rung:
    if problem not in EXPORTED:
        known = ", ".join([*EXPORTED, "load"])
        raise InvalidInput(Problem("--duals", "no exported program", problem, f"one of {known}", "choose another one"))
    weights = weights_of(problem, instance)
    duals = duals_bound(instance, found, weights)
    form = _words(found, duals)
    bound = family_bound(instance, duals.family, f"a solver's duals ({form})", weights)
    return Rung("duals", bound, form)


def _words(found: SolutionFile, duals: FamilyDuals | PriceDuals) -> str:
    missing = f", {duals.missing} of {duals.of} not in the file count as 0" if duals.missing else ""
    return f"{found.format}, {duals.program} program, signs {duals.signs}{missing}"
