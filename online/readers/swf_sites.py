"""The partitions or queues of an SWF log, and the machines on which its jobs may run."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from online.errors import InvalidInput, Problem
from online.readers.door import Door
from online.readers.swf_header import Header
from online.readers.swf_records import BadRecord, Record


@dataclass(frozen=True)
class Sites:
    """The partitions or queues of a log, and the machines of each, from 0, in blocks."""

    kind: str
    machines: Mapping[int, range]
    names: tuple[str, ...]

    @property
    def count(self) -> int:
        """Number of machines."""
        return len(self.names)

    def expected(self) -> str:
        """What a job may name, for messages."""
        shown = [str(number) for number in self.machines]
        return f"a declared {self.kind}: {', '.join(shown[:20])}{', ...' if len(shown) > 20 else ''}"


def declare_sites(header: Header, kind: str, seen: Iterable[int], door: Door) -> Sites:
    """Number the machines of all partitions (or queues): by the header, else by what the jobs name.

    Machines of each: the option `machines_per`, else the list in `MaxProcs` or `MaxNodes`, else 1.

    Raises: `InvalidInput` when that list and the declarations disagree, or its form is unknown.
    """
    key, limit = kind.capitalize(), f"Max{kind.capitalize()}s"
    counts = _listed(header, door) if kind == "partition" else None
    declared = header.numbered(key)
    if not declared:
        numbered = header.total(limit) or (len(counts) if counts else 0)
        declared = dict.fromkeys(range(1, numbered + 1), "") or dict.fromkeys(sorted(seen), "")
        if not numbered:
            door.note(f"{kind}s, since the header declares none, by what the jobs name: {len(declared)}")
    sizes = _sizes(declared, counts, kind, door)
    return _blocks(kind, declared, sizes)


def _listed(header: Header, door: Door) -> tuple[int, ...] | None:
    for key in ("MaxProcs", "MaxNodes"):
        counts, value = header.counts(key), header.value(key) or ""
        if counts is None and re.search(r"\([^)]*\d", value):
            place = f"{door.name}:{header.all(key)[0].line}"
            raise InvalidInput(Problem(place, "bad list of machines", value, f"{key}: 6 (4, 2)", "correct the header"))
        if counts is not None:
            if sum(counts) != header.total(key):
                door.note(f"{key} {value}: the list adds up to {sum(counts)}; the list counts")
            return counts
    return None


def _sizes(declared: Mapping[int, str], counts: tuple[int, ...] | None, kind: str, door: Door) -> tuple[int, ...]:
    asked = door.options.machines_per
    if asked is not None:
        if counts is not None:
            door.note(f"{asked} machines in each {kind}, as asked, instead of the header's {counts}")
        return (asked,) * len(declared)
    if counts is None:
        door.note(
            f"one machine in each {kind}: neither --machines-per nor a list as in `MaxProcs: 6 (4, 2)` says otherwise"
        )
        return (1,) * len(declared)
    if len(counts) != len(declared):
        got = f"{len(counts)} numbers for {len(declared)} declared {kind}s"
        raise InvalidInput(
            Problem(
                door.name, "bad list of machines", got, f"one for each {kind}", "correct it, or give --machines-per"
            )
        )
    return counts


def _blocks(kind: str, declared: Mapping[int, str], sizes: tuple[int, ...]) -> Sites:
    machines: dict[int, range] = {}
    names: list[str] = []
    for (number, name), size in zip(declared.items(), sizes, strict=True):
        machines[number] = range(len(names), len(names) + size)
        labels = [str(number)] if size == 1 else [f"{number}.{k}" for k in range(1, size + 1)]
        names += [f"{label} {name}".rstrip() for label in labels]
    return Sites(kind, machines, tuple(names))


class Eligible:
    """The machines of each record: those of its site, or of all sites in which its owner stands.

    A site or owner that is unknown (below 0) means every machine; so does an owner of whom no site is known.
    """

    def __init__(self, sites: Sites | None, records: Iterable[Record], by_owner: bool) -> None:
        self.sites, self.by_owner = sites, by_owner
        self.at_site = {} if sites is None else {site: tuple(block) for site, block in sites.machines.items()}
        owned: dict[int, set[int]] = {}
        if by_owner:
            for record in records:
                if record.site in self.at_site:
                    owned.setdefault(record.owner, set()).add(record.site)
        self.owned = {owner: self._union(sorted(mine)) for owner, mine in owned.items()}

    def of(self, record: Record) -> tuple[int, ...] | None:
        """The machines from 0, None for every machine. Raises: `BadRecord` for a site not declared."""
        if self.sites is None:
            return None
        if record.site >= 0 and record.site not in self.at_site:
            field = 15 if self.sites.kind == "queue" else 16
            got = f"{self.sites.kind} {record.site} (field {field}) of job {record.job}"
            raise BadRecord(f"undeclared {self.sites.kind}", got, self.sites.expected(), "declare it in the header")
        if self.by_owner:
            return self.owned.get(record.owner) if record.owner >= 0 else None
        return self.at_site[record.site] if record.site >= 0 else None

    def _union(self, sites: Sequence[int]) -> tuple[int, ...]:
        return tuple(sorted(i for site in sites for i in self.at_site[site]))
