"""The smallest part of an instance and of a claim about it that is still wrong."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from certify.diagnose.claim import Claim
from certify.diagnose.violation import Violations, counting
from certify.problems.registry import TRACKS
from certify.problems.track import Tell, silent
from certify.search.shrink import Shrinking
from certify.words import counted
from online import exact
from online.family import IntervalFamily
from online.instance import Instance

JOBS, STEPS, CLUSTERS = 300, 2000, 100
"""Most jobs that are searched for a false bound, most parts of them that are tried, and most clusters looked at."""


@dataclass(frozen=True, eq=False)
class Smallest:
    """A part of a claim, about a part of its instance, and what is wrong with it: `bound`, `row`, `sum` or `sign`."""

    kind: str
    claim: Claim
    words: str

    @property
    def instance(self) -> Instance:
        """The part of the instance; machines keep their names, or are called by their numbers."""
        return self.claim.instance


def smallest(claim: Claim, found: Violations, *, steps: int = STEPS, tell: Tell = silent) -> Smallest | None:
    """The smallest wrong part of a claim; None if it violates nothing. The same for the same claim.

    - `bound`: where the claim's numbers come to more than a schedule costs, jobs, machines, eligible machines and
      intervals are left out as long as they still do. Claim: unless `steps` ran out, none of those left can be left out
      alone. Looked for in the clusters of intervals that are connected in time, then in the whole, of at most `JOBS`
      jobs.
    - `row`: else the violated constraint with the fewest intervals: its job, its machine, and the intervals that count
      it there. Claim: it is violated by as much as in the whole; without the job nothing is, and without any of the
      intervals its right side is another.
    - `sum`: else the fewest intervals whose b / weight sum to over 1. `sign`: else one variable below 0.
    """
    if not found.count or claim.family is None:
        return None
    named = _named(claim)
    false = None if claim.signed else next(filter(is_false, _starts(named, found)), None)
    if false is not None:
        return _Search(false, steps, tell).run()
    if found.rows:
        return _row(named, found)
    return _sum(named, found) if found.excess > 0 else _sign(named, found)


def is_false(claim: Claim) -> bool:
    """Whether the claim's numbers come to more than a schedule that rejects nobody costs, so to more than T*."""
    if not claim.instance.n or claim.says is None:
        return False
    return claim.says > TRACKS[claim.problem].upper(claim.instance) * claim.unit


def restricted(claim: Claim, instance: Instance, kept: Sequence[bool] | None = None) -> Claim:
    """What a claim says of a part of its instance, by the intervals that are kept, on the machines that are left.

    Both instances name their machines.
    """
    assert claim.family is not None
    names = {name: i for i, name in enumerate(instance.machine_names or ())}
    now = [names.get(name, -1) for name in claim.instance.machine_names or ()]
    machine = np.array([now[i] for i in claim.family.machine.tolist()], dtype=np.int64)
    mask = (machine >= 0) & (True if kept is None else np.array(kept, dtype=bool))
    family = replace(claim.family, machine=machine).where(mask)
    value = None
    if claim.value is not None:
        of = dict(zip(claim.instance.ids, claim.value, strict=True))
        value = tuple(of[job] for job in instance.ids)
    return replace(claim, instance=instance, value=value, family=family, bound=None, guess=None, notes=())


def _shown(value: Fraction) -> str:
    """A number for people: exact if it is short, else rounded, and cut where even that is long."""
    said = exact.text(value)
    said = said if len(said) <= 40 else exact.decimal(value)
    return said if len(said) <= 60 else f"{said[:20]}... ({len(said)} digits)"


def _named(claim: Claim) -> Claim:
    names = claim.instance.machine_names or tuple(str(i + 1) for i in range(claim.instance.machines))
    return replace(claim, instance=replace(claim.instance, machine_names=names))


def _starts(claim: Claim, found: Violations) -> Iterator[Claim]:
    """What the claim says of each cluster in which something is violated, small ones first; then the whole."""
    release = claim.subject.release.tolist()
    wrong = sorted({row.job for row in found.rows})
    spans = [(bisect_left(release, s), bisect_right(release, e), s, e) for s, e in _clusters(_family(claim))]
    spans = [one for one in spans if bisect_left(wrong, one[0]) < bisect_left(wrong, one[1])]
    for first, last, start, end in sorted(spans, key=lambda one: one[1] - one[0])[:CLUSTERS]:
        if last - first <= JOBS:
            yield _window(claim, first, last, start, end)
    if claim.instance.n <= JOBS:
        yield claim


def _clusters(family: IntervalFamily) -> Iterator[tuple[Fraction, Fraction]]:
    """The first and last tick of each maximal set of intervals whose union is connected."""
    spans = sorted(zip(family.start.tolist(), family.end.tolist(), strict=True))
    for k, (start, end) in enumerate(spans):
        if k == 0:
            begin, reach = start, end
        elif start > reach:
            yield Fraction(begin, family.per_tick), Fraction(reach, family.per_tick)
            begin, reach = start, end
        reach = max(reach, end)
    if spans:
        yield Fraction(begin, family.per_tick), Fraction(reach, family.per_tick)


