"""The instance: machines and jobs, exact, immutable, in columns.

Times are integer ticks (`tick` says how long one is in the input's own unit), weights are integer multiples
of `weight_unit`, machines are numbered from 0. Jobs stand in arrival order: by release, then as given.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from online import exact
from online.eligible import EligibleSets
from online.errors import InvalidInput, Problem
from online.exact import Column
from online.rows import CleanRow, Gate, Refuse, Row
from online.validate import JobId, check_columns, check_machines, check_sets, positive, rational

FORMAT = "dualfit-instance"
VERSION = 1


class Job(NamedTuple):
    """View of one job, in ticks and weight units."""

    position: int
    id: JobId
    release: int
    size: int
    flow_weight: int
    rejection_weight: int
    eligible: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Instance:
    """An immutable instance of `n` jobs on `machines` unit-speed machines.

    Claim: every column is exact; jobs are in arrival order; every size is positive unless zero sizes were
    asked to be kept; every eligible set is a non-empty, ascending tuple of machines `0..machines-1`.

    Columns have length n: `release` and `size` in ticks, `flow_weight` and `rejection_weight` in
    `weight_unit`s, `eligible_set` an index into `sets`.

    Source: Rejecting jobs to minimize load and maximum flow-time, section 2 (model).

    >>> one = Instance.from_rows(2, [Row("a", "0.5", 1), Row("b", 0, "1.25", [1])])
    >>> one.tick, one.ids, one.job(1)[2:]
    (Fraction(1, 4), ('b', 'a'), (2, 4, 1, 1, (0, 1)))
    """

    machines: int
    tick: Fraction
    ids: Sequence[JobId]
    release: Column
    size: Column
    flow_weight: Column
    rejection_weight: Column
    weight_unit: Fraction
    eligible_set: Column
    sets: EligibleSets
    machine_names: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        """Columns are read-only, whoever else has the instance."""
        for name in ("release", "size", "flow_weight", "rejection_weight", "eligible_set"):
            object.__setattr__(self, name, exact.frozen(getattr(self, name)))

    @classmethod
    def from_rows(
        cls,
        machines: int,
        rows: Iterable[Row],
        *,
        refuse: Refuse | None = None,
        keep_zero_sizes: bool = False,
        machine_names: Sequence[str] | None = None,
        place: str = "instance",
    ) -> Instance:
        """Validate rows and put them in arrival order.

        A bad row goes to `refuse` and is left out; without `refuse`, all bad rows together raise.
        Repeated machines inside one eligible set count once.

        Raises: `InvalidInput` for a bad machine count or name list, and for bad rows when `refuse` is None.
        """
        names = check_machines(machines, machine_names, place)
        problems: list[Problem] = []
        gate = Gate(machines, keep_zero_sizes, refuse or problems.append)
        good = [row for row in map(gate.admit, rows) if row is not None]
        if problems:
            raise InvalidInput(problems)
        good.sort(key=lambda row: row.release)
        return cls._from_clean(machines, good, names)

    @classmethod
    def _from_clean(cls, machines: int, rows: Sequence[CleanRow], names: tuple[str, ...] | None) -> Instance:
        per_tick = exact.common_denominator([x for row in rows for x in (row.release, row.size)])
        per_unit = exact.common_denominator([x for row in rows for x in (row.flow_weight, row.rejection_weight)])
        numbers: dict[tuple[int, ...], int] = {}
        return cls.from_columns(
            machines,
            tick=Fraction(1, per_tick),
            ids=[row.id for row in rows],
            release=[_scaled(row.release, per_tick) for row in rows],
            size=[_scaled(row.size, per_tick) for row in rows],
            flow_weight=[_scaled(row.flow_weight, per_unit) for row in rows],
            rejection_weight=[_scaled(row.rejection_weight, per_unit) for row in rows],
            weight_unit=Fraction(1, per_unit),
            eligible_set=[numbers.setdefault(row.eligible, len(numbers)) for row in rows],
            sets=list(numbers),
            machine_names=names,
        )

    @classmethod
    def from_columns(
        cls,
        machines: int,
        *,
        release: Sequence[int],
        size: Sequence[int],
        eligible_set: Sequence[int] | Column,
        sets: Sequence[Sequence[int]],
        tick: Fraction | int = 1,
        ids: Sequence[JobId] | None = None,
        flow_weight: Sequence[int] | None = None,
        rejection_weight: Sequence[int] | None = None,
        weight_unit: Fraction | int = 1,
        machine_names: Sequence[str] | None = None,
        place: str = "instance",
    ) -> Instance:
        """Store whole columns of Python ints, already in arrival order, checking every rule of the class.

        Unlike `from_rows` this allows size 0: whoever hands over columns has decided.

        Raises: `InvalidInput` naming the first offending job of each column.
        """
        n = len(release)
        names = check_machines(machines, machine_names, place)
        ones: Sequence[int] = [1] * n
        flow = ones if flow_weight is None else flow_weight
        columns: dict[str, Sequence[int]] = {
            "release": release,
            "size": size,
            "flow_weight": flow,
            "rejection_weight": flow if rejection_weight is None else rejection_weight,
        }
        the_ids: Sequence[JobId] = range(1, n + 1) if ids is None else ids
        check_columns(n, columns, the_ids, place)
        check_sets(machines, n, eligible_set, sets, place)
        return cls(
            machines=machines,
            tick=positive(tick, "tick", place),
            ids=the_ids if isinstance(the_ids, range) else tuple(the_ids),
            release=exact.column(columns["release"]),
            size=exact.column(columns["size"], summed=True),
            flow_weight=exact.column(columns["flow_weight"], summed=True),
            rejection_weight=exact.column(columns["rejection_weight"], summed=True),
            weight_unit=positive(weight_unit, "weight_unit", place),
            eligible_set=np.asarray(eligible_set, dtype=np.int64),
            sets=EligibleSets.of(sets),
            machine_names=names,
        )

    @property
    def n(self) -> int:
        """Number of jobs."""
        return len(self.release)

    def job(self, j: int) -> Job:
        """The j-th job in arrival order, from 0."""
        return Job(
            j,
            self.ids[j],
            int(self.release[j]),
            int(self.size[j]),
            int(self.flow_weight[j]),
            int(self.rejection_weight[j]),
            self.sets[int(self.eligible_set[j])],
        )

    def jobs(self) -> Iterator[Job]:
        """All jobs in arrival order; linear, and equal eligible sets share one tuple."""
        sets = list(self.sets)
        columns = zip(
            range(self.n),
            self.ids,
            self.release.tolist(),
            self.size.tolist(),
            self.flow_weight.tolist(),
            self.rejection_weight.tolist(),
            map(sets.__getitem__, self.eligible_set.tolist()),
            strict=True,
        )
        return map(Job._make, columns)

    def machine_name(self, i: int) -> str:
        """How machine i (from 0) is shown: its name, else its number counted from 1."""
        return self.machine_names[i] if self.machine_names else str(i + 1)

    @cached_property
    def pairs(self) -> int:
        """Number of (job, eligible machine) pairs: what a program or a network is as large as."""
        return int(np.diff(self.sets.start)[self.eligible_set].sum())

    @cached_property
    def unit_size(self) -> int | None:
        """The common size U in ticks if all sizes are equal and positive, else None."""
        if self.n == 0:
            return None
        first = int(self.size[0])
        return first if first > 0 and bool((self.size == first).all()) else None

    def restrict(self, keep: Sequence[bool] | Column) -> Instance:
        """The instance of the kept jobs only, on the same machines.

        >>> Instance.from_rows(1, [Row("a", 0, 1), Row("b", 1, 1)]).restrict([False, True]).ids
        ('b',)
        """
        mask = np.asarray(keep, dtype=bool)
        if mask.shape != (self.n,):
            raise InvalidInput(
                Problem("restrict", "mask length", str(mask.shape), f"({self.n},)", "give one boolean a job")
            )
        chosen = np.flatnonzero(mask)
        used, numbers = np.unique(self.eligible_set[chosen], return_inverse=True)
        return replace(
            self,
            ids=tuple(self.ids[j] for j in chosen.tolist()),
            release=self.release[chosen],
            size=self.size[chosen],
            flow_weight=self.flow_weight[chosen],
            rejection_weight=self.rejection_weight[chosen],
            eligible_set=numbers.astype(np.int64),
            sets=EligibleSets.of([self.sets[k] for k in used.tolist()]),
        )

    def refined(self, parts: int) -> Instance:
        """The same instance with every tick cut into `parts` ticks."""
        return replace(
            self,
            tick=self.tick / parts,
            release=exact.column([t * parts for t in self.release.tolist()]),
            size=exact.column([p * parts for p in self.size.tolist()], summed=True),
        )

    def scaled(self, factor: Fraction | int) -> Instance:
        """The instance with all times multiplied by `factor` > 0; only the meaning of a tick changes.

        >>> Instance.from_rows(1, [Row("a", 3, 1)]).scaled(Fraction(1, 2)).tick
        Fraction(1, 2)
        """
        return replace(self, tick=self.tick * positive(factor, "factor", "scaled"))

    def shifted(self, ticks: int) -> Instance:
        """The instance with `ticks` subtracted from every release (flow times do not change)."""
        return replace(self, release=exact.column([t - ticks for t in self.release.tolist()]))

    def with_unit_size(self, size: Fraction) -> Instance:
        """The instance in which every job has the same `size` (input units), releases staying exact.

        >>> Instance.from_rows(1, [Row("a", 1, 4)]).with_unit_size(Fraction(1, 3)).job(0)[2:4]
        (3, 1)
        """
        ticks = positive(size, "size", "with_unit_size") / self.tick
        finer = self.refined(ticks.denominator)
        return replace(finer, size=exact.column([ticks.numerator] * self.n, summed=True))

    def to_document(self) -> dict[str, Any]:
        """The columnar document of this instance: integers and short strings only.

        Eligible sets are numbered by first use, so equal instances give equal documents.
        """
        used, first = np.unique(self.eligible_set, return_index=True)
        order = used[np.argsort(first, kind="stable")].tolist()
        number = np.zeros(len(self.sets), dtype=np.int64)
        number[order] = np.arange(len(order))
        document: dict[str, Any] = {
            "format": FORMAT,
            "version": VERSION,
            "machines": self.machines,
            "tick": exact.text(self.tick),
            "weight_unit": exact.text(self.weight_unit),
            "ids": list(self.ids),
            "release": self.release.tolist(),
            "size": self.size.tolist(),
            "flow_weight": self.flow_weight.tolist(),
            "rejection_weight": self.rejection_weight.tolist(),
            "eligible_sets": [list(self.sets[k]) for k in order],
            "eligible": number[self.eligible_set].tolist(),
        }
        if self.machine_names:
            document["machine_names"] = list(self.machine_names)
        return document

    @classmethod
    def from_document(cls, document: Mapping[str, Any], place: str = "instance") -> Instance:
        """Read a columnar document as `to_document` writes it.

        Raises: `InvalidInput` with the JSON path of what is missing or wrong.
        """
        head = {"format": FORMAT, "version": VERSION}
        for key, expected in head.items():
            if document.get(key) != expected:
                raise InvalidInput(
                    Problem(
                        f"{place}.{key}",
                        "wrong kind",
                        repr(document.get(key)),
                        repr(expected),
                        "use a document written by this version of dualfit",
                    )
                )
        wanted = ("machines", "release", "size", "eligible", "eligible_sets", "ids", "tick")
        for key in (*wanted, "flow_weight", "rejection_weight", "weight_unit"):
            if key not in document:
                raise InvalidInput(Problem(f"{place}.{key}", "missing key", "nothing", "a value", "add it"))
        return cls.from_columns(
            document["machines"],
            tick=rational(document["tick"], f"{place}.tick"),
            ids=document["ids"],
            release=document["release"],
            size=document["size"],
            flow_weight=document["flow_weight"],
            rejection_weight=document["rejection_weight"],
            weight_unit=rational(document["weight_unit"], f"{place}.weight_unit"),
            eligible_set=document["eligible"],
            sets=document["eligible_sets"],
            machine_names=document.get("machine_names"),
            place=place,
        )

    @cached_property
    def canonical(self) -> bytes:
        """The canonical form: the document as JSON with sorted keys and no blanks, in ASCII."""
        return canonical_bytes(self.to_document())

    @cached_property
    def sha256(self) -> str:
        """SHA-256 of the canonical form, in hex: equal exactly for equal instances."""
        return hashlib.sha256(self.canonical).hexdigest()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Instance) and self.canonical == other.canonical

    def __hash__(self) -> int:
        return hash(self.sha256)


def canonical_bytes(document: Mapping[str, Any]) -> bytes:
    """JSON with sorted keys, no blanks, ASCII: one byte string per document.

    >>> canonical_bytes({"b": [1, 2], "a": "é"})
    b'{"a":"\\\\u00e9","b":[1,2]}'
    """
    return json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode("ascii")


def _scaled(value: Fraction | int, denominator: int) -> int:
    return value.numerator * (denominator // value.denominator)
