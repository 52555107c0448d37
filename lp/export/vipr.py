"""The proof of a lower bound as a VIPR 1.0 certificate: one line, a linear combination of rows and bounds."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from operator import attrgetter

from lp.export.forms import Forms
from lp.export.program import ExactProgram
from lp.load import weak_duality as load_duality
from lp.weak_duality import largest_duals, tightened
from online.family import IntervalFamily


def vipr(program: ExactProgram, multipliers: Mapping[str, Fraction], head: Iterable[str]) -> tuple[str, Fraction]:
    """The certificate that these multipliers of rows, by name, give; and the bound on the objective that it proves.

    Claim: with multipliers >= 0 whose combination leaves slack >= 0 in every column, `sum multiplier * rhs` is a lower
    bound on a minimisation: the one `lin` line adds up rows times multipliers and bounds `x >= 0` times slack.

    Raises: `FalseClaim` if the multipliers prove nothing.

    Source: Cheung, Gleixner, Steffy, Verifying integer programming results; the VIPR format, version 1.0.
    """
    listed = [multipliers.get(row.name, Fraction(0)) for row in program.rows]
    slack = program.slack(listed)
    bound = sum((y * row.rhs for y, row in zip(listed, program.rows, strict=True)), Fraction(0))
    reason = [(k, value) for k, value in enumerate([*slack, *listed]) if value]
    return "".join(f"{line}\n" for line in _lines(program, bound, reason, head)), bound


def _lines(
    program: ExactProgram, bound: Fraction, reason: Sequence[tuple[int, Fraction]], head: Iterable[str]
) -> Iterator[str]:
    columns = len(program.columns)
    yield from (f"% {line}" for line in head)
    yield from ("VER 1.0", f"VAR {columns}", *program.columns, "INT 0", "OBJ min")
    yield _sparse([(j, c) for j, c in enumerate(program.cost) if c])
    yield f"CON {columns + len(program.rows)} {columns}"
    yield from (f"nonnegative_{name} G 0 1 {j} 1" for j, name in enumerate(program.columns))
    yield from (f"{row.name} G {row.rhs} {_sparse(row.terms)}" for row in program.rows)
    yield from (f"RTP range {bound} inf", "SOL 0", "DER 1")
    yield f"bound G {bound} OBJ {{ lin {_sparse(reason)} }} -1"


def _sparse(terms: Sequence[tuple[int, int | Fraction]]) -> str:
    return " ".join((str(len(terms)), *(f"{k} {value}" for k, value in terms)))


def textbook_multipliers(forms: Forms, family: IntervalFamily) -> dict[str, Fraction]:
    """The multipliers of the textbook primal's rows that prove the bound of a family.

    Claim: an interval of multiplicity m and weight a/b gets `m / (a share)`, a job `alpha_j p_j / (grid share)`; so T
    gets exactly 1, and the bound of Lemmas 6.1 and 6.6 comes out in grids.
    """
    found: dict[str, Fraction] = defaultdict(Fraction)
    for k, s, e, part in _placed(forms, found, family):
        chain = forms.chains[k]
        found[chain.name("b", chain.nodes[s].number, chain.nodes[e].number)] += part / chain.weight.numerator
    return found


def lindley_multipliers(forms: Forms, family: IntervalFamily) -> dict[str, Fraction]:
    """The multipliers of the lindley form's rows that prove the bound of a family.

    Claim: y counts the intervals that cover a node, z those that cover it and the one before, b those that end there
    (each over `share`, b over the numerator of the weight too): a flow along the chain, so q and r cancel.
    """
    found: dict[str, Fraction] = defaultdict(Fraction)
    starts: dict[tuple[int, int], Fraction] = defaultdict(Fraction)
    ends: dict[tuple[int, int], Fraction] = defaultdict(Fraction)
    for k, s, e, part in _placed(forms, found, family):
        starts[k, s] += part
        ends[k, e] += part
    for k in sorted({k for k, _ in starts}):
        chain, cover = forms.chains[k], Fraction(0)
        for n, (_, number, _) in enumerate(chain.nodes):
            before, cover, ending = cover, cover + starts[k, n], ends[k, n]
            row = {"z": before, "y": cover, "b": ending / chain.weight.numerator}
            found |= {chain.name(letter, number): value for letter, value in row.items() if value}
            cover -= ending
    return found


def load_multipliers(forms: Forms, beta: Sequence[int]) -> dict[str, Fraction]:
    """The multipliers of load balancing's rows that prove the bound of prices `beta`, one a machine, not all 0."""
    total = sum(beta)
    alpha = load_duality.largest_duals(forms.instance, beta)
    found = {f"b_{i + 1}": Fraction(price, total) for i, price in enumerate(beta)}
    return found | {f"a_{j + 1}": Fraction(a * forms.size[j], total) for j, a in enumerate(alpha)}


def _placed(
    forms: Forms, found: dict[str, Fraction], family: IntervalFamily
) -> Iterator[tuple[int, int, int, Fraction]]:
    """The chain, first and last node of each interval and its multiplicity over `share`; the jobs' go into `found`.

    An interval for weights that no job has moves up to the next weight: it counts the same jobs, and its share falls.
    """
    values = forms.weights.values
    family = tightened(forms.instance, family, weights=forms.weights)
    ranks = [bisect_left(values, weight) for weight in family.weights]
    number = {(chain.weight_class, chain.machine): k for k, chain in enumerate(forms.chains)}
    rows = [(number[ranks[w], i], start, end, times) for i, start, end, times, w in _columns(family)]
    share = sum((Fraction(times) / forms.chains[k].weight for k, _, _, times in rows), Fraction(0))
    alpha = largest_duals(forms.instance, family, weights=forms.weights) if rows else []
    for j, one in enumerate(alpha):
        found[f"a_{j + 1}"] += Fraction(one * forms.size[j]) / share
    for k, start, end, times in rows:
        nodes = forms.chains[k].nodes
        yield k, bisect_left(nodes, start, key=_time), bisect_left(nodes, end, key=_time), times / share


_time = attrgetter("time")


def _columns(family: IntervalFamily) -> Iterator[tuple[int, int, int, int, int]]:
    columns = (family.machine, family.start, family.end, family.multiplicity, family.weight_class)
    return zip(*(column.tolist() for column in columns), strict=True)
