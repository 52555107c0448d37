"""Which claims of a ledger are asked for, by id or pattern."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase
from itertools import takewhile

from certify.claims.claim import Entry
from online.errors import InvalidInput, Problem

Patterns = str | Sequence[str]
"""`all`, an id such as `6.4`, a pattern such as `6.*`, several of them with commas between or in a list; `` is none."""


def listed(patterns: Patterns) -> list[str]:
    """Each pattern by itself.

    >>> listed("6.4, 6.5.*"), listed("")
    (['6.4', '6.5.*'], [])
    """
    texts = [patterns] if isinstance(patterns, str) else list(patterns)
    return [part.strip() for text in texts for part in text.split(",") if part.strip()]


def chosen(entries: Sequence[Entry], patterns: Patterns) -> list[Entry]:
    """The lines of a ledger that the patterns ask for, in the order of the ledger.

    A printed claim that is known to be false is chosen only by its full id, not by a pattern.

    Raises: `InvalidInput` for a pattern that fits no claim, with ids that are near.
    """
    wanted = set[str]()
    for pattern in listed(patterns):
        found = {entry.claim.id for entry in entries if _fits(entry, pattern)}
        if not found:
            raise InvalidInput(_unknown(pattern, [entry.claim.id for entry in entries]))
        wanted |= found
    return [entry for entry in entries if entry.claim.id in wanted]


def _fits(entry: Entry, pattern: str) -> bool:
    if entry.claim.id == pattern:
        return True
    return not entry.claim.corrected_by and (pattern == "all" or fnmatchcase(entry.claim.id, pattern))


def _unknown(pattern: str, ids: Sequence[str]) -> Problem:
    near = sorted(ids, key=lambda one: -_alike(one, pattern))[:3]
    expected = f"an id such as {', '.join(near)}, a pattern such as '6.*', or all"
    fix = f"choose among {', '.join(ids)}" if ids else "this problem has no ledger"
    return Problem("claims", "no such claim", repr(pattern), expected, fix)


def _alike(one: str, other: str) -> int:
    """With how many equal characters both begin."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
