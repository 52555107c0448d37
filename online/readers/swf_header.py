"""The header of an SWF log: comment lines `; Key: value`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

_ENTRY = re.compile(r";+\s*([A-Za-z]\w*)\s*:(?!//)\s*(.*)")
_COUNTS = re.compile(r"(\d+)\s*\(\s*(\d+(?:[\s,]+\d+)*)\s*\)", re.ASCII)
_TOTAL = re.compile(r"(\d+)\b", re.ASCII)
_NUMBERED = re.compile(r"(\d{1,9})\b\s*(.*)", re.ASCII)


class Entry(NamedTuple):
    """One header line: its number and its value."""

    line: int
    value: str


@dataclass(frozen=True)
class Header:
    """The header's entries by lower-case key, in file order; lines of another form are free comments.

    >>> header = Header.of(["; Version: 2.2", "; MaxProcs: 6 (4, 2)", "; Partition:  2 fat nodes"])
    >>> header.value("MaxProcs"), header.counts("MaxProcs"), header.numbered("Partition")
    ('6 (4, 2)', (4, 2), {2: 'fat nodes'})
    """

    entries: Mapping[str, tuple[Entry, ...]]

    @classmethod
    def of(cls, lines: Iterable[str]) -> Header:
        """The header in the comment lines of a log, which may stand anywhere in it."""
        found: dict[str, list[Entry]] = {}
        for line, text in enumerate(lines, 1):
            match = _ENTRY.match(text.strip()) if text.lstrip().startswith(";") else None
            if match:
                found.setdefault(match[1].lower(), []).append(Entry(line, match[2].strip()))
        return cls({key: tuple(entries) for key, entries in found.items()})

    def all(self, key: str) -> tuple[Entry, ...]:
        """Every entry of a key."""
        return self.entries.get(key.lower(), ())

    def value(self, key: str) -> str | None:
        """The first value of a key."""
        return next((entry.value for entry in self.all(key)), None)

    def total(self, key: str) -> int | None:
        """The number with which the value of a key begins: 6 in `6 (4, 2)`."""
        match = _TOTAL.match(self.value(key) or "")
        return int(match[1]) if match else None

    def counts(self, key: str) -> tuple[int, ...] | None:
        """The numbers in parentheses: (4, 2) in `6 (4, 2)`; None when the value lists none."""
        match = _COUNTS.fullmatch(self.value(key) or "")
        return tuple(map(int, re.findall(r"\d+", match[2]))) if match else None

    def numbered(self, key: str) -> dict[int, str]:
        """The declared numbers with their names: `Partition: 2 fat nodes` declares 2."""
        matches = (_NUMBERED.match(entry.value) for entry in self.all(key))
        return {int(match[1]): match[2].strip() for match in matches if match}
