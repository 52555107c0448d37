"""A lower bound from what another solver found on an exported program, whatever its signs and digits."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import NamedTuple, NoReturn

from lp.export.chains import Chain
from lp.export.forms import ROW_LIMIT, Forms, exact_program
from lp.export.program import OBJECTIVE, ExactProgram
from lp.lindley import split
from lp.load.weak_duality import load_bound
from lp.solution_file import SolutionFile
from lp.weak_duality import lower_bound
from online import exact
from online.errors import InvalidInput, Problem
from online.family import IntervalFamily
from online.instance import Instance
from online.weights import Weights

NOISE = Fraction(1, 1000)
"""Multipliers of the other sign may add up to this part of the whole: a solver's tolerance."""


SIMPLE = 1000
"""Largest denominator of multipliers, relative to the largest, that a file of rounded numbers may have meant."""

FINEST = 10**40
"""Largest denominator of multipliers, relative to the largest: longer numbers are rounded to it."""

Span = tuple[Chain, int, int]
"""An interval of a chain: its first and last release time, in ticks."""


class FamilyDuals(NamedTuple):
    """The family that a solver's duals make, its bound in ticks times the unit of the weights, and how it was read.

    `signs` is `as given` or `negated`; the `missing` multipliers, of so many, were not in the file and count as 0.
    """

    family: IntervalFamily
    lower: Fraction
    program: str
    signs: str
    missing: int
    of: int


class PriceDuals(NamedTuple):
    """The prices of the machines that a solver's duals make, their bound in ticks, and how they were read."""

    beta: tuple[int, ...]
    lower: Fraction
    program: str
    signs: str
    missing: int
    of: int


class _Multipliers(NamedTuple):
    """Whole multipliers >= 0 in the order of the names asked for: near simple ratios, and exactly as written."""

    choices: tuple[list[int], list[int]]
    signs: str
    missing: int


def duals_bound(
    instance: Instance, found: SolutionFile, weights: Weights | None = None, *, row_limit: int = ROW_LIMIT
) -> FamilyDuals:
    """The bound of Lemmas 6.1 and 6.6 from a solution of an exported program; which one, its names tell.

    Claim: whatever the file says, `lower <= T*`, as `lower_bound` computes it from the family; a wrong file only makes
    it weaker. Of the multipliers as written, and of near simple ratios that the digits may have meant, the better ones
    are kept: all are valid. `weights` are those of the export (all 1 without).

    Raises: `InvalidInput` for names that the export does not have, for a file without any multiplier, for mixed signs;
    `LimitReached` if the program is too large for the textbook form.
    """
    weights = Weights.ones(instance) if weights is None else weights
    forms = Forms(instance, weights, row_limit)
    program, prefix = _program(found, {"y_": "lindley", "z_": "lindley", "q_": "lindley", "beta_": "dual"})
    if program == "lindley":
        return _from_lindley(forms, found)
    _check_names(found, exact_program(forms, program))
    rows = [(chain, s, e) for chain in forms.chains for _, s, e in chain.intervals()]
    names = [prefix + name.removeprefix("b_") for chain in forms.chains for name, _, _ in chain.intervals()]
    scale = [chain.weight.numerator for chain, _, _ in rows]
    read = _multipliers(found.value if program == "dual" else found.dual, names, scale)
    spans = [(chain, chain.nodes[s].time, chain.nodes[e].time) for chain, s, e in rows]
    families = [_family(weights, zip(spans, values, strict=True)) for values in read.choices]
    lower, family = _strongest(forms, families)
    return FamilyDuals(family, lower, program, read.signs, read.missing, len(names))


def load_duals_bound(instance: Instance, found: SolutionFile) -> PriceDuals:
    """The bound on the largest load from a solution of load balancing's exported primal or dual.

    Claim: whatever the file says, `lower <= T*`. Raises: `InvalidInput`, as `duals_bound` does.
    """
    forms = Forms(instance, Weights.ones(instance))
    program, prefix = _program(found, {"beta_": "dual"})
    _check_names(found, exact_program(forms, program, load=True))
    names = [f"{prefix}{i + 1}" for i in range(instance.machines)]
    read = _multipliers(found.value if program == "dual" else found.dual, names, [1] * len(names))
    beta = max(read.choices, key=partial(load_bound, instance))
    return PriceDuals(tuple(beta), load_bound(instance, beta), program, read.signs, read.missing, len(names))


