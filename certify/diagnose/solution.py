"""The claim that a solver's solution of an exported program makes: its numbers as written, not repaired."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

from certify.diagnose.claim import Claim
from certify.evidence import weights_of
from certify.problems.imported import EXPORTED
from certify.problems.registry import TRACKS
from lp.export.forms import Forms
from lp.solution_file import SolutionFile
from lp.solver_duals import FamilyDuals, PriceDuals, duals_bound, load_duals_bound
from online.errors import InvalidInput, Problem
from online.instance import Instance
from online.weights import Weights


class Names(NamedTuple):
    """The numbers of a solution, and what duals of jobs and of intervals are called there."""

    numbers: Mapping[str, Fraction]
    job: str
    interval: str

    def of(self, prefix: str, count: int) -> list[Fraction]:
        """The numbers of these names, counted from 1; 0 where there is none."""
        return [self.numbers.get(f"{prefix}{k + 1}", Fraction(0)) for k in range(count)]


def claim_of_solution(instance: Instance, found: SolutionFile, problem: str, bound: object, guess: object) -> Claim:
    """The claim of the duals of an exported program, in the normalisation `dual`; of the lindley form, intervals only.

    Claim: every number is as exact as the file: tolerances of the solver show as violations. If most multipliers are
    negative, the file is that of a maximisation and all are negated, which is said.

    Raises: `InvalidInput` for a problem without exported program, and for names that it does not have.
    """
    if problem not in (*EXPORTED, "load"):
        known = ", ".join([*EXPORTED, "load"])
        raise InvalidInput(Problem("--duals", "no exported program", problem, f"one of {known}", "choose another one"))
    weights = weights_of(problem, instance) or Weights.ones(instance)
    read: FamilyDuals | PriceDuals
    read = load_duals_bound(instance, found) if problem == "load" else duals_bound(instance, found, weights)
    said: dict[str, Any] = {"problem": problem, "bound": bound, "guess": guess}
    missing = f", {read.missing} of {read.of} multipliers not in the file: 0" if read.missing else ""
    note = f"a solver's solution: {found.format}, {read.program} program, signs {read.signs}{missing}"
    if isinstance(read, FamilyDuals) and read.program == "lindley":
        return _noted(Claim.of(instance, intervals=read.family, **said), note)
    sign = 1 if read.signs == "as given" else -1
    names = Names(found.value, "alpha_", "beta_") if read.program == "dual" else Names(found.dual, "a_", "b_")
    forms = Forms(instance, weights)
    unit = TRACKS[problem].unit(instance)
    alpha = [one * sign * forms.grid * unit for one in names.of(names.job, instance.n)]
    if problem == "load":
        prices = [one * sign for one in names.of(names.interval, instance.machines)]
        return _noted(Claim.of(instance, alpha=alpha, prices=prices, normalisation="dual", **said), note)
    rows = list(_intervals(forms, names, sign, unit / instance.tick, problem == "max-flow"))
    return _noted(Claim.of(instance, alpha=alpha, intervals=rows, normalisation="dual", **said), note)


def _intervals(
    forms: Forms, names: Names, sign: int, unit: Fraction, unweighted: bool
) -> Iterator[tuple[int, Fraction, Fraction, Fraction | None, Fraction]]:
    """The rows with a multiplier; each was scaled by the numerator of its weight, so its b is that much larger."""
    tick = forms.instance.tick
    for chain in forms.chains:
        weight = None if unweighted else chain.weight * unit
        for name, s, e in chain.intervals():
            number = names.numbers.get(names.interval + name.removeprefix("b_"), Fraction(0))
            if number:
                b = sign * number * chain.weight.numerator * unit
                yield chain.machine, chain.nodes[s].time * tick, chain.nodes[e].time * tick, weight, b


def _noted(claim: Claim, note: str) -> Claim:
    return replace(claim, notes=(*claim.notes, note))