def _window(claim: Claim, first: int, last: int, start: Fraction, end: Fraction) -> Claim:
    """The claim on the jobs `first..last-1` and the intervals between two times."""
    family = _family(claim)
    within = (family.start >= start * family.per_tick) & (family.end <= end * family.per_tick)
    numbers = np.arange(claim.instance.n)
    return replace(
        claim,
        instance=claim.instance.restrict((numbers >= first) & (numbers < last)),
        value=None if claim.value is None else claim.value[first:last],
        family=family.where(within.astype(bool)),
    )


class _Search:
    """A claim whose numbers come to a false bound, and the part of it that still does."""

    def __init__(self, claim: Claim, steps: int, tell: Tell) -> None:
        self.claim, self.steps, self.tell = claim, steps, tell
        self.instance = claim.instance
        self.kept = [True] * len(_family(claim))

    def run(self) -> Smallest:
        """Leave out intervals, then jobs and machines, until nothing more can be."""
        before = None
        while before != (self.instance, self.kept) and self.steps > 0:
            before = (self.instance, list(self.kept))
            self._intervals()
            shrinking = Shrinking(
                self.instance,
                lambda one: is_false(restricted(self.claim, one, self.kept)),
                self.steps,
                self.tell,
                numbers=False,
            )
            self.instance = shrinking.run()
            self.steps -= shrinking.tried
        part = restricted(self.claim, self.instance, self.kept)
        upper = TRACKS[part.problem].upper(part.instance) * part.unit
        assert part.says is not None
        words = f"its numbers come to {_shown(part.says)}, a schedule to {_shown(upper)}"
        return Smallest("bound", part, words + ("" if self.steps > 0 else "; not all parts were tried"))

    def _keeps(self, instance: Instance) -> bool:
        return is_false(restricted(self.claim, instance, self.kept))

    def _intervals(self) -> None:
        chunk = len(self.kept)
        while chunk:
            for start in range(0, len(self.kept), chunk):
                self._without(start, start + chunk)
            chunk //= 2

    def _without(self, start: int, end: int) -> None:
        fewer = [one and not start <= k < end for k, one in enumerate(self.kept)]
        if fewer == self.kept or self.steps <= 0:
            return
        self.steps -= 1
        if is_false(restricted(self.claim, self.instance, fewer)):
            self.kept = fewer


def _family(claim: Claim) -> IntervalFamily:
    assert claim.family is not None
    return claim.family


def _row(claim: Claim, found: Violations) -> Smallest:
    counts = zip(found.rows, counting(claim, found.rows, most=0), strict=True)
    row, _ = min(counts, key=lambda one: one[1].intervals)
    own = next(counting(claim, [row], most=len(_family(claim))))
    part = _part(claim, [row.job], [row.machine], own.some)
    job = claim.instance.ids[row.job]
    words = f"job {job} claims {_shown(row.left)}, its machine allows {_shown(row.right)}"
    return Smallest("row", part, words)


def _sum(claim: Claim, found: Violations) -> Smallest:
    family = _family(claim)
    share = [Fraction(one.multiplicity, claim.scale) / (Fraction(one.weight) * claim.unit_weight) for one in family]
    chosen: list[int] = []
    for k in sorted(range(len(share)), key=lambda k: (-share[k], k)):
        if sum((share[c] for c in chosen), Fraction(0)) <= 1:
            chosen.append(k)
    total = sum((share[c] for c in chosen), Fraction(0))
    part = _part(claim, [], _machines(claim, chosen), sorted(chosen))
    return Smallest("sum", part, f"sum b / weight is {_shown(total)} for {counted(len(chosen), 'interval')}")


def _sign(claim: Claim, found: Violations) -> Smallest:
    one = found.signs[0]
    if one.variable == "alpha":
        job = claim.instance.job(one.number)
        part = _part(claim, [one.number], [job.eligible[0]], [])
        return Smallest("sign", part, f"the dual of job {job.id} is {_shown(one.value)}")
    part = _part(claim, [], _machines(claim, [one.number]), [one.number])
    return Smallest("sign", part, f"b of the interval is {_shown(one.value)}")


def _machines(claim: Claim, intervals: Iterable[int]) -> list[int]:
    return sorted({int(_family(claim).machine[k]) for k in intervals})


def _part(claim: Claim, jobs: Sequence[int], machines: Sequence[int], intervals: Iterable[int]) -> Claim:
    """The claim on these jobs, on these machines only, and these intervals."""
    names = claim.instance.machine_names or ()
    chosen = [claim.instance.job(j) for j in jobs]
    sets = [tuple(k for k, i in enumerate(machines) if i in job.eligible) for job in chosen]
    instance = Instance.from_columns(
        len(machines),
        tick=claim.instance.tick,
        weight_unit=claim.instance.weight_unit,
        ids=[job.id for job in chosen],
        release=[job.release for job in chosen],
        size=[job.size for job in chosen],
        flow_weight=[job.flow_weight for job in chosen],
        rejection_weight=[job.rejection_weight for job in chosen],
        eligible_set=list(range(len(chosen))),
        sets=sets,
        machine_names=[names[i] for i in machines],
    )
    kept = frozenset(intervals)
    return restricted(claim, instance, [k in kept for k in range(len(_family(claim)))])