def _from_lindley(forms: Forms, found: SolutionFile) -> FamilyDuals:
    """Covers y and links z are a flow along each chain; split into paths it is a family."""
    _check_names(found, exact_program(forms, "lindley"))
    nodes = [(chain, k) for chain in forms.chains for k in range(len(chain.nodes))]
    cover = [chain.name("y", chain.nodes[k].number) for chain, k in nodes]
    link = [chain.name("z", chain.nodes[k].number) for chain, k in nodes if k]
    read = _multipliers(found.dual, [*cover, *link], [1] * (len(cover) + len(link)))
    families = [_family(forms.weights, _paths(forms, values)) for values in read.choices]
    lower, family = _strongest(forms, families)
    return FamilyDuals(family, lower, "lindley", read.signs, read.missing, len(cover) + len(link))


def _paths(forms: Forms, values: Sequence[int]) -> Iterator[tuple[Span, int]]:
    """The spans that covers, then links, of all nodes are made of, and how often."""
    y, z = iter(values), iter(values[sum(len(chain.nodes) for chain in forms.chains) :])
    for chain in forms.chains:
        cover = [next(y) for _ in chain.nodes]
        for s, e, times in split(cover, [0, *(next(z) for _ in chain.nodes[1:])]):
            yield (chain, chain.nodes[s].time, chain.nodes[e].time), times


def _family(weights: Weights, spans: Iterable[tuple[Span, int]]) -> IntervalFamily:
    used = [(span, times) for span, times in spans if times]
    return IntervalFamily.of(
        [(chain.machine, 0, start, end) for (chain, start, end), _ in used],
        multiplicity=[times for _, times in used],
        weight_class=[chain.weight_class for (chain, _, _), _ in used],
        weights=weights.values,
    )


def _strongest(forms: Forms, families: Sequence[IntervalFamily]) -> tuple[Fraction, IntervalFamily]:
    """The largest bound of these families, and the first that has it."""
    bounds = [lower_bound(forms.instance, family, weights=forms.weights) for family in families]
    best = max(range(len(families)), key=bounds.__getitem__)
    return bounds[best], families[best]


def _program(found: SolutionFile, known: Mapping[str, str]) -> tuple[str, str]:
    """Which program the names are of, and the prefix of its multipliers."""
    for prefix, program in known.items():
        if any(name.startswith(prefix) for name in found.names):
            return program, prefix
    return "primal", "b_"


def _check_names(found: SolutionFile, program: ExactProgram) -> None:
    known = {OBJECTIVE, *program.columns, *(row.name for row in program.rows)}
    unknown = [name for name in found.names if name not in known]
    if unknown:
        got = f"{len(unknown)} of them, the first is {unknown[0][:60]!r}"
        fix = "solve the file that `dualfit export` writes for this FILE and problem, with the same options"
        raise InvalidInput(Problem("--duals", "unknown names", got, f"names of the {program.title} program", fix))


def _multipliers(numbers: Mapping[str, Fraction], names: Sequence[str], scale: Sequence[int]) -> _Multipliers:
    """The numbers of these names times `scale`, of the sign that most of them have, as whole numbers."""
    values = [numbers.get(name, Fraction(0)) * factor for name, factor in zip(names, scale, strict=True)]
    missing = sum(name not in numbers for name in names)
    top = max(map(abs, values))
    if not top:
        got = f"0 for all {len(names)}" if missing < len(names) else f"none of {len(names)} names such as {names[0]}"
        expected = "duals of the rows, or the values of the dual's columns"
        _refuse("no multipliers", got, expected, "let the solver write them")
    sign = _sign([round(value / top * FINEST) for value in values])
    kept = [max(Fraction(0), sign * value / top) for value in values]
    simple = [value.limit_denominator(SIMPLE) for value in kept]
    return _Multipliers((_whole(simple), _whole(kept)), "as given" if sign > 0 else "negated", missing)


def _sign(values: Sequence[int]) -> int:
    positive, negative = sum(max(0, value) for value in values), sum(max(0, -value) for value in values)
    if min(positive, negative) > NOISE * max(positive, negative):
        above, below = (exact.decimal(Fraction(one, FINEST)) for one in (positive, negative))
        got = f"{above} times the largest in all above 0 and {below} below"
        _refuse("mixed signs", got, "one sign", "check that the file belongs to this program")
    return 1 if positive >= negative else -1


def _whole(values: Sequence[Fraction]) -> list[int]:
    """Whole numbers in the ratio of these, without common factor; near it if that takes longer ones than `FINEST`."""
    unit = 1
    for value in values:
        unit = math.lcm(unit, value.denominator)
        if unit > FINEST:
            unit = FINEST
            break
    whole = [round(value * unit) for value in values]
    common = math.gcd(*whole) or 1
    return [value // common for value in whole]


def _refuse(reason: str, got: str, expected: str, fix: str) -> NoReturn:
    raise InvalidInput(Problem("--duals", reason, got, expected, fix))
