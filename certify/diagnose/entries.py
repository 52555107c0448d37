"""What a claim is written in: exact numbers, job ids, machines, and weighted intervals in the input's own units."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from online import exact
from online.errors import InvalidInput, Problem, worded
from online.instance import Instance


class Interval(NamedTuple):
    """A closed interval on `machine` (from 0, or its name) for jobs of `weight` on, taken `b` times, in input units."""

    machine: Any
    start: Any
    end: Any
    weight: Any = None
    b: Any = 1


class Read(NamedTuple):
    """An interval as it was understood: machine from 0, exact numbers, still in the input's units."""

    machine: int
    start: Fraction
    end: Fraction
    weight: Fraction
    b: Fraction


@dataclass
class Entries:
    """Reads the entries of one claim about an instance, and keeps every problem that it meets on the way.

    Binary floats (of Python or numpy) are read as the shortest decimals that print them, which is no rounding: 0.1 is
    1/10. `floats` counts them. `place` comes before the place of each problem, `first` is what machines count from,
    `dropped` says why jobs of the file are not in the instance, by id.
    """

    instance: Instance
    place: str = "claim"
    first: int = 0
    dropped: Mapping[str, str] = field(default_factory=dict)
    floats: int = 0
    problems: list[Problem] = field(default_factory=list)

    def finish(self) -> None:
        """Raises: `InvalidInput` with all problems met so far."""
        if self.problems:
            raise InvalidInput(self.problems)

    def wrong(self, place: str, reason: str, got: str, expected: str, fix: str) -> None:
        """Keep a problem."""
        self.problems.append(Problem(f"{self.place}: {place}", reason, got, expected, fix))

    def number(self, value: Any, place: str) -> Fraction:
        """An exact number; 0 after a problem."""
        try:
            return exact.rational(self._plain(value))
        except exact.BadNumber as bad:
            self.wrong(place, "no number", str(bad), "an exact number such as 3, 0.25 or 1/4", "correct it")
            return Fraction(0)

    def _plain(self, value: Any) -> Any:
        if isinstance(value, np.bool_):
            return bool(value)
        if isinstance(value, np.integer):
            return int(value)
        if isinstance(value, float | np.floating):
            self.floats += 1
            return str(value)
        return value

    def by_job(self, name: str, given: Mapping[Any, Any] | Iterable[Any]) -> tuple[tuple[Fraction, ...], int]:
        """One number a job in arrival order, and how many of them were not given and count as 0.

        A mapping has job ids as keys; anything else has one number a job, in arrival order.
        """
        if isinstance(given, Mapping):
            return self._by_id(name, given)
        listed = self.listed(name, given)
        if listed is not None and len(listed) != self.instance.n:
            expected = f"{self.instance.n}, one a job in arrival order"
            self.wrong(name, "wrong length", f"{len(listed)} values", expected, "give one a job, or a mapping by id")
        return self.numbers(name, listed or ()), 0

    def numbers(self, name: str, given: Iterable[Any]) -> tuple[Fraction, ...]:
        """Exact numbers, in order."""
        return tuple(self.number(value, f"{name}[{k}]") for k, value in enumerate(self.listed(name, given) or ()))

    def listed(self, name: str, given: Any) -> list[Any] | None:
        """The members of a sequence, an array or an iterator, in order; None after a problem."""
        try:
            if not isinstance(given, str | bytes | Mapping | Set):
                return list(given)
        except TypeError:
            pass
        self.wrong(name, "no sequence", worded(given), "a list, tuple, array or other sequence", "correct it")
        return None

    def _by_id(self, name: str, given: Mapping[Any, Any]) -> tuple[tuple[Fraction, ...], int]:
        position = {str(job): j for j, job in enumerate(self.instance.ids)}
        values: dict[int, Fraction] = {}
        for job, value in given.items():
            j, place = position.get(str(job)), f"{name} of job {str(job)!r}"
            if j is None and str(job) in self.dropped:
                got = f"{job!r}, which is in the file: {self.dropped[str(job)]}"
                self.wrong(place, "dropped when read", got, "a job that is used", "leave it out, or keep the job")
            elif j is None:
                self.wrong(place, "unknown job", repr(job), "an id of the instance", "correct the id, or leave it out")
            elif j in values:
                self.wrong(place, "two numbers", str(value), "one number a job", "remove one")
            else:
                values[j] = self.number(value, place)
        missing = self.instance.n - len(values)
        return tuple(values.get(j, Fraction(0)) for j in range(self.instance.n)), missing

    def machine(self, given: Any, place: str) -> int:
        """A machine by name or number; the number 0 (the first) after a problem."""
        whole = isinstance(given, np.integer) or (isinstance(given, np.floating) and given.is_integer())
        number = self._machine(int(given) if whole else given)
        if number is None:
            self.wrong(place, "unknown machine", repr(given), self._machines(), "correct the machine")
        return number or 0

    def _machine(self, given: Any) -> int | None:
        names = self._names
        if isinstance(given, str) and names:
            return names.get(given)
        if isinstance(given, str) and given.isascii() and given.isdecimal() and self.first:
            given = int(given)
        if type(given) is not int or not self.first <= given < self.first + self.instance.machines:
            return None
        number = given - self.first
        return number if names.get(str(given), number) == number else None

    @cached_property
    def _names(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.instance.machine_names or ())}

    def _machines(self) -> str:
        numbers = f"a number from {self.first} to {self.first + self.instance.machines - 1}"
        return f"{numbers} or a machine's name (a text)" if self.instance.machine_names else numbers

    def intervals(self, given: Iterable[Sequence[Any]], weighted: bool) -> list[Read]:
        """Intervals as sequences `machine, start, end, weight, b`; of an unweighted problem all are for weight 1."""
        listed = self.listed("intervals", given) or []
        return [self._interval(one, f"intervals[{k}]", weighted) for k, one in enumerate(listed)]

    def _interval(self, given: Sequence[Any], place: str, weighted: bool) -> Read:
        if not isinstance(given, tuple | list | np.ndarray) or not 3 <= len(given) <= 5:
            self.wrong(place, "not an interval", worded(given), "machine, start, end, weight, b", "correct it")
            return Read(0, Fraction(0), Fraction(0), Fraction(1), Fraction(0))
        one = Interval(*given)
        weight = self._weight(one.weight, place, weighted)
        start, end = self.number(one.start, f"{place}.start"), self.number(one.end, f"{place}.end")
        if end < start:
            got = f"from {exact.text(start)} to {exact.text(end)}"
            self.wrong(place, "ends before it starts", got, "a closed interval, start <= end", "correct the ends")
        return Read(self.machine(one.machine, f"{place}.machine"), start, end, weight, self.number(one.b, f"{place}.b"))

    def _weight(self, given: Any, place: str, weighted: bool) -> Fraction:
        if given is None and not weighted:
            return Fraction(1)
        weight = Fraction(0) if given is None else self.number(given, f"{place}.weight")
        if weighted and weight <= 0:
            got = "nothing" if given is None else exact.text(weight)
            self.wrong(f"{place}.weight", "bad weight", got, "the least weight that it counts, > 0", "give it")
        elif not weighted and weight != 1:
            self.wrong(f"{place}.weight", "bad weight", exact.text(weight), "1: all weights are 1 here", "leave it out")
        return weight if weight > 0 else Fraction(1)
