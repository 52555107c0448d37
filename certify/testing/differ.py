"""Where two runs, instances or certificates differ, in exact numbers; and what a run takes back once it knows more."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from itertools import zip_longest
from typing import Any

from certify.problems.registry import TRACKS
from online import exact
from online.instance import Instance
from online.run import REJECTED, LateRejection, Run

MOST = 12
"""Differences that are shown."""

Piece = tuple[int, int, Fraction, Fraction]
"""Job, machine, start and end, in ticks."""


def decision(machine: int) -> str:
    """What became of a job on arrival; machines count from 1."""
    return "rejected" if machine == REJECTED else f"machine {machine + 1}"


def run_differences(left: Run, right: Run) -> Iterator[str]:
    """What two runs decided differently, the first job first; names of algorithms and parameters do not count."""
    if left.instance != right.instance:
        yield from instance_differences(left.instance, right.instance)
        return
    for what in ("problem", "epsilon", "speed"):
        if getattr(left, what) != getattr(right, what):
            yield f"{what}: {getattr(left, what)} and {getattr(right, what)}"
    ids = left.instance.ids
    for j, (one, other) in enumerate(zip(left.dispatch.tolist(), right.dispatch.tolist(), strict=True)):
        if one != other:
            yield f"job {ids[j]!r} (number {j + 1}): {decision(one)} and {decision(other)}"
    for k, (first, second) in enumerate(zip_longest(_late(left), _late(right))):
        if first != second:
            yield f"late rejection {k + 1}: {first or 'none'} and {second or 'none'}"
    for k, (here, there) in enumerate(zip_longest(_phases(left), _phases(right))):
        if here != there:
            yield f"phase {k + 1}: {here or 'none'} and {there or 'none'}"
    if left.problem != "load" and (left.pieces or right.pieces) and left.late == right.late:
        yield from _ends(left, right)


def _late(run: Run) -> list[str]:
    return [_rejected(run, one) for one in run.late]


def _rejected(run: Run, one: LateRejection) -> str:
    ids = run.instance.ids
    when = "" if one.time is None else f" at {_time(run, Fraction(one.time, run.per_tick))}"
    return f"job {ids[one.job]!r} after job {ids[one.after]!r}{when}"


def _time(run: Run, ticks: Fraction | int) -> str:
    """A time in the units of the input."""
    return exact.text(ticks * run.instance.tick)


def _phases(run: Run) -> list[str]:
    unit, ids = TRACKS[run.problem].unit(run.instance), run.instance.ids
    return [
        f"{'no guess' if one.guess is None else f'guess {exact.text(one.guess * unit)}'}, "
        f"job {ids[one.first]!r} to job {ids[one.last]!r}{', given up' if one.ended else ''}"
        + (f" with {decision(one.choice)}" if one.ended else "")
        for one in run.phases
    ]


def _ends(left: Run, right: Run) -> Iterator[str]:
    for j, (one, other) in enumerate(zip(left.completion.tolist(), right.completion.tolist(), strict=True)):
        if one != other:
            times = f"{_time(left, one)} and {_time(left, other)}, difference {_time(left, Fraction(other) - one)}"
            yield f"job {left.instance.ids[j]!r} ends at {times}"


def instance_differences(left: Instance, right: Instance) -> Iterator[str]:
    """Where two instances differ, key by key, the first job first."""
    yield from document_differences(left.to_document(), right.to_document())


def document_differences(left: Any, right: Any, place: str = "$") -> Iterator[str]:
    """Where two JSON values differ.

    >>> list(document_differences({"a": [1, 2], "b": "1/2"}, {"a": [1, 3, 4]}))
    ['$.a[1]: 2 and 3', '$.a[2]: nothing and 4', "$.b: '1/2' and nothing"]
    """
    if isinstance(left, dict) and isinstance(right, dict):
        for key in dict.fromkeys([*left, *right]):
            yield from _member(left, right, key, f"{place}.{key}")
    elif isinstance(left, list) and isinstance(right, list):
        for k in range(max(len(left), len(right))):
            yield from _member(dict(enumerate(left)), dict(enumerate(right)), k, f"{place}[{k}]")
    elif left != right or type(left) is not type(right):
        yield f"{place}: {left!r} and {right!r}"


def _member(left: dict[Any, Any], right: dict[Any, Any], key: object, place: str) -> Iterator[str]:
    if key in left and key in right:
        yield from document_differences(left[key], right[key], place)
    else:
        yield f"{place}: {repr(left[key]) if key in left else 'nothing'} and " + (
            repr(right[key]) if key in right else "nothing"
        )


def explained(left: Any, right: Any) -> list[str] | None:
    """Lines for pytest about `left == right`; None for values of different kinds."""
    if isinstance(left, Run) and isinstance(right, Run):
        found = list(run_differences(left, right))
        rule = "runs are compared by identity; assert_same_run compares what they decided"
        return [f"two runs of {left.algorithm} and {right.algorithm}", *(shortened(found) or ["no difference"]), rule]
    if isinstance(left, Instance) and isinstance(right, Instance):
        return ["two instances", *shortened(list(instance_differences(left, right)))]
    if isinstance(left, dict) and isinstance(right, dict):
        return ["two certificates", *shortened(list(document_differences(left, right)))]
    return None


def changed(found: list[object]) -> list[str]:
    """Lines for pytest about `check(folder) == []`: file, field, both values, difference, better or worse."""
    return ["results as they were recorded", *shortened(list(map(str, found)))]


def shortened(lines: list[str]) -> list[str]:
    """The first lines, and how many more there are."""
    more = [f"... and {len(lines) - MOST} more differences"] if len(lines) > MOST else []
    return [*lines[:MOST], *more]


def taken_back(prefix: Run, whole: Run, *, immediate: bool, packed: bool = False) -> str | None:
    """What a run decided otherwise before the jobs that the run of a prefix did not know of; None if nothing.

    Rejections on arrival count, and late ones and pieces of work before the next release; machines of waiting jobs only
    where the algorithm is one of `immediate` dispatch. Where pieces are `packed`, of the work only times of completion.

    Claim: None for every online algorithm and every prefix of its input.
    """
    count, ids = prefix.instance.n, whole.instance.ids
    for j in range(count):
        one, other = int(prefix.dispatch[j]), int(whole.dispatch[j])
        if one != other and (immediate or REJECTED in (one, other)):
            return f"job {ids[j]!r}: {decision(one)}, but {decision(other)} once {_later(count, whole)}"
    now = int(whole.instance.release[count])
    work = _ends_before if packed else _pieces_before
    for what, before, after in (
        ("late rejections", _late_before(prefix, count, now), _late_before(whole, count, now)),
        ("completions" if packed else "work", work(prefix, now), work(whole, now)),
    ):
        if before != after:
            then, later = _apart(before, after), _apart(after, before)
            return f"{what} before {_time(whole, now)}: {then}, but {later} once {_later(count, whole)}"
    return None


def _apart(some: list[str], others: list[str]) -> str:
    """What is in the one alone, or all of it where only the order is another."""
    shown = [one for one in some if one not in others] if set(some) != set(others) else some
    return ", ".join(shown) or "nothing more"


def _later(count: int, whole: Run) -> str:
    released = _time(whole, int(whole.instance.release[count]))
    return f"job {whole.instance.ids[count]!r} (released at {released}) was known"


def _late_before(run: Run, count: int, now: int) -> list[str]:
    return [
        _rejected(run, one)
        for one in run.late
        if (one.after < count if one.time is None else one.time < now * run.per_tick)
    ]


def _ends_before(run: Run, now: int) -> list[str]:
    ends = enumerate(run.completion.tolist()) if run.pieces is not None else ()
    return [f"job {run.instance.ids[j]!r} at {_time(run, end)}" for j, end in ends if run.accepted[j] and end < now]


def _pieces_before(run: Run, now: int) -> list[str]:
    """Pieces up to a time, those of one job on one machine without a gap joined."""
    if run.pieces is None:
        return []
    joined = list[Piece]()
    rows = sorted(zip(*run.pieces, strict=True), key=lambda row: (row[0], row[2]))
    for job, machine, first, last in rows:
        start, end = Fraction(first, run.per_tick), min(Fraction(last, run.per_tick), Fraction(now))
        if start >= now:
            continue
        if joined and joined[-1][:2] == (job, machine) and joined[-1][3] == start:
            start = joined.pop()[2]
        joined.append((job, machine, start, end))
    return [
        f"job {run.instance.ids[job]!r} on {decision(machine)} from {_time(run, start)} to {_time(run, end)}"
        for job, machine, start, end in joined
    ]


def in_words(text: str, instance: Instance) -> str:
    """What the checker says of a certificate, with the ids of jobs, and machines from 1; it counts both from 0.

    >>> from online.rows import Row
    >>> in_words("job 0 runs on machine 0, dispatched to 1", Instance.from_rows(2, [Row("a", 0, 1)]))
    "job 'a' runs on machine 1, dispatched to machine 2"
    """

    def job(found: re.Match[str]) -> str:
        position = int(found[1])
        return f"job {instance.ids[position]!r}" if position < instance.n else found[0]

    text = re.sub(r"\b(?:machine|dispatched to) (\d+)\b", _counted, text)
    return re.sub(r"\bjob (\d+)\b", job, text)


def _counted(found: re.Match[str]) -> str:
    words = found[0].rsplit(" ", 1)[0]
    return f"{words}{'' if words == 'machine' else ' machine'} {int(found[1]) + 1}"
