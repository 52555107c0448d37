#!/usr/bin/env python3
"""The trusted checker of dualfit certificates: one file, standard library only, exact, no search.

`python -I -S certify/check.py FILE [--instance FILE] [--json]` ends with 0 accepted, 1 rejected, 2 malformed.
A certificate states goals about one instance; every inequality that supports a goal is rebuilt here from the
instance, nothing ready-made is believed. *Malformed* says that a file is no certificate, *rejected* that it
is one and a claim of it is not established. FORMAT.md beside this file describes the format.

T* is the smallest possible value of the problem's objective when no job may be rejected:
- `max-flow`: the largest flow time F_j of a job, over all preemptive schedules in which each job runs on one of its
  eligible machines;
- `weighted`, `two-weights`: the largest w_j F_j over the same schedules, w_j the flow weight; they are one problem, by
  two names for two kinds of runs;
- `stretch`: the largest F_j / p_j over the same schedules;
- `load`: the largest load of a machine, which is the total size of the jobs assigned to it, over all assignments of
  the jobs to eligible machines. Releases only say in which order the jobs arrive;
- `energy`: the total flow time plus energy, over all preemptive and migratory schedules on identical servers in which a
  job is on one server at a time and a server that does s ticks of work in a tick of time draws the power P(s).
A machine of the other problems does one tick of work in a tick of time. Those of a run may be faster or slower, and the
verdict then says at which speed they were; T* is always at speed 1.

The problem `routing` is about `energy` too: about what a policy without migration costs on jobs in rounds.

Times, sizes and loads are ticks. Below w_j is the weight of job j in the objective: 1 for `max-flow` and `load`, the
flow weight in weight units for `weighted` and `two-weights`, 1/p_j for `stretch`.
"""

from __future__ import annotations

import argparse
import bisect
import hashlib
import heapq
import itertools
import json
import math
import operator
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple, NoReturn

FORMAT = "dualfit-certificate"
INSTANCE_FORMAT = "dualfit-instance"
ROUNDS_FORMAT = "dualfit-rounds"
VERSION = 1
DIGITS = 1000
LIMIT = 10**DIGITS
MOST_MACHINES = 10**6
MOST_WEIGHTS = 1000
MOST_FAILURES = 20
MOST_EXPONENT = 2000
MOST_LOOKS = 2 * 10**6
MOST_TERMS = 100
MOST_DEALT = 10**5
LONGEST = 2 * 10**4
MOST_BITS = 2 * 10**8
ROOT_BITS = 64
HEAD = 64
DEEPEST = 100
HINT = "for a file that is not dualfit's own JSON use `dualfit check --instance`"


# ====================================================================== verdicts
@dataclass(frozen=True)
class Failure:
    """One claim that is not established, or one fault of the file (rule `format`), and where it stands."""

    rule: str
    place: str
    message: str

    def __str__(self) -> str:
        return f"{self.place}: {self.message} [{self.rule}]"


@dataclass
class Verdict:
    """What was shown, what was only assumed, what failed; `hidden` counts failures beyond the first twenty.

    Claim: `accepted` means that every goal of the certificate is in `shown`, as nothing else is left.
    """

    verdict: str = ""
    shown: list[str] = field(default_factory=list)
    assumed: list[str] = field(default_factory=list)
    failed: list[Failure] = field(default_factory=list)
    hidden: int = 0

    def fail(self, rule: str, place: str, message: str) -> None:
        """Record that a claim failed."""
        if len(self.failed) < MOST_FAILURES:
            self.failed.append(Failure(rule, place, message))
        else:
            self.hidden += 1

    @property
    def failures(self) -> int:
        """How many failures were recorded so far."""
        return len(self.failed) + self.hidden

    @property
    def exit_code(self) -> int:
        """0 accepted, 1 rejected, 2 malformed."""
        return ("accepted", "rejected", "malformed").index(self.verdict)

    def to_json(self) -> str:
        """The verdict as one line of JSON in ASCII."""
        failed = [vars(failure) for failure in self.failed]
        return json.dumps({**vars(self), "failed": failed}, ensure_ascii=True)

    def __str__(self) -> str:
        lines = [self.verdict]
        lines += [f"  shown: {line}" for line in self.shown]
        lines += [f"  assumed: {line}" for line in self.assumed]
        lines += [f"  failed: {failure}" for failure in self.failed]
        lines += [f"  ... and {self.hidden} more failures"] if self.hidden else []
        return "\n".join(lines)


class Malformed(Exception):
    """The file is no certificate; says where and why."""

    def __init__(self, place: str, message: str) -> None:
        super().__init__(f"{place}: {message}")
        self.failure = Failure("format", place, message)


# ====================================================================== reading JSON
class Inexact(str):
    """A JSON number that is no integer (a decimal, an exponent, NaN), kept as it was written."""


@dataclass(frozen=True)
class Repeated:
    """Stands in place of a JSON object that has this key twice."""

    key: str


def read_json(data: bytes) -> object:
    """Parse UTF-8 JSON; decimals stay text and objects with a repeated key are marked, for `Node` to refuse."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as bad:
        raise Malformed(f"byte {bad.start}", "not UTF-8") from None
    if text.startswith("\ufeff"):
        raise Malformed("1:1", "the file begins with a byte order mark; save it without")
    try:
        return json.loads(text, object_pairs_hook=_object, parse_float=Inexact, parse_constant=Inexact)
    except json.JSONDecodeError as bad:
        raise Malformed(f"{bad.lineno}:{bad.colno}", f"not JSON: {bad.msg}") from None
    except RecursionError:
        raise Malformed(_where(text, _deepest(text)), "nested too deeply") from None
    except ValueError:
        run = re.search(f"[0-9]{{{DIGITS + 1}}}", text)
        raise Malformed(_where(text, run.start() if run else 0), _too_long()) from None


def _object(pairs: list[tuple[str, object]]) -> object:
    out: dict[str, object] = {}
    for key, value in pairs:
        if key in out:
            return Repeated(key)
        out[key] = value
    return out


def _where(text: str, position: int) -> str:
    line = text.count("\n", 0, position)
    return f"{line + 1}:{position - text.rfind(chr(10), 0, position)}"


def _deepest(text: str) -> int:
    depth = 0
    for token in re.finditer(r'"(?:[^"\\]|\\.)*"|[][{}]', text):
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(token[0], 0)
        if depth > DEEPEST:
            return token.start()
    return 0


def _between(least: int | None, most: int | None) -> str:
    if least == most or most is None:
        return show(least or 0) if least == most else f"at least {least}"
    return f"at most {show(most)}" if least is None else f"{least} to {show(most)}"


def _too_long() -> str:
    return f"a number of more than {DIGITS} digits"


_RATIO = re.compile(rf"-?[0-9]{{1,{DIGITS}}}(/[0-9]{{1,{DIGITS}}})?")
_EXACT = re.compile(r"([-+]?)(?:([0-9]+)/([0-9]+)|(?=\.?[0-9])([0-9]*)(?:\.([0-9]*))?(?:[eE]([-+]?[0-9]{1,6}))?)")


@dataclass(frozen=True)
class Node:
    """A JSON value and its place, such as `$.goal[2].value`; every method raises `Malformed` or is right."""

    value: object
    at: str = "$"

    def refuse(self, expected: str) -> NoReturn:
        raise Malformed(self.at, f"got {describe(self.value)}, expected {expected}")

    def members(self) -> dict[str, Node]:
        """The members of an object, whatever its keys."""
        if isinstance(self.value, Repeated):
            raise Malformed(f"{self.at}.{_name(self.value.key)}", "the key occurs twice")
        if not isinstance(self.value, dict) or not set(map(type, self.value)) <= {str}:
            self.refuse("an object")
        return {key: Node(inner, f"{self.at}.{_name(key)}") for key, inner in self.value.items()}

    def object(self, required: str, optional: str = "") -> dict[str, Node]:
        """The members of an object that has all the required keys and no unknown one."""
        members, needed = self.members(), required.split()
        known = [*needed, *optional.split()]
        for key, node in members.items():
            if key not in known:
                raise Malformed(node.at, f"unknown key; known are {', '.join(known)}")
        for key in needed:
            if key not in members:
                raise Malformed(f"{self.at}.{key}", "missing")
        return members

    def items(self) -> list[Node]:
        """The members of a list."""
        if not isinstance(self.value, list):
            self.refuse("a list")
        return [Node(inner, f"{self.at}[{k}]") for k, inner in enumerate(self.value)]

    def integer(self, least: int | None = None, most: int | None = None) -> int:
        """A whole number in `least..most`, of at most 1000 digits; no boolean."""
        value = self.value
        if type(value) is not int:
            self.refuse("a whole number")
        if not -LIMIT < value < LIMIT:
            raise Malformed(self.at, _too_long())
        if (least is not None and value < least) or (most is not None and value > most):
            self.refuse(_between(least, most))
        return value

    def column(self, length: int | None, least: int | None = None, most: int | None = None) -> list[int]:
        """A list of whole numbers in `least..most`."""
        values = self.value
        if not isinstance(values, list):
            self.refuse("a list")
        if length is not None and len(values) != length:
            raise Malformed(self.at, f"got {len(values)} values, expected {length}")
        low, high = 1 - LIMIT if least is None else least, LIMIT - 1 if most is None else min(most, LIMIT - 1)
        if not set(map(type, values)) <= {int} or (values and not low <= min(values) <= max(values) <= high):
            for k, value in enumerate(values):
                Node(value, f"{self.at}[{k}]").integer(least, most)
        return values

    def rational(self, least: int | None = None) -> Fraction:
        """An integer, or a text `p` or `p/q`; in lowest terms or not."""
        value = self.value
        if type(value) is str and _RATIO.fullmatch(value):
            top, _, bottom = value.partition("/")
            if bottom and int(bottom) == 0:
                self.refuse("a denominator that is not 0")
            number = Fraction(int(top), int(bottom or "1"))
        elif type(value) is int:
            number = Fraction(self.integer())
        else:
            self.refuse('a whole number or a text such as "3/4"')
        if least is not None and number < least:
            self.refuse(f"at least {least}")
        return number

    def positive(self) -> Fraction:
        """A `rational` above 0."""
        number = self.rational()
        return number if number > 0 else self.refuse("a number above 0")

    def decimal(self) -> Fraction | int:
        """A number of a user's own file: also a decimal such as 0.25 or 1e-3, exactly as written."""
        if type(self.value) is int:
            return self.integer()
        text = self.value.strip() if isinstance(self.value, str) else ""
        found = _EXACT.fullmatch(text) if len(text) <= DIGITS else None
        if found is None or (found[3] and int(found[3]) == 0):
            self.refuse('a number: an integer, a decimal or a text such as "3/4"')
        sign, top, bottom, whole, part, exponent = found.groups(default="")
        if bottom:
            return Fraction(int(sign + top), int(bottom))
        power = int(exponent or "0") - len(part)
        if abs(power) > DIGITS:
            raise Malformed(self.at, _too_long())
        digits = int(sign + whole + part)
        return Fraction(digits * 10 ** max(power, 0), 10 ** max(-power, 0))

    def text(self) -> str:
        """A text that is not empty."""
        if type(self.value) is not str or not self.value:
            self.refuse("a text that is not empty")
        return self.value

    def one_of(self, *known: str) -> str:
        """One of the known texts."""
        if type(self.value) is not str or self.value not in known:
            self.refuse(f"one of {', '.join(known)}")
        return self.value

    def kind(self, key: str, *known: str) -> str:
        """The one of the known texts that an object has under this key."""
        members = self.members()
        if key not in members:
            raise Malformed(f"{self.at}.{key}", "missing")
        return members[key].one_of(*known)

    def boolean(self) -> bool:
        """`true` or `false`."""
        return self.value if isinstance(self.value, bool) else self.refuse("true or false")

    def plain(self, depth: int = 0) -> None:
        """Anything made of objects, lists, texts, whole numbers, booleans and null."""
        if depth > DEEPEST:
            raise Malformed(self.at, "nested too deeply")
        if isinstance(self.value, dict | Repeated | list):
            inner = self.items() if isinstance(self.value, list) else list(self.members().values())
            for node in inner:
                node.plain(depth + 1)
        elif self.value is not None and type(self.value) not in (str, bool):
            self.integer()


def describe(value: object) -> str:
    """A short ASCII account of any value, for messages."""
    if isinstance(value, Inexact):
        return f"the number {ascii(str(value))[1:-1][:40]}"
    if type(value) is str:
        return f"the text {value[:40]!a}{'...' if len(value) > 40 else ''}"
    if type(value) is int:
        return show(value)
    if type(value) is bool or value is None:
        return {True: "true", False: "false", None: "null"}[value]
    known = {list: "a list", dict: "an object", Repeated: "an object"}
    return known.get(type(value), f"a Python {type(value).__name__}")


def show(number: Fraction | int) -> str:
    """An exact number as `p/q`; a very long one only by its size, or to six places, rounded down.

    >>> show(Fraction(6, 4)), show(10**80), show(Fraction(2 * 10**80 + 1, 10**80))
    ('3/2', 'a number of about 267 bits', 'about 2.000000')
    """
    length = number.numerator.bit_length() + number.denominator.bit_length()
    if length <= 250:
        return str(number)
    whole, millionths = divmod(number.numerator * 10**6 // number.denominator, 10**6)
    shown = 0 <= whole < 10**12 and (whole or millionths)
    return f"about {whole}.{millionths:06}" if shown else f"a number of about {length} bits"


def _name(key: str) -> str:
    return key if len(key) <= 40 and key.isascii() and key.isidentifier() else ascii(key[:40])


# ====================================================================== the instance
@dataclass(frozen=True)
class Instance:
    """Jobs in arrival order on machines `0..machines-1`, in columns of whole numbers.

    Claim: releases never go back; sizes and weights are at least 1; ids differ as texts; every job's set
    `sets[eligible[j]]` is a non-empty ascending list of machines.
    """

    machines: int
    tick: Fraction
    weight_unit: Fraction
    ids: list[int | str]
    release: list[int]
    size: list[int]
    flow_weight: list[int]
    rejection_weight: list[int]
    sets: list[list[int]]
    eligible: list[int]
    machine_names: list[str] | None = None

    @property
    def n(self) -> int:
        """Number of jobs."""
        return len(self.ids)

    @cached_property
    def sha256(self) -> str:
        """SHA-256 of the canonical form: sorted keys, no blanks, ASCII, eligible sets numbered by first use."""
        number = {k: first for first, k in enumerate(dict.fromkeys(self.eligible))}
        columns = ("machines", "ids", "release", "size", "flow_weight", "rejection_weight")
        document: dict[str, Any] = {name: getattr(self, name) for name in columns}
        document |= {"format": INSTANCE_FORMAT, "version": VERSION}
        document |= {"tick": str(self.tick), "weight_unit": str(self.weight_unit)}
        document |= {"eligible": [number[k] for k in self.eligible], "eligible_sets": [self.sets[k] for k in number]}
        document |= {} if self.machine_names is None else {"machine_names": self.machine_names}
        text = json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
        return hashlib.sha256(text.encode("ascii")).hexdigest()


def read_columns(node: Node, least_size: int = 1) -> Instance:
    """Read the columnar form of an instance, checking every rule of the class."""
    times, rest = "tick ids release size", "weight_unit flow_weight rejection_weight eligible_sets eligible"
    part = node.object(f"format version machines {times} {rest}", "machine_names")
    part["format"].one_of(INSTANCE_FORMAT)
    part["version"].integer(VERSION, VERSION)
    machines, ids = part["machines"].integer(1), _ids(part["ids"])
    tick, weight_unit = part["tick"].positive(), part["weight_unit"].positive()
    release, size = part["release"].column(len(ids), 0), part["size"].column(len(ids), least_size)
    _never_back(part["release"], release)
    flow, rejection = (part[name].column(len(ids), 1) for name in ("flow_weight", "rejection_weight"))
    sets = [_ascending(one, machines, "machine") for one in part["eligible_sets"].items()]
    eligible = part["eligible"].column(len(ids), 0, len(sets) - 1)
    names = _names(part.get("machine_names"), machines)
    return Instance(machines, tick, weight_unit, ids, release, size, flow, rejection, sets, eligible, names)


def _never_back(node: Node, times: list[int]) -> None:
    for k, (before, now) in enumerate(itertools.pairwise(times), start=1):
        if now < before:
            raise Malformed(f"{node.at}[{k}]", f"got {show(now)} after {show(before)}, out of order")


def _ids(node: Node) -> list[int | str]:
    values = node.value
    if not isinstance(values, list):
        node.refuse("a list")
    seen: set[str] = set()
    for j, value in enumerate(values):
        if type(value) not in (int, str) or value == "":
            Node(value, f"{node.at}[{j}]").refuse("a whole number or a text that is not empty")
        text = value if type(value) is str else str(Node(value, f"{node.at}[{j}]").integer())
        if text in seen:
            raise Malformed(f"{node.at}[{j}]", f"{describe(value)} is the id of an earlier job")
        seen.add(text)
    return values


def _ascending(node: Node, count: int, what: str) -> list[int]:
    values = node.column(None, 0, count - 1)
    if not values or any(a >= b for a, b in itertools.pairwise(values)):
        node.refuse(f"an ascending list of at least one {what}")
    return values


def _names(node: Node | None, machines: int) -> list[str] | None:
    if node is None:
        return None
    names = [one.text() for one in node.items()]
    if len(names) != machines or len(set(names)) != machines:
        node.refuse(f"{machines} different names")
    return names


# ====================================================================== the run
@dataclass(frozen=True)
class Pieces:
    """Schedule pieces in columns: job, machine, and times in whole numbers of `1/per_tick` ticks."""

    per_tick: int
    job: list[int]
    machine: list[int]
    start: list[int]
    end: list[int]


class Late(NamedTuple):
    """Jobs rejected after their arrival, in order: `job[k]` at `when[k]`, in the terms of the problem.

    `after[k]` is the position of the last job that arrived before that, -1 if none did; it never goes back.
    """

    job: list[int]
    when: list[int]
    after: list[int]


@dataclass(frozen=True)
class Run:
    """What an algorithm did: a machine or -1 a job, late rejections, and pieces where the certificate has them.

    Its machines do `speed` ticks of work in a tick of time. Faults of it are failures of `rule`, at places under `at`.
    Of `energy` a run is its trajectory, and nothing else.
    """

    dispatch: list[int]
    pieces: Pieces | None
    late: Late
    guesses: Sequence[Fraction | None] = ()
    speed: Fraction = Fraction(1)
    at: str = "$.run"
    rule: str = "C1"
    trajectory: Trajectory | None = None

    @property
    def per_tick(self) -> int:
        """Times of the run are whole numbers of `1/per_tick` ticks."""
        return self.pieces.per_tick if self.pieces else 1

    @property
    def parts(self) -> int:
        """Work of the run is whole numbers of `1/parts` ticks; `1/per_tick` ticks of time do `speed.numerator`."""
        return self.per_tick * self.speed.denominator

    @property
    def at_speed(self) -> str:
        """Words for each line about the run, unless its machines are those of T*."""
        return "" if self.speed == 1 else f" at speed {show(self.speed)}"


Number = Fraction | int


@dataclass(frozen=True)
class Weights:
    """Job j has the weight `values[rank[j]]` in the objective; all are above 0."""

    values: list[Number]
    rank: list[int]

    def __getitem__(self, j: int) -> Number:
        return self.values[self.rank[j]]


def weigh(column: list[int], weight: Callable[[int], Number]) -> Weights:
    """The weight of each job by its entry in a column, worked out once for each different one."""
    number = {entry: k for k, entry in enumerate(dict.fromkeys(column))}
    return Weights(list(map(weight, number)), list(map(number.__getitem__, column)))


@dataclass(frozen=True)
class Problem:
    """What one problem minimises, in words, how a run of it is read and valued, and which rules bound its T*.

    `weights` are the w_j of the objective; a value of it is `unit`s, each `scale` of the `input_unit`.
    `value` is the objective of a feasible run; for any other it records the run's faults and is None.
    `course` of a feasible run is when each job arrives, in the terms of `late.when`, and all that is executed.
    `account` tells how a feasible run completed its jobs, `caution` what to bear in mind about a ratio.
    Schedules of all jobs as evidence have the keys `decisions`, which `read_all` reads.
    """

    quantity: str
    whose: str
    finished: str
    about: str
    unit: str
    input_unit: str
    rules: tuple[str, ...]
    claims: tuple[str, ...]
    weights: Callable[[Instance], Weights]
    scale: Callable[[Instance], Fraction]
    value: Callable[[Run, Ground], Fraction | None]
    read_schedule: Callable[[Node, Instance], Pieces | None]
    read_late: Callable[[Node, Instance, Pieces | None], Late]
    course: Callable[[Run, Instance], tuple[Sequence[int], Pieces]]
    read_run: Callable[[Node, Ground], Run]
    decisions: str
    read_all: Callable[[dict[str, Node], Ground], Run]
    account: Callable[[Run, Ground], str]
    caution: str = "; the run may reject jobs while T* may not, so a ratio below 1 is possible"


@dataclass
class Ground:
    """What evidence is judged on: problem, instance, weights w_j, power P, run; failures go to the verdict."""

    problem: Problem
    instance: Instance
    weights: Weights
    verdict: Verdict
    power: Power | None = None
    recorded: Run | None = None

    def words(self, value: Number) -> str:
        """A value of the objective: in ticks, and in the input's unit where a tick is something else."""
        scale = self.problem.scale(self.instance)
        own = f" ({show(value * scale)} in the input's {self.problem.input_unit})" if scale != 1 else ""
        return f"{show(value)}{self.problem.unit}{own}"

    def run(self, node: Node) -> Run:
        """The run that a goal or evidence is about."""
        if self.recorded is None:
            raise Malformed("$.run", f"missing, {node.at} is about it")
        return self.recorded

    @cached_property
    def value(self) -> Fraction | None:
        """The objective of the run, None if it is not feasible; worked out once."""
        assert self.recorded is not None
        return self.problem.value(self.recorded, self)

    def feasible(self, rule: str, node: Node) -> bool:
        """Whether the run is feasible; records a failure of the goal or evidence if not."""
        if self.value is None:
            self.verdict.fail(rule, node.at, "not shown, as the run is not feasible")
        return self.value is not None


def read_run(node: Node, ground: Ground) -> Run:
    """Read what the certificate says that the algorithm did."""
    part = node.object("algorithm dispatch schedule", "parameters speed late phases")
    problem, instance = ground.problem, ground.instance
    _algorithm(part)
    pieces = problem.read_schedule(part["schedule"], instance)
    speed = part["speed"].positive() if "speed" in part else Fraction(1)
    if "speed" in part and pieces is None:
        raise Malformed(part["speed"].at, "a speed needs a schedule of explicit pieces")
    late = problem.read_late(part["late"], instance, pieces) if "late" in part else Late([], [], [])
    guesses = _phases(part["phases"], instance) if "phases" in part else ()
    dispatch = part["dispatch"].column(instance.n, -1, instance.machines - 1)
    return Run(dispatch, pieces, late, guesses, speed)


def _algorithm(part: dict[str, Node]) -> None:
    part["algorithm"].text()
    for value in part["parameters"].members().values() if "parameters" in part else ():
        value.text()


def read_timed(node: Node, instance: Instance) -> Pieces | None:
    """Read a schedule in time: explicit pieces, or None for first in, first out."""
    if node.value == "fifo":
        return None
    part = node.object("per_tick job machine start end")
    job = part["job"].column(None, 0, instance.n - 1)
    machine = part["machine"].column(len(job), 0, instance.machines - 1)
    start, end = part["start"].column(len(job)), part["end"].column(len(job))
    return Pieces(part["per_tick"].integer(1), job, machine, start, end)


def read_assignment(node: Node, instance: Instance) -> None:
    """Read that there is no schedule in time: the dispatch is all."""
    node.one_of("assignment")


def late_by_time(node: Node, instance: Instance, pieces: Pieces | None) -> Late:
    """Read late rejections at times; at one instant they come before the arrivals."""
    part = node.object("job time")
    if pieces is None:
        raise Malformed(node.at, "late rejections need a schedule of explicit pieces")
    job = part["job"].column(None, 0, instance.n - 1)
    time = part["time"].column(len(job), 0)
    _never_back(part["time"], time)
    return Late(job, time, [bisect.bisect_left(instance.release, -(-t // pieces.per_tick)) - 1 for t in time])


def late_by_arrival(node: Node, instance: Instance, pieces: Pieces | None) -> Late:
    """Read late rejections right after the arrivals of the jobs at given positions."""
    part = node.object("job after")
    job = part["job"].column(None, 0, instance.n - 1)
    after = part["after"].column(len(job), 0, instance.n - 1)
    _never_back(part["after"], after)
    return Late(job, after, after)


def _phases(node: Node, instance: Instance) -> list[Fraction | None]:
    """The guesses; each phase begins after the one before, or with the job at which that one ended.

    `choice`, what an ended phase had decided for that job, is for readers of the run; no claim rests on it.
    """
    n = instance.n
    guesses: list[Fraction | None] = []
    expected, ended = 0, False
    for phase in node.items():
        part = phase.object("first last ended", "guess choice")
        part["first"].integer(expected, expected)
        last, ended = part["last"].integer(expected, n - 1), part["ended"].boolean()
        guesses.append(part["guess"].positive() if "guess" in part else None)
        if "choice" in part:
            part["choice"].integer(-1, instance.machines - 1 if ended else -1)
        expected = last if ended else last + 1
    if guesses and (ended or expected != n):
        node.refuse(f"no phases, or phases that cover all {n} jobs, the last one not given up")
    return guesses


# ====================================================================== what the goals are judged by
@dataclass
class Case(Ground):
    """The ground, and for each piece of evidence its rule and its bound, None if it fails.

    `lower` and `upper` are the best bounds on T* shown as goals so far.
    """

    evidence: list[tuple[str, Fraction | None]] = field(default_factory=list)
    used: set[int] = field(default_factory=set)
    objective: Fraction | None = None
    lower: Fraction = Fraction(0)
    upper: Fraction | None = None

    def bound(self, number: Node, shows: str = "a bound from below") -> tuple[str, Fraction | None]:
        """Rule and bound of the evidence with this number, which shows that; records a failure if it fails."""
        e = number.integer(0, len(self.evidence) - 1)
        self.used.add(e)
        rule, bound = self.evidence[e]
        own = SHOWS.get(rule, "a bound from below")
        if own != shows:
            raise Malformed(number.at, f"got evidence {e}, of rule {rule}, {own}, expected {shows}")
        if bound is None:
            self.verdict.fail(rule, number.at, "not shown, as this evidence fails")
        return rule, bound

    def at_most(self, value: Fraction) -> None:
        """Keep that T* <= value is shown."""
        self.upper = value if self.upper is None else min(self.upper, value)


# ====================================================================== C0: the longest job
def longest_job(node: Node, ground: Ground) -> Fraction | None:
    """Rule C0: T* >= w_j p_j for any job j.

    Proof, in time: the job is not done before r_j + p_j, as it starts at r_j or later and runs on one machine at
    a time. Proof, load: the machine that the job is assigned to has at least the load p_j.
    """
    j = node.object("rule job", "origin")["job"].integer(0, ground.instance.n - 1)
    return Fraction(ground.instance.size[j] * ground.weights[j])


# ====================================================================== C3: interval families
class Family(NamedTuple):
    """Machine intervals in columns, times in whole numbers of `1/per_tick` ticks; `times` are multiplicities.

    Interval k is for the jobs of weight `weights[of_class[k]]` at least; `weights` ascend strictly from above 0.
    """

    per_tick: int
    machine: list[int]
    start: list[int]
    end: list[int]
    times: list[int]
    of_class: list[int]
    weights: list[Fraction]


def interval_family(node: Node, ground: Ground) -> Fraction | None:
    """Rule C3: T* >= (sum_j alpha_j p_j - sum_I mult_I length(I)) / sum_I (mult_I / weight(I)).

    An interval on machine i counts job j if it contains r_j, i is in S_j, and w_j >= weight(I). Here alpha_j is at
    most the number of intervals on i, by multiplicity, that count j, for every i in S_j.

    Proof: in a schedule of value T, the jobs of weight omega at least that are released in [s, e] and run on
    machine i do so inside [s, e + T / omega], so their volume is at most e - s + T / omega. Add this up over the
    family: a job is counted at least alpha_j times on the machine that it is on, hence sum_j alpha_j p_j <= sum_I
    mult_I (length(I) + T / weight(I)).

    Where the 1 / weight(I) have a common denominator of over 1000 digits their sum is rounded up: a bound above 0
    gets smaller, one below 0 stays below.

    Source: Rejecting jobs to minimize load and maximum flow-time, Lemmas 6.1 and 6.6.
    """
    part = node.object("rule per_tick machine start end", "multiplicity weights class alpha origin")
    instance, verdict = ground.instance, ground.verdict
    family = _family(node.at, part, instance.machines)
    claimed = part["alpha"].column(instance.n, 0) if "alpha" in part else None
    before = verdict.failures
    for k, (s, e) in enumerate(zip(family.start, family.end, strict=True)):
        if s > e:
            verdict.fail("C3", f"{node.at}.end[{k}]", f"the interval ends before it starts, at {show(s)}")
    if verdict.failures > before:
        return None
    covered = fewest_intervals(instance, family, ground.weights)
    for j, (alpha, most) in enumerate(zip(claimed or (), covered, strict=claimed is not None)):
        if alpha > most:
            message = f"alpha is {show(alpha)}, but some eligible machine has {show(most)} intervals at its release"
            verdict.fail("C3", f"{node.at}.alpha[{j}]", message)
    if verdict.failures > before:
        return None
    volume = sum(map(operator.mul, covered if claimed is None else claimed, instance.size))
    length = sum(map(operator.mul, family.times, map(operator.sub, family.end, family.start)))
    parts, whole = in_parts([1 / weight for weight in family.weights])
    share = sum(map(operator.mul, family.times, map(parts.__getitem__, family.of_class)))
    return Fraction((volume * family.per_tick - length) * whole, family.per_tick * share)


def _family(at: str, part: dict[str, Node], machines: int) -> Family:
    per_tick = part["per_tick"].integer(1)
    machine = part["machine"].column(None, 0, machines - 1)
    n = len(machine)
    start, end = part["start"].column(n), part["end"].column(n)
    times = part["multiplicity"].column(n, 0) if "multiplicity" in part else [1] * n
    if ("weights" in part) != ("class" in part):
        raise Malformed(f"{at}.{'class' if 'weights' in part else 'weights'}", "missing, the two come together")
    weights = _thresholds(part["weights"]) if "weights" in part else [Fraction(1)]
    of_class = part["class"].column(n, 0, len(weights) - 1) if "class" in part else [0] * n
    if sum(times) == 0:
        raise Malformed(at, "the multiplicities add up to 0, expected at least one interval that counts")
    return Family(per_tick, machine, start, end, times, of_class, weights)


def _thresholds(node: Node) -> list[Fraction]:
    weights = [one.positive() for one in node.items()]
    if not 1 <= len(weights) <= MOST_WEIGHTS or any(a >= b for a, b in itertools.pairwise(weights)):
        node.refuse(f"an ascending list of 1 to {MOST_WEIGHTS} weights")
    return weights


def in_parts(numbers: list[Fraction]) -> tuple[list[int], int]:
    """The numbers in `1/D`s, and D: a common denominator, or 10^1000 and they are rounded up if that is too long.

    >>> in_parts([Fraction(1, 2), Fraction(2, 3)])
    ([3, 4], 6)
    """
    whole = 1
    for number in numbers:
        whole = math.lcm(whole, number.denominator)
        if whole >= LIMIT:
            whole = LIMIT
            break
    return [-(-number.numerator * whole // number.denominator) for number in numbers], whole


def fewest_intervals(instance: Instance, family: Family, weights: Weights) -> list[int]:
    """Per job, the least number of intervals, by multiplicity, that count it on one machine of S_j.

    One sweep over the releases for each class of jobs: an interval counts from its start on and no longer after its
    end. It needs start <= end for each interval; a machine without intervals has none at any time.
    """
    slot = {i: x for x, i in enumerate(dict.fromkeys(family.machine))}
    on = [slot[i] for i in family.machine]
    opening = sorted(range(len(on)), key=family.start.__getitem__)
    closing = sorted(range(len(on)), key=family.end.__getitem__)
    counts_of = [_picker([slot[i] for i in one]) if slot.keys() >= set(one) else None for one in instance.sets]
    out = [0] * instance.n
    for c, jobs in _by_class(family.weights, weights):
        opens, closes = ([k for k in order if family.of_class[k] <= c] for order in (opening, closing))
        count, opened, closed = [0] * len(slot), 0, 0
        for j in jobs:
            now = instance.release[j] * family.per_tick
            while opened < len(opens) and family.start[opens[opened]] <= now:
                count[on[opens[opened]]] += family.times[opens[opened]]
                opened += 1
            while closed < len(closes) and family.end[closes[closed]] < now:
                count[on[closes[closed]]] -= family.times[closes[closed]]
                closed += 1
            pick = counts_of[instance.eligible[j]]
            out[j] = min(pick(count)) if pick else 0
    return out


def _by_class(thresholds: list[Fraction], weights: Weights) -> Iterator[tuple[int, list[int]]]:
    """The jobs, in arrival order, by the last threshold that is not above their weight; some have none."""
    class_of = [bisect.bisect_right(thresholds, weight) - 1 for weight in weights.values]
    jobs: dict[int, list[int]] = {c: [] for c in class_of}
    for j, k in enumerate(weights.rank):
        jobs[class_of[k]].append(j)
    return ((c, listed) for c, listed in jobs.items() if c >= 0)


def _picker(slots: list[int]) -> Callable[[list[int]], Sequence[int]]:
    """`count -> [count[x] for x in slots]`, at the speed of C."""
    if len(slots) == 1:
        return operator.itemgetter(slice(slots[0], slots[0] + 1))
    return operator.itemgetter(*slots)


# ====================================================================== C4: machine sets
def machine_set(node: Node, ground: Ground) -> Fraction | None:
    """Rule C4, load only: T* >= sum_j p_j min_{i in S_j} beta_i / sum_i beta_i, where unlisted machines have beta 0.

    Without `beta` it is 1 on each listed machine: the volume of the jobs confined to the set over the set's size. With
    `round` the bound is rounded up to a multiple of the greatest common divisor g of the sizes that add to it.

    Proof: in an assignment of value T, sum_i beta_i load_i <= T sum_i beta_i. Job j adds p_j beta_i to the left
    side, for the machine i in S_j that it is on, and so at least p_j times the smallest of them. The jobs that add
    nothing can be left out: T* does not grow, the bound stays, and now every load is a multiple of g.

    Source: Rejecting jobs to minimize load and maximum flow-time, section 5.1, (2).
    """
    part, instance = node.object("rule machine", "beta round origin"), ground.instance
    machine = _ascending(part["machine"], instance.machines, "machine")
    beta = part["beta"].column(len(machine), 0) if "beta" in part else [1] * len(machine)
    if sum(beta) == 0:
        raise Malformed(part["beta"].at, "the values add up to 0, expected at least one machine that counts")
    on = dict(zip(machine, beta, strict=True))
    least = [min(on.get(i, 0) for i in one) for one in instance.sets]
    price = list(map(least.__getitem__, instance.eligible))
    volume = sum(map(operator.mul, instance.size, price))
    if "round" not in part or not part["round"].boolean():
        return Fraction(volume, sum(beta))
    g = math.gcd(*itertools.compress(instance.size, price)) or 1
    return Fraction(-(-volume // (g * sum(beta))) * g)


# ====================================================================== C5: Hall sets
def hall_set(node: Node, ground: Ground) -> Fraction | None:
    """Rule C5: T* >= V, as the windows of a set J of jobs have too little room for any value below V.

    Let U_i be the union of [r_j, r_j + L_j] over the jobs j of J with i in S_j. It is shown that
    - with L_j = V / w_j the room sum_i |U_i| is at most the volume sum_J p_j; or
    - with `round`, g the greatest common divisor of the sizes of J and of the differences of its releases, and L_j
      the largest multiple of g below V / w_j, the room is less than the volume.

    Proof: in a schedule of value T < V each job j of J runs inside [r_j, r_j + T / w_j] on a machine of S_j, so the
    volume is at most the room that these windows have. Their room is strictly less than that of the windows for V:
    no U_i shrinks as T grows, and the last end of each U_i that is not empty moves on. So the volume is less than
    the room for V, against what was shown.

    Proof, `round`: leave out of a schedule of value T < V all jobs but those of J, keep each machine's jobs, and let
    it run them anew by earliest deadline first, deadlines r_j + T / w_j. They are met, as they can be met and
    this rule is optimal on one machine with preemption. The rule changes jobs only at a release or a completion.
    The releases are in r + gZ, r the first one; so is every completion, by induction, as between two changes only
    multiples of g are worked off. So C_j - r_j is a multiple of g, at most T / w_j < V / w_j, hence at most L_j:
    each job runs inside [r_j, r_j + L_j], and the volume is at most the room, against what was shown.

    Where the L_j have a common denominator of over 1000 digits they are rounded up: the room only gets larger.
    """
    part, instance = node.object("rule job value", "round origin"), ground.instance
    jobs, value = _ascending(part["job"], instance.n, "job"), part["value"].positive()
    rank = [ground.weights.rank[j] for j in jobs]
    length = {k: value / ground.weights.values[k] for k in dict.fromkeys(rank)}
    sizes, releases = [instance.size[j] for j in jobs], [instance.release[j] for j in jobs]
    rounded = "round" in part and part["round"].boolean()
    if rounded:
        g = math.gcd(*sizes, *(r - releases[0] for r in releases))
        length = {k: Fraction((math.ceil(most / g) - 1) * g) for k, most in length.items()}
    parts, whole = in_parts(list(length.values()))
    in_whole = dict(zip(length, parts, strict=True))
    ends = [r * whole + in_whole[k] for r, k in zip(releases, rank, strict=True)]
    room, volume = windows(instance, jobs, [r * whole for r in releases], ends), sum(sizes) * whole
    if room < volume or (room == volume and not rounded):
        return value
    told = f"a room of {show(Fraction(room, whole))} ticks for a volume of {show(sum(sizes))}"
    ground.verdict.fail("C5", f"{node.at}.value", f"not shown for {show(value)}: the windows have {told}")
    return None


def windows(instance: Instance, jobs: list[int], starts: list[int], ends: list[int]) -> int:
    """sum_i |U_i|, U_i the union of [start, end] over the jobs that may run on machine i; starts ascend.

    Machines with the same jobs are looked at once.
    """
    by_set: dict[int, list[int]] = {}
    for x, j in enumerate(jobs):
        by_set.setdefault(instance.eligible[j], []).append(x)
    sets_on: dict[int, list[int]] = {}
    for k in by_set:
        for i in instance.sets[k]:
            sets_on.setdefault(i, []).append(k)
    alike: dict[tuple[int, ...], int] = {}
    for sets in map(tuple, sets_on.values()):
        alike[sets] = alike.get(sets, 0) + 1
    total = 0
    for sets, machines in alike.items():
        room, reach = 0, -1
        for x in sorted(itertools.chain.from_iterable(by_set[k] for k in sets)):
            start, end = starts[x], ends[x]
            if end > reach:
                room += end - (start if start > reach else reach)
                reach = end
        total += machines * room
    return total


# ====================================================================== C10: a case distinction
class Split(NamedTuple):
    """A job whose eligible set is split: its set before, and the parts whose branches are still to come."""

    job: int
    before: int
    parts: Iterator[Sequence[int]]


def case_distinction(node: Node, ground: Ground) -> Fraction | None:
    """Rule C10: T* >= V, as a tree distinguishes cases in each of which a rule of the problem shows T* >= V.

    The nodes stand in preorder. `{"split": j}` has one branch for each eligible machine of job j, ascending; with
    `parts` one for each part, and these are a partition of the eligible set. In a branch job j may run on that
    machine, or part, only. `{"leaf": evidence}` is evidence about the instance with the sets of its branch.

    Proof: in any schedule or assignment job j is on a machine of one branch of each split, so it is one of the
    instance with the sets of some leaf, and its value is at least what that leaf shows.
    """
    part, before = node.object("rule value tree", "origin"), ground.verdict.failures
    value, tree = part["value"].positive(), part["tree"]
    instance = replace(ground.instance, sets=[*ground.instance.sets], eligible=[*ground.instance.eligible])
    number = {tuple(one): k for k, one in enumerate(instance.sets)}
    branch = replace(ground, instance=instance)
    path: list[Split] = []
    complete = False
    for one in tree.items():
        if complete:
            raise Malformed(one.at, "the tree is complete before this node")
        if "leaf" in one.members():
            _leaf(one.object("leaf")["leaf"], value, branch)
        else:
            path.append(_split(one, instance))
        complete = not _next_branch(path, instance, number)
    if not complete:
        raise Malformed(tree.at, "the tree ends before each of its branches has a leaf")
    return value if ground.verdict.failures == before else None


def _split(node: Node, instance: Instance) -> Split:
    part = node.object("split", "parts")
    j = part["split"].integer(0, instance.n - 1)
    machines = instance.sets[instance.eligible[j]]
    if len(machines) == 1:
        raise Malformed(part["split"].at, f"job {j} has one eligible machine left, expected a job that has a choice")
    if "parts" not in part:
        return Split(j, instance.eligible[j], ((i,) for i in machines))
    parts = [_ascending(one, instance.machines, "machine") for one in part["parts"].items()]
    if len(parts) < 2 or sorted(itertools.chain.from_iterable(parts)) != machines:
        part["parts"].refuse(f"two or more parts that make up the eligible machines of job {j}")
    return Split(j, instance.eligible[j], iter(parts))


def _leaf(node: Node, value: Fraction, branch: Ground) -> None:
    rule, bound = judge_evidence(node, [one for one in branch.problem.rules if one not in (*SHOWS, "C10")], branch)
    if bound is not None and bound < value:
        message = f"T* >= {branch.words(value)} is claimed in each case, rule {rule} shows {show(bound)} in this one"
        branch.verdict.fail("C10", node.at, message)


def _next_branch(path: list[Split], instance: Instance, number: dict[tuple[int, ...], int]) -> bool:
    """Restrict the job of the deepest split that has a branch left to it; without one, False."""
    while path:
        job, before, parts = path[-1]
        for one in parts:
            key = tuple(one)
            if key not in number:
                number[key] = len(instance.sets)
                instance.sets.append(list(one))
            instance.eligible[job] = number[key]
            return True
        instance.eligible[job] = before
        path.pop()
    return False


# ====================================================================== C6: upper witnesses
def upper_witness(node: Node, ground: Ground) -> Fraction | None:
    """Rule C6: T* <= the value of a schedule or assignment of all jobs.

    Proof: T* is the smallest value of these. That it is one, and its value, is judged as for a run (C1, C2).
    """
    return value_of_all("C6", node, node.object(f"rule {ground.problem.decisions}", "origin"), ground)


def value_of_all(rule: str, node: Node, part: dict[str, Node], ground: Ground) -> Fraction | None:
    """The value of a schedule or assignment of all jobs, None if it is none."""
    return ground.problem.value(replace(ground.problem.read_all(part, ground), at=node.at, rule=rule), ground)


def read_dispatched(part: dict[str, Node], ground: Ground) -> Run:
    """Read a dispatch and a schedule of all jobs."""
    instance = ground.instance
    pieces = ground.problem.read_schedule(part["schedule"], instance)
    return Run(part["dispatch"].column(instance.n, 0, instance.machines - 1), pieces, Late([], [], []))


# ====================================================================== C8: games
class Moment(NamedTuple):
    """Just after the arrival of job `last`, `machine[x]` is said to hold `load[x]` ticks of work of the run."""

    at: str
    last: int
    machine: list[int]
    load: list[Fraction]


def game(node: Node, ground: Ground) -> Fraction | None:
    """Rule C8: T* <= the value of a schedule or assignment of all jobs, and the run leaves work where phases say so.

    In each phase every listed machine holds at least the work listed with it; see `Queues`. Proof of T*: as for C6.
    """
    part, before = node.object("rule dispatch schedule phases", "origin"), ground.verdict.failures
    run, phases = ground.run(node), _moments(part["phases"], ground.instance)
    value = value_of_all("C8", node, part, ground)
    if ground.feasible("C8", node):
        queues = Queues(run, ground)
        for phase in phases:
            _judge_moment(phase, queues, ground.verdict)
    return value if ground.verdict.failures == before else None


def _moments(node: Node, instance: Instance) -> list[Moment]:
    moments: list[Moment] = []
    least = 0
    for phase in node.items():
        part = phase.object("last machine load")
        last = part["last"].integer(least, instance.n - 1)
        machine = part["machine"].column(None, 0, instance.machines - 1)
        load = [one.rational(0) for one in part["load"].items()]
        if not machine or len(set(machine)) < len(machine):
            part["machine"].refuse("a list of at least one machine, each once")
        if len(load) != len(machine):
            raise Malformed(part["load"].at, f"got {len(load)} values, expected {len(machine)}")
        moments.append(Moment(phase.at, last, machine, load))
        least = last + 1
    return moments


def _judge_moment(phase: Moment, queues: Queues, verdict: Verdict) -> None:
    queues.go_on(phase.last)
    for x, (i, load) in enumerate(zip(phase.machine, phase.load, strict=True)):
        work = queues.work(i)
        if load.numerator * queues.parts > work * load.denominator:
            held = f"machine {show(i)} holds {show(Fraction(work, queues.parts))} ticks of work"
            message = f"{held} after the arrival of job {phase.last}, claimed is {show(load)}"
            verdict.fail("C8", f"{phase.at}.load[{x}]", message)


class Queues:
    """The work that a feasible run leaves on each machine, from arrival to arrival, in `1/parts` ticks.

    Claim: after `go_on(last)`, `work(i)` is about the jobs up to position `last` that were dispatched to machine i and
    are not rejected by now, when job `last` arrives, late rejections of this instant included. It is the sum of their
    sizes, less what was done of them before now.

    Proof: what began before now is of jobs that came before now, all of them up to `last`. It is taken off whole.
    On one machine only the last of it can end after now: what it does from now on is added again, and its job is not
    rejected by now, as its pieces would have ended. Of a job rejected by now all pieces have ended, and what is left of
    it is taken off, if it is one up to `last`; if not, nothing is left of it when the sweep comes to its arrival.
    """

    def __init__(self, run: Run, ground: Ground) -> None:
        self.run, self.parts = run, run.parts
        self.clock, self.pieces = ground.problem.course(run, ground.instance)
        self.order = sorted(range(len(self.pieces.job)), key=self.pieces.start.__getitem__)
        self.left = [p * run.parts for p in ground.instance.size]
        self.total: dict[int, int] = {}
        self.busy_until: dict[int, int] = {}
        self.now = self.arrived = self.begun = self.rejected = 0

    def go_on(self, last: int) -> None:
        """Go on to just after the arrival of job `last`, a later one than before."""
        self.now = self.clock[last]
        for j in range(self.arrived, last + 1):
            if self.run.dispatch[j] >= 0:
                self._add(self.run.dispatch[j], self.left[j])
        self.arrived = last + 1
        self._begin()
        self._reject()

    def work(self, machine: int) -> int:
        """What the machine holds now."""
        going_on = max(self.busy_until.get(machine, 0) - self.now, 0)
        return self.total.get(machine, 0) + going_on * self.run.speed.numerator

    def _add(self, machine: int, work: int) -> None:
        self.total[machine] = self.total.get(machine, 0) + work

    def _begin(self) -> None:
        pieces = self.pieces
        while self.begun < len(self.order) and pieces.start[self.order[self.begun]] < self.now:
            k = self.order[self.begun]
            done = (pieces.end[k] - pieces.start[k]) * self.run.speed.numerator
            self._add(pieces.machine[k], -done)
            self.left[pieces.job[k]] -= done
            self.busy_until[pieces.machine[k]] = pieces.end[k]
            self.begun += 1

    def _reject(self) -> None:
        late = self.run.late
        while self.rejected < len(late.job) and late.when[self.rejected] <= self.now:
            j = late.job[self.rejected]
            if j < self.arrived:
                self._add(self.run.dispatch[j], -self.left[j])
            self.left[j] = 0
            self.rejected += 1


def course_in_time(run: Run, instance: Instance) -> tuple[Sequence[int], Pieces]:
    """Jobs arrive at their releases; without explicit pieces each is executed whole, first in, first out."""
    clock = [r * run.per_tick for r in instance.release]
    if run.pieces is not None:
        return clock, run.pieces
    done, taken = first_in_first_out(run, instance), [j for j, i in enumerate(run.dispatch) if i >= 0]
    machine, end = [run.dispatch[j] for j in taken], [done[j] for j in taken]
    return clock, Pieces(1, taken, machine, [done[j] - instance.size[j] for j in taken], end)


def course_of_arrivals(run: Run, instance: Instance) -> tuple[Sequence[int], Pieces]:
    """load: jobs arrive one by one, and nothing is executed."""
    return range(instance.n), Pieces(1, [], [], [], [])


# ====================================================================== energy: power functions
class Power:
    """An increasing convex P with P(0) = 0, seen through a dial that makes speeds and powers rational.

    Claim: speeds grow with the dial, and with them powers; see `PowerLaw` and `PowerTable`.
    """

    def at(self, dial: Fraction) -> tuple[Fraction, Fraction]:
        """The speed s at a dial >= 0, and P(s)."""
        raise NotImplementedError

    def tangent(self, dial: Fraction) -> tuple[Fraction, Fraction]:
        """mu >= 0 and y with mu s - y <= P(s) for all s >= 0."""
        raise NotImplementedError

    def length(self, dial: Fraction) -> int:
        """About how many bits its values at that dial have at most."""
        return 2 * bits(dial)

    def has_tangent(self, dial: Fraction) -> bool:
        """Whether there is a tangent at that dial."""
        return True

    @property
    def size(self) -> int:
        """As how many powers its values count."""
        return 1


@dataclass(frozen=True)
class PowerLaw(Power):
    """P(s) = sum of c s^e; `terms` are (c, e), e falls from above 1 to 1 at least, all c > 0; dial x is s = x^root."""

    terms: list[tuple[Fraction, Fraction]]
    root: int

    def at(self, dial: Fraction) -> tuple[Fraction, Fraction]:
        return dial**self.root, sum((c * dial ** int(e * self.root) for c, e in self.terms), Fraction(0))

    def tangent(self, dial: Fraction) -> tuple[Fraction, Fraction]:
        """P'(s), and P'(s) s - P(s): P is convex."""
        speed, power = self.at(dial)
        slope = sum((c * e * dial ** int((e - 1) * self.root) for c, e in self.terms), Fraction(0))
        return slope, slope * speed - power

    def length(self, dial: Fraction) -> int:
        return bits(dial) * int(self.terms[0][1] * self.root) + sum(bits(c) for c, _ in self.terms)

    @property
    def size(self) -> int:
        return len(self.terms)

    def __str__(self) -> str:
        return stated(" + ".join(f"{_factor(c)}s{f'^{_factor(e)}' if e != 1 else ''}" for c, e in self.terms))


def _factor(number: Fraction) -> str:
    return "" if number == 1 else str(number) if number.denominator == 1 else f"({number})"


def stated(text: str) -> str:
    """A text, or if it is long its SHA-256."""
    return text if len(text) <= 250 else f"a function with SHA-256 {hashlib.sha256(text.encode('ascii')).hexdigest()}"


@dataclass(frozen=True)
class PowerTable(Power):
    """P is linear between `corners` (speed, power), from (0, 0) on, convex, `slopes[k]` from corner k on for ever."""

    corners: list[tuple[Fraction, Fraction]]
    slopes: list[Fraction]

    def at(self, dial: Fraction) -> tuple[Fraction, Fraction]:
        """The dial is the speed."""
        k = min(bisect.bisect_right(self.corners, dial, key=operator.itemgetter(0)), len(self.slopes)) - 1
        (speed, power), slope = self.corners[k], self.slopes[k]
        return dial, power + slope * (dial - speed)

    def tangent(self, dial: Fraction) -> tuple[Fraction, Fraction]:
        """The dial is the slope: P lies above the line with it through a corner after which no slope is less."""
        speed, power = self.corners[bisect.bisect_left(self.slopes, dial)]
        return dial, dial * speed - power

    def has_tangent(self, dial: Fraction) -> bool:
        """Whether P grows as fast as that in the end: else no line with that slope stays below it."""
        return dial <= self.slopes[-1]

    def __str__(self) -> str:
        return stated(f"linear between {', '.join(f'{speed}:{power}' for speed, power in self.corners)}")


def bits(number: Fraction) -> int:
    """How long a fraction is."""
    return max(number.numerator.bit_length(), number.denominator.bit_length())


def _not_longer(node: Node, length: int) -> None:
    if length > LONGEST:
        raise Malformed(node.at, f"the exact values here have over {LONGEST} bits")


def _not_more(node: Node, length: int) -> None:
    if length > MOST_BITS:
        raise Malformed(node.at, f"the exact values here have over {MOST_BITS} bits together")


def _soon(node: Node, looks: int, length: int) -> None:
    if looks * priced(length) > MOST_LOOKS:
        raise Malformed(node.at, "to check this would take too long")


def priced(length: int) -> int:
    """As how many looks at short numbers one at numbers of so many bits counts: their products and divisors."""
    return 1 + (length // 1500) ** 2


def admit(dials: list[Fraction], node: Node, power: Power) -> None:
    """Refuse a list of dials whose values are too long."""
    lengths = list(map(power.length, dials))
    for k, length in enumerate(lengths):
        _not_longer(Node(None, f"{node.at}[{k}]"), length)
    _not_more(node, sum(lengths))
    _soon(node, 2 * power.size * sum(map(priced, lengths)), 0)


def read_power(node: Node) -> Power:
    """Read P: `terms` of a sum of powers, or `points` of a table."""
    if "points" in node.members():
        return _table(node.object("points")["points"])
    terms: list[tuple[Fraction, Fraction]] = []
    items, root = node.object("terms")["terms"], 1
    for one in items.items():
        c, e = _pair(one)
        exponent = e.rational(1)
        if terms and exponent >= terms[-1][1]:
            e.refuse("exponents that fall")
        terms.append((c.positive(), exponent))
        root = math.lcm(root, exponent.denominator)
        if terms[0][1] * root > MOST_EXPONENT or len(terms) > MOST_TERMS:
            words = f"exponents with a common denominator, and numerators of at most {MOST_EXPONENT} then"
            items.refuse(f"at most {MOST_TERMS} {words}")
    if not terms or terms[0][1] <= 1:
        items.refuse("a sum of powers with an exponent above 1")
    _not_longer(items, sum(bits(c) for c, _ in terms))
    return PowerLaw(terms, root)


def _pair(node: Node) -> list[Node]:
    pair = node.items()
    return pair if len(pair) == 2 else node.refuse("a pair")


def _table(node: Node) -> PowerTable:
    corners, slopes = [(Fraction(0), Fraction(0))], [Fraction(0)]
    for one in node.items():
        speed, power = (part.positive() for part in _pair(one))
        if speed <= corners[-1][0]:
            one.refuse("speeds that grow")
        slopes.append((power - corners[-1][1]) / (speed - corners[-1][0]))
        if slopes[-1] <= 0 or slopes[-1] < slopes[-2]:
            one.refuse("slopes above 0 that do not fall")
        corners.append((speed, power))
    return PowerTable(corners, slopes[1:]) if slopes[1:] else node.refuse("at least one point")


def in_common(numbers: Sequence[Fraction], node: Node) -> tuple[list[int], int]:
    """The numbers in `1/D`s, and D, their least common denominator; refused if that is too long."""
    whole = 1
    for number in numbers:
        if whole % number.denominator:
            whole = math.lcm(whole, number.denominator)
            _not_longer(node, whole.bit_length())
    _not_more(node, whole.bit_length() * len(numbers))
    return [number.numerator * (whole // number.denominator) for number in numbers], whole


def identical_servers(instance: Instance, power: Power) -> str:
    """What the machines are, in words; each job must be eligible everywhere."""
    for j, k in enumerate(instance.eligible):
        if len(instance.sets[k]) < instance.machines:
            at = f"$.instance.eligible[{j}]"
            raise Malformed(at, f"job {j} may not run on all servers, expected identical servers")
    return f" with P(s) = {power}"


# ====================================================================== energy: schedules on servers with speeds
@dataclass(frozen=True)
class Trajectory:
    """Pieces in columns: job `job[k]` runs at dial `dial[k]` from `start[k]` to `end[k]`, in `1/per_tick` ticks.

    At dial d the speed is `speed[d]` in `1/speed_unit`s, the power `power[d]` in `1/power_unit`s.
    """

    per_tick: int
    job: list[int]
    start: list[int]
    end: list[int]
    dial: list[int]
    dials: list[Fraction]
    speed: list[int]
    speed_unit: int
    power: list[int]
    power_unit: int

    def work(self, jobs: int) -> list[int]:
        """What is done for each job, in `1/(per_tick speed_unit)` ticks of work."""
        done = [0] * jobs
        for j, s, e, d in zip(self.job, self.start, self.end, self.dial, strict=True):
            done[j] += (e - s) * self.speed[d]
        return done

    def completion(self, jobs: int) -> list[int]:
        """The last end of each job's pieces, in `1/per_tick` ticks."""
        last = [0] * jobs
        for j, e in zip(self.job, self.end, strict=True):
            last[j] = max(last[j], e)
        return last

    @property
    def energy(self) -> int:
        """The integral of the powers, in `1/(per_tick power_unit)` ticks."""
        time = [0] * len(self.dials)
        for s, e, d in zip(self.start, self.end, self.dial, strict=True):
            time[d] += e - s
        return sum(map(operator.mul, time, self.power))


def read_trajectory(node: Node, ground: Ground) -> Trajectory:
    """Read a schedule on servers with speeds: pieces in columns, and the dials that they name."""
    part, power = node.object("per_tick job start end dial dials"), ground.power
    assert power is not None
    dials = [one.positive() for one in part["dials"].items()]
    admit(dials, part["dials"], power)
    job = part["job"].column(None, 0, ground.instance.n - 1)
    start, end = part["start"].column(len(job), 0), part["end"].column(len(job))
    dial = part["dial"].column(len(job), 0, len(dials) - 1)
    points = [power.at(value) for value in dials]
    speed, speed_unit = in_common([s for s, _ in points], part["dials"])
    powers, power_unit = in_common([p for _, p in points], part["dials"])
    per_tick = part["per_tick"].integer(1)
    return Trajectory(per_tick, job, start, end, dial, dials, speed, speed_unit, powers, power_unit)


def read_speed_run(node: Node, ground: Ground) -> Run:
    """Read what the certificate says that a policy with speeds did."""
    part = node.object("algorithm schedule", "parameters")
    _algorithm(part)
    return run_of_servers(part, ground)


def run_of_servers(part: dict[str, Node], ground: Ground) -> Run:
    """A schedule of all jobs on servers with speeds."""
    return Run([], None, Late([], [], []), trajectory=read_trajectory(part["schedule"], ground))


def flow_plus_energy(run: Run, ground: Ground) -> Fraction | None:
    """energy: sum of C_j - r_j plus the integral of the powers, in ticks; None if the run is infeasible.

    Claim: the run is feasible exactly if each piece lies after its job's release, a job is on one server at a time,
    at most `machines` jobs run at a time, and each job gets its size at least. C_j is the last end of its pieces.
    """
    instance, verdict, t = ground.instance, ground.verdict, _on_servers(run)
    at, before = f"{run.at}.schedule", verdict.failures
    for k, (j, s, e) in enumerate(zip(t.job, t.start, t.end, strict=True)):
        if s < instance.release[j] * t.per_tick:
            verdict.fail(run.rule, f"{at}.start[{k}]", f"job {j} runs before its release")
        if s >= e:
            verdict.fail(run.rule, f"{at}.end[{k}]", f"the piece ends at its start {show(s)} or before")
    one_server_a_job(run, t, verdict)
    servers_suffice(run, t, instance.machines, verdict)
    for j, (done, size) in enumerate(zip(t.work(instance.n), instance.size, strict=True)):
        if done < size * t.per_tick * t.speed_unit:
            got = show(Fraction(done, t.per_tick * t.speed_unit))
            verdict.fail(run.rule, at, f"job {j} gets {got} of its {show(size)} ticks of work")
    if verdict.failures > before:
        return None
    flow = sum(t.completion(instance.n)) - sum(instance.release) * t.per_tick
    return Fraction(flow * t.power_unit + t.energy, t.per_tick * t.power_unit)


def _on_servers(run: Run) -> Trajectory:
    assert run.trajectory is not None
    return run.trajectory


def one_server_a_job(run: Run, t: Trajectory, verdict: Verdict) -> None:
    """No two pieces of one job overlap; neighbours by start suffice, as in `one_at_a_time`."""
    order = sorted(range(len(t.job)), key=t.start.__getitem__)
    order.sort(key=t.job.__getitem__)
    for a, b in itertools.pairwise(order):
        if t.job[a] == t.job[b] and t.start[b] < t.end[a]:
            verdict.fail(run.rule, f"{run.at}.schedule.start[{b}]", f"job {t.job[b]} is on two servers at once")


def servers_suffice(run: Run, t: Trajectory, machines: int, verdict: Verdict) -> None:
    """At most so many pieces at a time: at each start, those that began less those that ended by then."""
    ends = sorted(t.end)
    order = sorted(range(len(t.job)), key=t.start.__getitem__)
    for begun, k in enumerate(order, start=1):
        if begun - bisect.bisect_right(ends, t.start[k]) > machines:
            message = f"more than {show(machines)} jobs run at a time"
            verdict.fail(run.rule, f"{run.at}.schedule.start[{k}]", message)
            return


def account_of_servers(run: Run, ground: Ground) -> str:
    """How the jobs were completed."""
    t, instance = _on_servers(run), ground.instance
    unit = t.per_tick * t.speed_unit
    more = sum(done > size * unit for done, size in zip(t.work(instance.n), instance.size, strict=True))
    told = f", {more} of them with more work than their size" if more else ""
    return f"{instance.n} jobs completed in {len(t.job)} pieces on at most {show(instance.machines)} servers{told}"


# ====================================================================== C9: server prices
def server_prices(node: Node, ground: Ground) -> Fraction | None:
    """Rule C9, energy only: T* >= sum_j min over its ranges of (mu p_j - H(r_j) + min H) - m * integral of the price.

    The price lam(t) >= 0 is constant in each cell of the grid and 0 after it. A range of completions C of job j has a
    dial, with (mu, y) such that mu s - y <= P(s) for all s, and H(t) = t - integral up to t of (y - lam)^+; min H is
    over the range. The ranges of a job cover all C >= r_j, and y <= 1 in the last one.

    Proof: at most m jobs run at a time, so the cost of a schedule is at least the sum over its jobs of C_j - r_j plus
    the integral of P(s_j) + lam while j runs, less m * integral of lam. With P(s_j) >= mu s_j - y, and since j is on
    one server at a time, the integral is at least mu p_j - the integral of (y - lam)^+ from r_j to C_j. Together this
    is mu p_j - H(r_j) + H(C_j), whatever range C_j is in. H is linear in each cell, so grid points and r_j suffice for
    its minimum; after the grid it never falls if y <= 1.
    """
    part, instance, power = node.object("rule grid price dials ranges", "origin"), ground.instance, ground.power
    assert power is not None
    prices = _prices(part, instance, _lines(part["dials"], power))
    ranges = _ranges(part["ranges"], prices, instance)
    length = prices.scale.bit_length() + prices.clock.bit_length()
    _soon(part["ranges"], sum(map(bool, ranges)) * len(prices.grid) // 10, length)
    least: dict[int, int] = {}
    for line, asked in zip(prices.lines, ranges, strict=True):
        for j, bound in proven(line, asked, prices, instance):
            least[j] = min(bound, least.get(j, bound))
    rent = sum(map(operator.mul, prices.price, map(operator.sub, prices.grid[1:], prices.grid)))
    return Fraction(sum(least.values()) - instance.machines * rent, prices.scale * prices.clock)


class Prices(NamedTuple):
    """Times in `1/clock` ticks; in `1/scale`s the price in each cell between two, and (mu, y) of each dial."""

    grid: list[int]
    clock: int
    price: list[int]
    lines: list[tuple[int, int]]
    scale: int


class Range(NamedTuple):
    """Completions of a job from its release, if `first` is None, or from grid point `first`, to grid point `last`.

    `home` is the last grid point up to the release; without `last` the range goes on for ever.
    """

    job: int
    home: int
    first: int | None
    last: int | None


def _prices(part: dict[str, Node], instance: Instance, lines: list[tuple[Fraction, Fraction]]) -> Prices:
    grid, clock = in_common([one.rational() for one in part["grid"].items()], part["grid"])
    price = [one.rational(0) for one in part["price"].items()]
    if not grid or any(a >= b for a, b in itertools.pairwise(grid)):
        part["grid"].refuse("an ascending list of at least one time")
    if instance.n and grid[0] > instance.release[0] * clock:
        part["grid"].refuse("a first time that is not after the first release")
    if len(price) + 1 != len(grid):
        raise Malformed(part["price"].at, f"got {len(price)} values, expected {len(grid) - 1}")
    whole, scale = in_common([*price, *itertools.chain.from_iterable(lines)], part["dials"])
    pairs = iter(whole[len(price) :])
    return Prices(grid, clock, whole[: len(price)], list(zip(pairs, pairs, strict=True)), scale)


def _lines(node: Node, power: Power) -> list[tuple[Fraction, Fraction]]:
    """The tangents at the dials."""
    dials = [one.rational(0) for one in node.items()]
    admit(dials, node, power)
    for k, dial in enumerate(dials):
        if not power.has_tangent(dial):
            Node(node.items()[k].value, f"{node.at}[{k}]").refuse("a slope of the table, or less")
    return [power.tangent(dial) for dial in dials]


def _ranges(node: Node, prices: Prices, instance: Instance) -> list[list[Range]]:
    """The ranges of all jobs by their dials; those of a job follow one another from its release on."""
    lines = prices.lines
    asked: list[list[Range]] = [[] for _ in lines]
    jobs = node.items()
    if len(jobs) != instance.n:
        raise Malformed(node.at, f"got {len(jobs)} values, expected {instance.n}")
    for j, one in enumerate(jobs):
        home = bisect.bisect_right(prices.grid, instance.release[j] * prices.clock) - 1
        pairs = [pair.column(2, 0) for pair in one.items()]
        if not pairs or pairs[0][0] != home or any(a[0] >= b[0] for a, b in itertools.pairwise(pairs)):
            one.refuse(f"ranges that begin with cell {home}, the release's, and ascend")
        if pairs[-1][0] >= len(prices.grid) or max(d for _, d in pairs) >= len(lines):
            one.refuse(f"cells below {len(prices.grid)} and dials below {len(lines)}")
        if lines[pairs[-1][1]][1] > prices.scale:
            one.refuse("a last range whose dial has a conjugate of at most 1")
        ends = [*(cell for cell, _ in pairs[1:]), None]
        for (cell, d), last in zip(pairs, ends, strict=True):
            asked[d].append(Range(j, home, cell if cell > home else None, last))
    return asked


def proven(line: tuple[int, int], asked: list[Range], prices: Prices, instance: Instance) -> Iterator[tuple[int, int]]:
    """Per range, its job and mu p_j - H(r_j) + min H, in `1/(scale clock)` ticks."""
    if not asked:
        return
    (mu, y), (grid, clock, price, _, scale) = line, prices
    slopes = [*(scale - max(0, y - each) for each in price), scale - y]
    height = [0, *itertools.accumulate(map(operator.mul, slopes, map(operator.sub, grid[1:], grid)))]
    final = len(grid) - 1
    spans = [(final if x.last is None else x.last, x.home + 1 if x.first is None else x.first) for x in asked]
    order = sorted(range(len(asked)), key=spans.__getitem__)
    for k, lowest in zip(order, lowest_in(height, [spans[k] for k in order]), strict=True):
        job, home, first, _ = asked[k]
        start = height[home] + slopes[home] * (instance.release[job] * clock - grid[home])
        ends = [each for each in (lowest, start if first is None else None) if each is not None]
        yield job, mu * instance.size[job] * clock - start + min(ends)


def lowest_in(values: list[int], spans: list[tuple[int, int]]) -> Iterator[int | None]:
    """min(values[first], ..., values[last]) for each (last, first), `last` never going back; None if there is none.

    `low` holds the positions up to `last` after which all values up to `last` are larger.
    """
    low: list[int] = []
    reached = 0
    for last, first in spans:
        while reached <= last:
            while low and values[low[-1]] >= values[reached]:
                low.pop()
            low.append(reached)
            reached += 1
        yield values[low[bisect.bisect_left(low, first)]] if first <= last else None


# ====================================================================== C9-drift, C9-backlog: a schedule in motion
class Mover(NamedTuple):
    """An unfinished job: work left, above 0, at the speed with which it gets less, 0 if it waits."""

    left: Number
    speed: int
    of_reference: bool
    dial: int


class State(NamedTuple):
    """A schedule between two events: its jobs with work left, all its unfinished jobs, and the power of its servers."""

    movers: list[Mover]
    alive: int
    power: Fraction

    @property
    def pays(self) -> Fraction:
        """What it costs per tick: unfinished jobs plus power."""
        return self.alive + self.power


class Motion:
    """A feasible schedule in the course of time, in `1/per_tick` ticks, work in `1/(per_tick unit)` ticks of it.

    A job is unfinished from its release to the last end of its pieces. At one instant pieces end first, then jobs
    arrive, then pieces start.
    """

    def __init__(self, t: Trajectory, instance: Instance, per_tick: int, unit: int, of_reference: bool) -> None:
        self.t, self.instance, self.scale, self.of_reference = t, instance, per_tick // t.per_tick, of_reference
        self.per_tick, self.speed = per_tick, [s * (unit // t.speed_unit) for s in t.speed]
        self.size = per_tick * unit
        self.order = sorted(range(len(t.job)), key=t.start.__getitem__)
        self.completion = [c * self.scale for c in t.completion(instance.n)]
        self.left: dict[int, int] = {}
        self.running: dict[int, int] = {}
        self.now = self.arrived = self.begun = 0

    def times(self) -> set[int]:
        """All its events."""
        pieces = {time * self.scale for time in (*self.t.start, *self.t.end)}
        return pieces | {r * self.per_tick for r in self.instance.release}

    def go_on(self, now: int) -> State:
        """Go on to the next event of all, at which the pieces that ran are not over before."""
        for j, k in list(self.running.items()):
            self.left[j] = max(0, self.left[j] - self.speed[self.t.dial[k]] * (now - self.now))
            if self.t.end[k] * self.scale == now:
                del self.running[j]
                if self.completion[j] == now:
                    del self.left[j]
        self.now = now
        while self.arrived < self.instance.n and self.instance.release[self.arrived] * self.per_tick <= now:
            self.left[self.arrived] = self.instance.size[self.arrived] * self.size
            self.arrived += 1
        while self.begun < len(self.order) and self.t.start[self.order[self.begun]] * self.scale <= now:
            self.running[self.t.job[self.order[self.begun]]] = self.order[self.begun]
            self.begun += 1
        return self._state()

    def _state(self) -> State:
        movers = [self._mover(j, left) for j, left in self.left.items() if left]
        power = sum(self.t.power[self.t.dial[k]] for k in self.running.values())
        return State(movers, len(self.left), Fraction(power, self.t.power_unit))

    def _mover(self, j: int, left: int) -> Mover:
        dial = self.t.dial[self.running[j]] if j in self.running else -1
        return Mover(left, self.speed[dial] if dial >= 0 else 0, self.of_reference, dial)


class Unproved(Exception):
    """A rule does not hold; says why."""


class Effort:
    """Counts the jobs that are looked at, in numbers of so many bits."""

    def __init__(self, length: int) -> None:
        self.left, self.price = MOST_LOOKS, priced(length)

    def spend(self, looks: int) -> None:
        """Count so many more; `Unproved` if they are too many."""
        self.left -= looks * self.price
        if self.left < 0:
            raise Unproved(f"it would take to look at jobs more than {MOST_LOOKS} times")


def in_order(movers: Iterable[Mover]) -> list[Mover]:
    """Shortest first, as they are just after now: of those with equally much left the fastest first."""
    return sorted(movers, key=lambda one: (one.left, -one.speed, one.of_reference))


def while_in_order(movers: list[Mover], length: int) -> Iterator[tuple[list[Mover], Number]]:
    """The jobs in order of what is left, and how long that order lasts, over and over until `length` has passed.

    It lasts until a job meets the one before it in the order, or the first one has nothing left; that one is left out
    then. Claim: in that time no two jobs that differ now change their order.
    """
    left: Number = length
    while left > 0:
        order = in_order(movers)
        meet = [Fraction(b.left - a.left, b.speed - a.speed) for a, b in itertools.pairwise(order) if b.speed > a.speed]
        meet += [Fraction(one.left, one.speed) for one in order[:1] if one.speed]
        step = min([left, *meet])
        yield order, step
        moved = (one._replace(left=one.left - one.speed * step) for one in order)
        movers, left = [one for one in moved if one.left > 0], left - step


@dataclass(frozen=True)
class Potential:
    """Phi = integral over q of level(v) + linear v, where v is how many more jobs of the run than of the reference have
    q left at least; level(v) is the sum of the first v steps, 0 for v <= 0.

    Claim: for any steps and linear part it is 0 without jobs, and does not jump. An arrival adds 1 to both numbers for
    the same q, a completion changes them at q = 0 only.
    """

    levels: list[Fraction]
    linear: Fraction

    def height(self, v: int) -> Fraction:
        """level(v) + linear v."""
        return self.levels[max(v, 0)] + self.linear * v

    def walk(self, order: list[Mover]) -> Iterator[tuple[Mover, int, int]]:
        """Each job from short to long, with v before it and after it."""
        v = sum(-1 if one.of_reference else 1 for one in order)
        for one in order:
            after = v + 1 if one.of_reference else v - 1
            yield one, v, after
            v = after

    def value(self, order: list[Mover]) -> Fraction:
        """Phi."""
        total, reached = Fraction(0), Fraction(0)
        for one, before, _ in self.walk(order):
            total += (one.left - reached) * self.height(before)
            reached = Fraction(one.left)
        return total

    def rate(self, order: list[Mover]) -> Fraction:
        """How fast Phi changes while the order lasts: each job moves the end of the strip before it by its speed."""
        moving = ((one, before, after) for one, before, after in self.walk(order) if one.speed)
        changes = (one.speed * (self.height(after) - self.height(before)) for one, before, after in moving)
        return sum(changes, Fraction(0))


def _potential(part: dict[str, Node]) -> Potential:
    steps = [one.rational(0) for one in part["steps"].items()]
    levels, unit = in_common(list(itertools.accumulate(steps, initial=Fraction(0))), part["steps"])
    return Potential([Fraction(level, unit) for level in levels], part["linear"].rational(0))


def drift(node: Node, ground: Ground) -> Fraction | None:
    """Rule C9-drift, energy only: the least c >= 0 such that at all times, with a potential Phi,

        n + sum of P(s) + dPhi/dt <= c (n_o + sum of P(s_o)),

    where n jobs of the run are unfinished and its servers have speeds s, n_o and s_o are those of the schedule given.
    With the class `srpt` that schedule must run jobs among its `machines` shortest with work left only.

    Proof that the run costs at most c times as much: integrate; Phi is 0 before all jobs and after them, and does not
    jump. Between two events, and while no two jobs swap their order, all terms are constant. Both are also tested here.

    Source: Multiple server SRPT with speed scaling is competitive, (6), (7) and Proposition 5.
    """
    part, run = node.object("rule schedule steps linear", "class origin"), ground.run(node)
    reference = replace(run_of_servers(part, ground), at=node.at, rule="C9-drift")
    kind = part["class"].one_of("any", "srpt") if "class" in part else "any"
    potential, cost = _potential(part), flow_plus_energy(reference, ground)
    if not ground.feasible("C9-drift", node) or cost is None:
        return None
    assert ground.value is not None
    try:
        least = _least_drift(run, reference, potential, kind, ground)
    except Unproved as why:
        ground.verdict.fail("C9-drift", node.at, str(why))
        return None
    if ground.value > least * cost:
        ground.verdict.fail("contradiction", node.at, "the drift holds and the costs do not: this checker is wrong")
    return least


def _least_drift(run: Run, reference: Run, potential: Potential, kind: str, ground: Ground) -> Fraction:
    own, other = _on_servers(run), _on_servers(reference)
    per_tick, unit = math.lcm(own.per_tick, other.per_tick), math.lcm(own.speed_unit, other.speed_unit)
    motions = [Motion(t, ground.instance, per_tick, unit, t is other) for t in (own, other)]
    length = (per_tick * unit).bit_length() + max(map(bits, [*potential.levels, potential.linear]))
    least, phi, effort = Fraction(0), Fraction(0), Effort(length)
    for now, following in itertools.pairwise(sorted(motions[0].times() | motions[1].times())):
        one, two = (motion.go_on(now) for motion in motions)
        if len(one.movers) >= len(potential.levels):
            raise Unproved(f"the run has {len(one.movers)} unfinished jobs, more than there are steps")
        for order, step in while_in_order(one.movers + two.movers, following - now):
            effort.spend(one.alive + two.alive + 1)
            if potential.value(order) != phi:
                raise Unproved("the potential jumps: this checker is wrong")
            if kind == "srpt" and not _shortest_run(order, ground.instance.machines):
                raise Unproved(f"the schedule runs a job that is not one of the shortest after {_at(now, per_tick)}")
            rate = potential.rate(order)
            phi += rate * step
            pays = one.pays + rate / unit
            if pays > 0 == two.pays:
                raise Unproved(f"no c is enough after {_at(now, per_tick)}, when the schedule pays nothing")
            least = max(least, pays / two.pays if two.pays else least)
    if phi != 0:
        raise Unproved("the potential is not 0 in the end: this checker is wrong")
    return least


def _at(now: int, per_tick: int) -> str:
    return f"time {show(Fraction(now, per_tick))}"


def _shortest_run(order: list[Mover], machines: int) -> bool:
    """Whether the reference runs only jobs among its `machines` shortest with work left."""
    own = [one for one in order if one.of_reference]
    return not any(one.speed for one in own[machines:])


def backlog(node: Node, ground: Ground) -> Fraction | None:
    """Rule C9-backlog, energy with P(s) = k s^alpha only: the cost of the run is at most c = `ratio` times T*.

    With n jobs unfinished the run must serve its min(n, m) shortest; lo <= s <= hi are all speeds of these. With steps
    g_1 <= g_2 <= ... from g_0 = 0 on, h the linear part, it is shown for all n that occur, 0 included, and all n_o that

        n + sum over i <= min(n, m) of the larger P(s) - s (g[n - n_o - i + 1] + h) for s = lo, hi
          + sum over i <= min(m, n_o) of c P*((g[n - i + 1] + h) / c)  <=  c n_o,      g[v] = 0 for v < 0.

    Proof: this is the drift against any schedule with n_o unfinished jobs, with the potential of `drift`. When the i-th
    shortest of the run is passed, v is at least n - i + 1 - n_o before it; its term is convex in s, hence largest at lo
    or hi. Number those that the schedule serves from the longest: when the i-th is passed, v is at most n - i + 1 after
    it, and s (g + h) <= c P(s) + c P*((g + h) / c) whatever its speed. For n_o >= n the left side is linear up to m and
    constant then, so n_o = 0, ..., n and max(n, m) decide.

    Source: certify/SPEED.md, "Backlog"; Multiple server SRPT with speed scaling is competitive, (6) and (7).
    """
    part, run, power = node.object("rule steps linear ratio", "origin"), ground.run(node), ground.power
    if not isinstance(power, PowerLaw) or len(power.terms) > 1:
        raise Malformed(node.at, "this rule needs one power c s^alpha")
    table = Table(power, ground.instance.machines, _potential(part), part["ratio"].positive())
    steps = [b - a for a, b in itertools.pairwise(table.potential.levels)]
    if any(a > b for a, b in itertools.pairwise(steps)):
        part["steps"].refuse("steps that do not fall")
    table.admit(part["steps"])
    if not ground.feasible("C9-backlog", node):
        return None
    try:
        t, longest = _on_servers(run), max(map(bits, [table.ratio, table.potential.linear, *table.gains, *table.steps]))
        effort = Effort((t.per_tick * t.speed_unit).bit_length() + longest)
        for n, dials in sorted(dials_by_backlog(run, ground.instance, len(steps), effort).items()):
            table.judge(n, [t.dials[d] for d in dials], effort)
    except Unproved as why:
        ground.verdict.fail("C9-backlog", node.at, str(why))
        return None
    return table.ratio


def dials_by_backlog(run: Run, instance: Instance, most: int, effort: Effort) -> dict[int, set[int]]:
    """For each number n of unfinished jobs the dials at which the min(n, m) shortest run; n = 0 is always there."""
    t, found = _on_servers(run), {0: set[int]()}
    unit = t.per_tick * t.speed_unit
    if any(done != size * unit for done, size in zip(t.work(instance.n), instance.size, strict=True)):
        raise Unproved("a job gets more work than its size")
    motion = Motion(t, instance, t.per_tick, t.speed_unit, False)
    for now, following in itertools.pairwise(sorted(motion.times())):
        state = motion.go_on(now)
        if state.alive > most:
            raise Unproved(f"{state.alive} jobs are unfinished after {_at(now, t.per_tick)}, more than there are steps")
        for order, _ in while_in_order(state.movers, following - now):
            effort.spend(state.alive + 1)
            if not all(one.speed for one in order[: instance.machines]):
                raise Unproved(f"one of the shortest jobs waits after {_at(now, t.per_tick)}")
            found.setdefault(len(order), set()).update(one.dial for one in order[: instance.machines])
    return found


@dataclass(frozen=True)
class Table:
    """Potential and ratio of a backlog rule, for P(s) = k s^alpha on `machines` servers."""

    power: PowerLaw
    machines: int
    potential: Potential
    ratio: Fraction

    @cached_property
    def steps(self) -> list[Fraction]:
        """g_0 = 0, g_1, ..."""
        levels = self.potential.levels
        return [Fraction(0), *(b - a for a, b in itertools.pairwise(levels))]

    def admit(self, node: Node) -> None:
        """Refuse values that would be too long."""
        k, alpha = self.power.terms[0]
        longest = max(map(bits, [*self.steps, self.potential.linear, self.ratio, k, alpha]))
        degree = alpha.numerator - alpha.denominator
        length = (6 * longest // degree + (degree > 1) * ROOT_BITS + 1) * alpha.numerator
        _not_longer(node, length)
        _not_more(node, length * len(self.steps))

    def conjugate(self, weight: Fraction) -> Fraction:
        """At least P*(weight) = k (alpha - 1) (weight / (k alpha))^(alpha / (alpha - 1)), the root rounded up."""
        k, alpha = self.power.terms[0]
        p, q = alpha.numerator, alpha.denominator
        return k * (alpha - 1) * root_above(weight / (k * alpha), p - q) ** p

    @cached_property
    def gains(self) -> list[Fraction]:
        """c P*((g_v + h) / c), or more, for v = 0, 1, ..."""
        return [self.ratio * self.conjugate((g + self.potential.linear) / self.ratio) for g in self.steps]

    def judge(self, n: int, dials: list[Fraction], effort: Effort) -> None:
        """Whether the inequality holds for n jobs at dials between the least and the largest of these."""
        ends = [self.power.at(dial) for dial in (min(dials), max(dials))] if dials else []
        steps, linear, running = self.steps, self.potential.linear, min(n, self.machines)
        for n_o in {*range(n + 1), max(n, self.machines)}:
            effort.spend(2 * running + 1)
            weights = [steps[max(0, n - n_o - i)] + linear for i in range(running)]
            own = sum((max(power - speed * weight for speed, power in ends) for weight in weights), Fraction(0))
            served = min(self.machines, n_o)
            others = sum((self.gains[n - i] for i in range(min(served, n))), max(0, served - n) * self.gains[0])
            if n + own + others > self.ratio * n_o:
                raise Unproved(f"the table does not hold for {n} unfinished jobs against {n_o}")


def root_above(value: Fraction, k: int) -> Fraction:
    """A number >= 0 whose k-th power is at least `value` >= 0: itself for k = 1, else the least one in 1/2^64s.

    >>> root_above(Fraction(9, 4), 2), 0 < root_above(Fraction(2), 2) ** 2 - 2 < Fraction(1, 10**18)
    (Fraction(3, 2), True)
    """
    if k == 1:
        return value
    wanted = -(-(value.numerator << k * ROOT_BITS) // value.denominator)
    return Fraction(integer_root(wanted - 1, k) + 1 if wanted else 0, 1 << ROOT_BITS)


def integer_root(value: int, k: int) -> int:
    """The largest whole number whose k-th power is at most `value` >= 0: Newton's method, from above its first half.

    >>> integer_root(26, 3), integer_root(27, 3)
    (2, 3)
    """
    if value == 0:
        return 0
    half = value.bit_length() // (2 * k)
    guess = (integer_root(value >> half * k, k) + 1) << half if half else 1 << -(-value.bit_length() // k)
    while True:
        better = ((k - 1) * guess + value // guess ** (k - 1)) // k
        if better >= guess:
            return guess
        guess = better


# ====================================================================== evidence and bounds
RULES: dict[str, Callable[[Node, Ground], Fraction | None]] = {
    "C0": longest_job,
    "C3": interval_family,
    "C4": machine_set,
    "C5": hall_set,
    "C6": upper_witness,
    "C8": game,
    "C9": server_prices,
    "C9-drift": drift,
    "C9-backlog": backlog,
    "C10": case_distinction,
}
"""Evidence about T*: each function reads its evidence and returns the bound, or records why none."""

SHOWS = {"C6": "a bound from above", "C8": "a game", "C9-drift": "a drift", "C9-backlog": "a ratio to T*"}
"""What the evidence of a rule shows; all other rules show a bound on T* from below."""


def judge_evidence(node: Node, rules: Sequence[str], ground: Ground) -> tuple[str, Fraction | None]:
    """The rule of a piece of evidence, one of these, and the bound that it shows, None if it fails."""
    rule = node.kind("rule", *rules)
    if "origin" in node.members():
        node.members()["origin"].text()
    return rule, RULES[rule](node, ground)


def claim_lower_bound(goal: Node, case: Case) -> None:
    """Rules C0, C3, ...: T* is at least the value claimed, as it is at least what the evidence shows.

    A value of at most 0 needs no evidence: a flow time or load is never negative.
    """
    part = goal.object("claim value", "evidence")
    value = part["value"].rational()
    claim = f"T* >= {case.words(value)}"
    if "evidence" not in part:
        told = case.verdict.shown if value <= 0 else case.verdict.assumed
        why = "as no schedule has a negative value" if value <= 0 else "without evidence"
        told.append(f"{claim}, {why}")
        return
    rule, bound = case.bound(part["evidence"])
    if bound is None:
        return
    if value > bound:
        case.verdict.fail(rule, part["value"].at, f"{claim} is claimed, the evidence shows {show(bound)}")
        return
    case.lower = max(case.lower, value)
    case.verdict.shown.append(f"{claim} (rule {rule})")


def claim_upper_bound(goal: Node, case: Case) -> None:
    """Rule C6: T* is at most the value claimed, as it is at most the value of the schedule or assignment shown."""
    part = goal.object("claim value evidence")
    value = part["value"].rational()
    claim, (rule, bound) = f"T* <= {case.words(value)}", case.bound(part["evidence"], SHOWS["C6"])
    if bound is None:
        return
    if value < bound:
        case.verdict.fail(rule, part["value"].at, f"{claim} is claimed, the evidence shows {show(bound)}")
        return
    case.at_most(value)
    case.verdict.shown.append(f"{claim} (rule {rule})")


def judge_optimum(case: Case) -> None:
    """T* itself, where the bounds shown as goals meet; that they cross would be a fault of this checker."""
    if case.upper is not None and case.upper < case.lower:
        message = f"T* >= {show(case.lower)} and T* <= {show(case.upper)} are both shown: this checker is wrong"
        case.verdict.fail("contradiction", "$.goal", message)
    elif case.upper == case.lower:
        case.verdict.shown.append(f"T* = {case.words(case.lower)}, as the bounds meet")


# ====================================================================== C1: the run is feasible, within budget
def claim_feasible(goal: Node, case: Case) -> None:
    """Rule C1: the run is a schedule or an assignment; see `completions` and `largest_load`."""
    goal.object("claim")
    run = case.run(goal)
    if case.feasible("C1", goal):
        told = case.problem.account(run, case)
        case.verdict.shown.append(f"the run{run.at_speed} is feasible: {told} (rule C1)")


def account_of_machines(run: Run, ground: Ground) -> str:
    """How many jobs were accepted and how they were completed, and how many were rejected."""
    n, rejected = ground.instance.n, run.dispatch.count(-1) + len(run.late.job)
    how = ground.problem.finished if run.pieces is None else f"completed in {len(run.pieces.job)} pieces"
    return f"{n - rejected} of {n} jobs accepted and {how}, {rejected} rejected"


def completions(run: Run, instance: Instance, verdict: Verdict) -> list[int] | None:
    """Completion time of each job in `1/per_tick` ticks, -1 for a rejected one; None if the run is infeasible.

    Claim: a list comes back exactly if every job is dispatched to an eligible machine or rejected, a machine
    runs one job at a time, none before its release, and each accepted job completely: `speed` times as long as its
    pieces are is its size.
    """
    before = verdict.failures
    eligible_only(run, instance, verdict)
    out = first_in_first_out(run, instance) if run.pieces is None else piecewise(run, run.pieces, instance, verdict)
    return out if verdict.failures == before else None


def eligible_only(run: Run, instance: Instance, verdict: Verdict) -> None:
    """Every job is dispatched to an eligible machine or rejected."""
    sets = [set(one) for one in instance.sets]
    for j, (i, k) in enumerate(zip(run.dispatch, instance.eligible, strict=True)):
        if i >= 0 and i not in sets[k]:
            verdict.fail(run.rule, f"{run.at}.dispatch[{j}]", f"machine {i} is not eligible for job {j}")


def first_in_first_out(run: Run, instance: Instance) -> list[int]:
    """Completion times when each machine runs its jobs whole, in arrival order, each as soon as it can.

    Proof of feasibility: C_j = max(r_j, C_before) + p_j leaves [C_j - p_j, C_j] to job j alone.
    """
    free: dict[int, int] = {}
    out: list[int] = []
    for i, r, p in zip(run.dispatch, instance.release, instance.size, strict=True):
        if i >= 0:
            free[i] = max(r, free.get(i, 0)) + p
        out.append(free[i] if i >= 0 else -1)
    return out


def piecewise(run: Run, pieces: Pieces, instance: Instance, verdict: Verdict) -> list[int]:
    """Completion times by explicit pieces: the last end of each job that is not rejected."""
    rule, at, per_tick = run.rule, f"{run.at}.schedule", pieces.per_tick
    late = late_rejections(run, ("time", "release"), lambda j: instance.release[j] * per_tick, verdict)
    done, last = [0] * instance.n, [-1] * instance.n
    columns = zip(pieces.job, pieces.machine, pieces.start, pieces.end, strict=True)
    for k, (j, i, s, e) in enumerate(columns):
        if i != run.dispatch[j]:
            verdict.fail(rule, f"{at}.machine[{k}]", f"job {j} runs on machine {i}, dispatched to {run.dispatch[j]}")
        if s < instance.release[j] * per_tick:
            verdict.fail(rule, f"{at}.start[{k}]", f"job {j} runs before its release")
        if s >= e:
            verdict.fail(rule, f"{at}.end[{k}]", f"the piece ends at its start {show(s)} or before")
        if j in late and e > late[j]:
            verdict.fail(rule, f"{at}.end[{k}]", f"job {j} runs after its rejection at {show(late[j])}")
        done[j] += e - s
        last[j] = max(last[j], e)
    one_at_a_time(run, pieces, verdict)
    for j, (i, p) in enumerate(zip(run.dispatch, instance.size, strict=True)):
        work = done[j] * run.speed.numerator
        if j in late and work >= p * run.parts:
            verdict.fail(rule, at, f"job {j} is rejected late although it is complete")
        if j not in late and i >= 0 and work != p * run.parts:
            verdict.fail(rule, at, f"job {j} gets {show(Fraction(work, run.parts))} of its {show(p)} ticks of work")
    return [-1 if j in late else c for j, c in enumerate(last)]


def late_rejections(run: Run, words: tuple[str, str], first: Callable[[int], int], verdict: Verdict) -> dict[int, int]:
    """When each job that was accepted on arrival was rejected after all: once, and not before `first(j)`."""
    key, event = words
    late: dict[int, int] = {}
    for k, (j, when) in enumerate(zip(run.late.job, run.late.when, strict=True)):
        if j in late or run.dispatch[j] < 0:
            verdict.fail(run.rule, f"{run.at}.late.job[{k}]", f"job {j} is rejected twice")
        if when < first(j):
            verdict.fail(run.rule, f"{run.at}.late.{key}[{k}]", f"job {j} is rejected before its {event}")
        late[j] = when
    return late


def one_at_a_time(run: Run, pieces: Pieces, verdict: Verdict) -> None:
    """No two pieces overlap on one machine.

    Proof: among pieces sorted by start, each as long as it says, two overlap only if two neighbours do.
    """
    order = sorted(range(len(pieces.job)), key=pieces.start.__getitem__)
    order.sort(key=pieces.machine.__getitem__)
    for a, b in itertools.pairwise(order):
        if pieces.machine[a] == pieces.machine[b] and pieces.start[b] < pieces.end[a]:
            message = f"overlaps piece {a} on machine {pieces.machine[a]}"
            verdict.fail(run.rule, f"{run.at}.schedule.start[{b}]", message)


def claim_budget(goal: Node, case: Case) -> None:
    """Rule C1: after every arrival and every rejection, rejected <= epsilon * arrived."""
    part, run, instance = goal.object("claim epsilon weight"), case.run(goal), case.instance
    epsilon = part["epsilon"].rational(0)
    by_weight = part["weight"].one_of("count", "rejection") == "rejection"
    weight, what = (instance.rejection_weight, "rejection weight") if by_weight else ([1] * instance.n, "jobs")
    if not case.feasible("C1", goal):
        return
    for rejected, arrived, place in prefixes(run, instance, weight):
        if rejected * epsilon.denominator > epsilon.numerator * arrived:
            message = f"rejected {show(rejected)} of {show(arrived)} {what}, over the share {show(epsilon)} allowed"
            case.verdict.fail("C1", place, message)
            return
    share = f"rejected <= {show(epsilon)} * arrived, in {what}"
    case.verdict.shown.append(f"at every prefix of the run{run.at_speed}, {share} (rule C1)")


def prefixes(run: Run, instance: Instance, weight: list[int]) -> Iterator[tuple[int, int, str]]:
    """After each event: rejected, arrived, place.

    At one instant of a schedule in time late rejections come first. That order is the hardest: in any other, what
    has arrived by each rejection is no less.
    """
    rejected = arrived = x = 0
    job, after = run.late.job, run.late.after
    for j in range(-1, instance.n):
        if j >= 0:
            arrived += weight[j]
            rejected += weight[j] if run.dispatch[j] < 0 else 0
            yield rejected, arrived, f"$.run.dispatch[{j}]"
        while x < len(job) and after[x] == j:
            rejected, x = rejected + weight[job[x]], x + 1
            yield rejected, arrived, f"$.run.late.job[{x - 1}]"


# ====================================================================== C2: the objective
def claim_objective(goal: Node, case: Case) -> None:
    """Rule C2: the objective of the run is exactly as claimed; see `largest_flow_time` and `largest_load`."""
    part, problem, run = goal.object("claim value"), case.problem, case.run(goal)
    claimed = part["value"].rational()
    if not case.feasible("C2", goal):
        return
    words = f"the {problem.quantity}{problem.whose}{run.at_speed} is"
    if case.value != claimed:
        message = f"{words} {show(case.value or 0)}{problem.unit}, claimed is {show(claimed)}"
        case.verdict.fail("C2", part["value"].at, message)
        return
    case.objective = claimed
    case.verdict.shown.append(f"{words} {case.words(claimed)} (rule C2)")


def largest_flow_time(run: Run, ground: Ground) -> Fraction | None:
    """max w_j F_j = max w_j (C_j - r_j) over the accepted jobs, 0 without one; None if the run is infeasible."""
    instance, (values, rank) = ground.instance, (ground.weights.values, ground.weights.rank)
    done = completions(run, instance, ground.verdict)
    if done is None:
        return None
    largest = [0] * len(values)
    for c, r, k in zip(done, instance.release, rank, strict=True):
        flow = c - r * run.per_tick
        if c >= 0 and flow > largest[k]:
            largest[k] = flow
    return Fraction(max(map(operator.mul, values, largest), default=0), run.per_tick)


# ====================================================================== C1 and C2 of load
def largest_load(run: Run, ground: Ground) -> Fraction | None:
    """load: the largest total size of the jobs that a machine keeps, 0 without one; None if the run is infeasible.

    Claim: the run is feasible exactly if every job is dispatched to an eligible machine or rejected on arrival, and
    each late rejection is of a job that arrived, was dispatched, and was not rejected yet.
    """
    instance, verdict = ground.instance, ground.verdict
    before = verdict.failures
    eligible_only(run, instance, verdict)
    late = late_rejections(run, ("after", "arrival"), lambda j: j, verdict)
    load: dict[int, int] = {}
    for j, (i, p) in enumerate(zip(run.dispatch, instance.size, strict=True)):
        if i >= 0 and j not in late:
            load[i] = load.get(i, 0) + p
    return Fraction(max(load.values(), default=0)) if verdict.failures == before else None


# ====================================================================== C7: a guess is refuted
def claim_refuted_guess(goal: Node, case: Case) -> None:
    """Rule C7: T* > T for the guess T of a phase, as the evidence shows more than T."""
    part, guesses = goal.object("claim phase evidence"), case.run(goal).guesses
    phase = part["phase"].integer(0, len(guesses) - 1)
    guess = guesses[phase]
    if guess is None:
        raise Malformed(f"$.run.phases[{phase}].guess", f"missing, {goal.at} is about it")
    _, bound = case.bound(part["evidence"])
    if bound is not None and bound <= guess:
        message = f"T* > {show(guess)} is claimed, the evidence shows only T* >= {show(bound)}"
        case.verdict.fail("C7", goal.at, message)
    elif bound is not None:
        case.verdict.shown.append(f"T* > {case.words(guess)}, the guess of phase {phase} (rule C7)")


# ====================================================================== C8: the goal of a game
def claim_game(goal: Node, case: Case) -> None:
    """Rule C8: T* <= opt by the schedule of a game, while the objective of the run is at least `cost`.

    Proof of the ratio: objective / T* >= cost / T* >= cost / opt, where T* > 0.
    """
    part = goal.object("claim opt cost evidence")
    opt, cost = part["opt"].rational(0), part["cost"].rational(0)
    (_, bound), value, before = case.bound(part["evidence"], SHOWS["C8"]), case.value, case.verdict.failures
    if bound is None or value is None:
        return
    at_most, run = f"T* <= {case.words(opt)}", f"{case.problem.quantity}{case.problem.whose}{case.run(goal).at_speed}"
    at_least = f"the {run} is at least {case.words(cost)}"
    if opt < bound:
        case.verdict.fail("C8", part["opt"].at, f"{at_most} is claimed, the evidence shows {show(bound)}")
    if cost > value:
        case.verdict.fail("C8", part["cost"].at, f"claimed is that {at_least}; it is {show(value)}")
    if case.verdict.failures > before:
        return
    case.at_most(opt)
    ratio = f", a ratio of at least {show(cost / opt)}" if bound > 0 else ""
    case.verdict.shown.append(f"a game: {at_most}, while {at_least}{ratio}; its phases hold (rule C8)")


# ====================================================================== ratio
def claim_ratio(goal: Node, case: Case) -> None:
    """The ratio: objective / T* <= value, from the objective and the largest lower bound b > 0 shown as goals.

    Proof: objective <= value * b and b <= T*.
    """
    part = goal.object("claim value")
    value, run = part["value"].rational(), case.run(goal)
    if case.objective is None or case.lower <= 0:
        missing = "a shown objective" if case.objective is None else "a shown lower bound above 0"
        case.verdict.fail("ratio", goal.at, f"not shown, as it needs {missing}")
    elif value * case.lower < case.objective:
        message = f"{show(value)} is claimed, shown is {show(case.objective / case.lower)}"
        case.verdict.fail("ratio", part["value"].at, message)
    else:
        optimum = f"T*{run.at_speed and ' at speed 1'}"
        words = f"{case.problem.quantity}{run.at_speed} / {optimum} <= {show(value)}"
        case.verdict.shown.append(f"{words}{case.problem.caution}")


# ====================================================================== C9-drift, C9-backlog: goals
def claim_drift(goal: Node, case: Case) -> None:
    """Rule C9-drift: the run costs at most `value` times as much as the schedule given, at all times with Phi."""
    value, bound = _shown_factor(goal, case, "C9-drift")
    if bound is not None:
        words = f"the run costs at most {show(value)} times as much as the schedule of the evidence"
        case.verdict.shown.append(f"{words}, and drifts so at all times (rule C9-drift)")


def claim_competitive(goal: Node, case: Case) -> None:
    """Rule C9-backlog: the run costs at most `value` times T*."""
    value, bound = _shown_factor(goal, case, "C9-backlog")
    if bound is not None:
        case.verdict.shown.append(f"the run costs at most {show(value)} T*, as its backlog is small (rule C9-backlog)")


def _shown_factor(goal: Node, case: Case, rule: str) -> tuple[Fraction, Fraction | None]:
    """The value that a goal claims, and what the evidence of this rule shows, None if that is more."""
    part = goal.object("claim value evidence")
    value, (_, bound) = part["value"].rational(), case.bound(part["evidence"], SHOWS[rule])
    if bound is not None and value < bound:
        case.verdict.fail(rule, part["value"].at, f"{show(value)} is claimed, the evidence shows {show(bound)}")
        return value, None
    return value, bound


CLAIMS: dict[str, Callable[[Node, Case], None]] = {
    "feasible": claim_feasible,
    "budget": claim_budget,
    "objective": claim_objective,
    "lower-bound": claim_lower_bound,
    "upper-bound": claim_upper_bound,
    "refuted-guess": claim_refuted_guess,
    "game": claim_game,
    "drift": claim_drift,
    "competitive": claim_competitive,
    "ratio": claim_ratio,
}
"""Goals: each function reads its goal and records it as shown, assumed or failed; ratios are judged last."""


# ====================================================================== the problems
def unweighted(instance: Instance) -> Weights:
    """All w_j are 1."""
    return Weights([1], [0] * instance.n)


MAX_FLOW = Problem(
    quantity="largest flow time",
    whose=" of an accepted job",
    finished="completed first in, first out",
    about="",
    unit=" ticks",
    input_unit="time unit",
    rules=("C0", "C3", "C5", "C6", "C8", "C10"),
    claims=("feasible", "budget", "objective", "lower-bound", "upper-bound", "refuted-guess", "game", "ratio"),
    weights=unweighted,
    scale=lambda instance: instance.tick,
    read_schedule=read_timed,
    read_late=late_by_time,
    value=largest_flow_time,
    course=course_in_time,
    read_run=read_run,
    decisions="dispatch schedule",
    read_all=read_dispatched,
    account=account_of_machines,
)

WEIGHTED = replace(
    MAX_FLOW,
    quantity="largest weighted flow time",
    about="weighted flow times in ",
    unit=" ticks x weight units",
    input_unit="units",
    weights=lambda instance: weigh(instance.flow_weight, lambda w: w),
    scale=lambda instance: instance.tick * instance.weight_unit,
)

PROBLEMS = {
    "max-flow": MAX_FLOW,
    "weighted": WEIGHTED,
    "two-weights": WEIGHTED,
    "stretch": replace(
        MAX_FLOW,
        quantity="largest stretch",
        about="stretches, flow times over sizes, in ",
        unit="",
        weights=lambda instance: weigh(instance.size, lambda p: Fraction(1, p)),
        scale=lambda instance: Fraction(1),
    ),
    "load": replace(
        MAX_FLOW,
        quantity="largest load",
        whose=" of the jobs kept",
        finished="assigned to an eligible machine",
        about="loads in ",
        rules=("C0", "C4", "C6", "C8", "C10"),
        read_schedule=read_assignment,
        read_late=late_by_arrival,
        value=largest_load,
        course=course_of_arrivals,
    ),
    "energy": replace(
        MAX_FLOW,
        quantity="total flow time plus energy",
        whose="",
        about="total flow times plus energies in ",
        rules=("C6", "C9", "C9-drift", "C9-backlog"),
        claims=("feasible", "objective", "lower-bound", "upper-bound", "drift", "competitive", "ratio"),
        value=flow_plus_energy,
        read_run=read_speed_run,
        decisions="schedule",
        read_all=run_of_servers,
        account=account_of_servers,
        caution="",
    ),
}


# ====================================================================== C9-game: routing without migration
@dataclass(frozen=True)
class Rounds:
    """Jobs that are all released at 0, in order: those of sizes `before`, then `rounds` times those of `each`.

    With `falling` the jobs of a round are one tick smaller than those of the round before; all sizes are at least 1.
    """

    machines: int
    tick: Fraction
    before: list[int]
    each: list[int]
    rounds: int
    falling: bool

    @property
    def jobs(self) -> int:
        """How many there are."""
        return len(self.before) + self.rounds * len(self.each)

    @property
    def roots(self) -> int:
        """How many roots their costs take at most: one a job, but a limited number for jobs of a size on a server."""
        most, kinds = 3 * HEAD, min(self.machines, len(self.counts) + 1)
        dealt = kinds * sum(min(most, count // self.machines + 1) for count in self.counts.values())
        return dealt + len(self.before) + len(self.each) * min(most, self.rounds)

    @cached_property
    def counts(self) -> dict[int, int]:
        """How many jobs there are of each size, those that fall counted with their first."""
        counts: dict[int, int] = {}
        for sizes, rounds in ((self.before, 1), (self.each, self.rounds)):
            for size in sizes:
                counts[size] = counts.get(size, 0) + rounds
        return counts

    @property
    def fall(self) -> int:
        """By how much the jobs of the last round are smaller than those of the first."""
        return (self.rounds - 1) * self.falling

    @cached_property
    def sha256(self) -> str:
        """SHA-256 of the document, with sorted keys, no blanks, and the tick in lowest terms."""
        columns = ("machines", "before", "each", "rounds", "falling")
        document = {"format": ROUNDS_FORMAT, "version": VERSION, "tick": str(self.tick)}
        document |= {name: getattr(self, name) for name in columns}
        text = json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
        return hashlib.sha256(text.encode("ascii")).hexdigest()


def read_rounds(node: Node) -> Rounds:
    """Read jobs in rounds."""
    part = node.object("format version machines tick before each rounds falling")
    part["format"].one_of(ROUNDS_FORMAT)
    part["version"].integer(VERSION, VERSION)
    machines, tick, rounds = part["machines"].integer(1), part["tick"].positive(), part["rounds"].integer(1)
    falling = part["falling"].boolean()
    before = part["before"].column(None, 1)
    each = part["each"].column(None, 1 + (rounds - 1) * falling)
    if machines * (len(before) + len(each) + 1) > MOST_DEALT:
        raise Malformed(node.at, f"machines times listed jobs are over {MOST_DEALT}")
    return Rounds(machines, tick, before, each, rounds, falling)


class Route(NamedTuple):
    """Where the jobs before the rounds go, and those of each round."""

    before: list[int]
    each: list[int]


def routed_least(jobs: Rounds, route: Route) -> str:
    """Whether least loaded routing, of equal servers the first, goes so; if not, why. Nothing has been done yet.

    Proof: within a round the loads of any two servers differ by a linear function of the number of the round, so who is
    least in the first round and in the last is so in all between.
    """
    if jobs.falling:
        return "with rounds that fall this is not checked"
    loads = [0] * jobs.machines
    wrong = _to_the_least(loads, jobs.before, route.before)
    in_round = [0] * jobs.machines
    for size, server in zip(jobs.each, route.each, strict=True):
        in_round[server] += size
    for done in (0, jobs.rounds - 1):
        now = [load + done * more for load, more in zip(loads, in_round, strict=True)]
        wrong = wrong or _to_the_least(now, jobs.each, route.each)
    return wrong


def _to_the_least(loads: list[int], sizes: list[int], servers: list[int]) -> str:
    heap = [(load, i) for i, load in enumerate(loads)]
    heapq.heapify(heap)
    for size, server in zip(sizes, servers, strict=True):
        load, least = heap[0]
        if least != server:
            return f"a job goes to server {server}, the least loaded is {least}"
        heapq.heapreplace(heap, (load + size, least))
        loads[least] += size
    return ""


def routed_in_turn(jobs: Rounds, route: Route) -> str:
    """Whether the jobs go to the servers in turn: so they do in each round if a round is a multiple of all servers."""
    if len(jobs.each) % jobs.machines and jobs.rounds > 1:
        return "a round does not give each server equally many jobs"
    servers = [*route.before, *route.each]
    wrong = (p for p, server in enumerate(servers) if server != p % jobs.machines)
    return next((f"job {p} goes to server {servers[p]}, in turn is {p % jobs.machines}" for p in wrong), "")


def routed_staying(jobs: Rounds, route: Route) -> str:
    """Whether SRPT without migration goes so: to an idle server; else to one all of whose jobs have more left.

    Proof: the jobs before the rounds take one idle server each, numbered as they are taken. A job of the rounds is
    smaller than what is least on the one server, at first and then as they fall. On the others what is left is never
    more than the last of them, so it is the only choice.
    """
    if len(jobs.before) != jobs.machines or route.before != list(range(jobs.machines)):
        return "the jobs before the rounds do not take one idle server each"
    if len(jobs.each) != 1 or (jobs.rounds > 1 and not jobs.falling):
        return "a round is not one job, smaller than that of the round before"
    server, size = route.each[0], jobs.each[0]
    others = (left for i, left in enumerate(jobs.before) if i != server)
    if jobs.before[server] <= size or max(others, default=0) > size - jobs.fall:
        return f"server {server} is not the only one where all jobs have more left"
    return ""


ROUTERS: dict[str, Callable[[Rounds, Route], str]] = {
    "least-loaded": routed_least,
    "historically-least-loaded": routed_least,
    "round-robin": routed_in_turn,
    "staying-srpt": routed_staying,
}
"""Policies that send each job to a server on arrival, where it stays."""


def sum_below(first: int, last: int, r: Fraction) -> Fraction:
    """At most the sum of k^r for first <= k <= last, where first >= 1 and 0 < r < 1.

    Proof: k^r is at least its mean over [k - 1/2, k + 1/2], as it is concave.
    """
    head, start = _head(first, last, r, power_below)
    if start > last:
        return head
    half = Fraction(1, 2)
    return head + (power_below(last + half, r + 1) - power_above(start - half, r + 1)) / (r + 1)


def sum_above(first: int, last: int, r: Fraction) -> Fraction:
    """At least the same sum.

    Proof: the mean of k^r over [k, k + 1] is at least that of its values at both ends, as it is concave.
    """
    head, start = _head(first, last, r, power_above)
    if start > last:
        return head
    ends = (power_above(Fraction(start), r) + power_above(Fraction(last), r)) / 2
    return head + ends + (power_above(Fraction(last), r + 1) - power_below(Fraction(start), r + 1)) / (r + 1)


def _head(first: int, last: int, r: Fraction, bound: Callable[[Fraction, Fraction], Fraction]) -> tuple[Fraction, int]:
    """The sum of the first terms, all if there are few, and where the rest begins."""
    start = first + HEAD if last - first >= 2 * HEAD else last + 1
    return sum((bound(Fraction(k), r) for k in range(first, start)), Fraction(0)), start


def power_below(x: Fraction, exponent: Fraction) -> Fraction:
    """At most x^exponent, for x >= 0 and exponent > 0: the largest multiple of 1/2^64."""
    p, q = exponent.numerator, exponent.denominator
    return Fraction(integer_root((x.numerator**p << q * ROOT_BITS) // x.denominator**p, q), 1 << ROOT_BITS)


def power_above(x: Fraction, exponent: Fraction) -> Fraction:
    """At least x^exponent."""
    low = power_below(x, exponent)
    return low if low**exponent.denominator == x**exponent.numerator else low + Fraction(1, 1 << ROOT_BITS)


def weighed(
    blocks: Iterable[tuple[int, int]], r: Fraction, bound: Callable[[int, int, Fraction], Fraction]
) -> Fraction:
    """A bound of the sum of k^r w_k for jobs in blocks (size, how many), w_1 the first of them."""
    before, total = 0, Fraction(0)
    for size, count in blocks:
        if count:
            total += size * bound(before + 1, before + count, r)
            before += count
    return total


def cost_where_sent(jobs: Rounds, route: Route, r: Fraction) -> Fraction:
    """At most the cost of any schedule that runs the jobs where they are sent, in mu0 ticks, r = 1 - 1/alpha.

    Proof: while k jobs are left on a server a tick of work costs at least min_s (k + P(s)) / s = mu0 k^r, and the work
    that is done with at most k jobs left is at most that of the k largest. So a server with sizes w_1 >= w_2 >= ...
    costs at least mu0 times the sum of k^r w_k. Jobs that fall are counted with the last round's size.
    """
    own: dict[int, list[tuple[int, int]]] = {}
    for size, server in zip(jobs.before, route.before, strict=True):
        own.setdefault(server, []).append((size, 1))
    for size, server in zip(jobs.each, route.each, strict=True):
        own.setdefault(server, []).append((size - jobs.fall, jobs.rounds))
    return sum((weighed(sorted(blocks, reverse=True), r, sum_below) for blocks in own.values()), Fraction(0))


def cost_dealt_evenly(jobs: Rounds, r: Fraction) -> Fraction:
    """At least the cost of a schedule, in mu0 ticks: all jobs of a size dealt evenly, each server shortest first.

    Proof: with k jobs left a tick of work costs mu0 k^r at its best speed, so a server costs mu0 times the
    sum of k^r w_k. Jobs that fall are counted with the first round's size.
    """
    counts = jobs.counts
    falling = sorted(counts, reverse=True)
    most: dict[tuple[int, ...], int] = {}
    for i in range(jobs.machines):
        dealt = tuple(counts[w] // jobs.machines + (i < counts[w] % jobs.machines) for w in falling)
        most[dealt] = most.get(dealt, 0) + 1
    costs = (servers * weighed(zip(falling, dealt, strict=True), r, sum_above) for dealt, servers in most.items())
    return sum(costs, Fraction(0))


def check_routing(part: dict[str, Node]) -> Verdict:
    """The problem `routing`: a policy that routes jobs on arrival loses on jobs in rounds, whatever its speeds.

    Evidence of rule C9-game says where the policy sends the jobs before the rounds, and those of each round. The goal
    `game`, in mu0 ticks, for P(s) = c s^alpha: no schedule with that routing costs less than `cost`, some schedule of
    all jobs costs at most `opt`.
    """
    power, jobs, verdict = read_power(part["power"]), read_rounds(part["instance"]), Verdict()
    if not isinstance(power, PowerLaw) or len(power.terms) > 1:
        part["power"].refuse("one power c s^alpha")
    r = 1 - 1 / power.terms[0][1]
    length = 2 * r.denominator * (jobs.jobs.bit_length() + ROOT_BITS + 2)
    _not_longer(part["instance"], length)
    _soon(part["instance"], (1 + len(part["evidence"].items())) * 5 * jobs.roots, length)
    about = f"{show(jobs.jobs)} jobs released at 0 on {show(jobs.machines)} servers with P(s) = {power}"
    _check_hash(part["sha256"], f"costs, flow times plus energy in mu0 ticks, of {about}", jobs.sha256, verdict)
    costs = [_routed(node, jobs, r, verdict) for node in part["evidence"].items()]
    opt, used = cost_dealt_evenly(jobs, r), set[int]()
    for goal in part["goal"].items() or [part["goal"].refuse("at least one goal")]:
        goal.kind("claim", "game")
        own = goal.object("claim opt cost evidence")
        e = own["evidence"].integer(0, len(costs) - 1)
        used.add(e)
        _judge_routing(goal, own, opt, costs[e], verdict)
    if len(used) < len(costs):
        raise Malformed("$.evidence", "no goal uses some of the evidence")
    return verdict


def _routed(node: Node, jobs: Rounds, r: Fraction, verdict: Verdict) -> tuple[str, Fraction | None]:
    node.kind("rule", "C9-game")
    part = node.object("rule policy before each", "origin")
    if "origin" in part:
        part["origin"].text()
    policy, columns = part["policy"].one_of(*ROUTERS), ((part["before"], jobs.before), (part["each"], jobs.each))
    route = Route(*(own.column(len(sizes), 0, jobs.machines - 1) for own, sizes in columns))
    wrong = ROUTERS[policy](jobs, route)
    if wrong:
        verdict.fail("C9-game", node.at, f"{policy} does not route so: {wrong}")
    return policy, None if wrong else cost_where_sent(jobs, route, r)


def _judge_routing(
    goal: Node, part: dict[str, Node], least: Fraction, routed: tuple[str, Fraction | None], verdict: Verdict
) -> None:
    opt, cost, (policy, shown) = part["opt"].rational(0), part["cost"].rational(0), routed
    if shown is None:
        verdict.fail("C9-game", part["evidence"].at, "not shown, as this evidence fails")
    elif cost > shown:
        verdict.fail("C9-game", part["cost"].at, f"{show(cost)} is claimed, the evidence shows {show(shown)}")
    elif opt < least:
        verdict.fail("C9-game", part["opt"].at, f"{show(opt)} is claimed, dealt evenly the jobs cost {show(least)}")
    else:
        ratio = f", a ratio of at least {show(cost / opt)}" if opt else ""
        words = f"routed by {policy} the jobs cost at least {show(cost)} mu0 ticks at any speeds, T* <= {show(opt)}"
        verdict.shown.append(f"a game: {words} mu0 ticks{ratio} (rule C9-game)")


# ====================================================================== binding: the user's own file
def judge_binding(certified: Instance, own: Instance, unit_size: Fraction | None, verdict: Verdict) -> None:
    """Binding: the instance of the certificate is the one in the user's file, as their canonical forms agree.

    With a `unit_size` it is the user's file with all sizes replaced, and the verdict says so.
    """
    changed = "" if unit_size is None else f", with every size replaced by {show(unit_size)} (source.unit_size)"
    if certified.sha256 == own.sha256:
        verdict.shown.append(f"the instance is the one in the file given with --instance{changed} (binding)")
    else:
        verdict.fail("binding", *first_difference(certified, own))


def first_difference(certified: Instance, own: Instance) -> tuple[str, str]:
    """Place and account of the first column, and of the first job in it, in which two instances differ."""
    if certified.n != own.n:
        return "$.instance.ids", f"the certificate has {certified.n} jobs, the file {own.n}"
    for name in ("machines", "tick", "weight_unit"):
        a, b = getattr(certified, name), getattr(own, name)
        if a != b:
            return f"$.instance.{name}", f"the certificate has {show(a)}, the file {show(b)}"
    for name in ("ids", "release", "size", "flow_weight", "rejection_weight"):
        for j, (a, b) in enumerate(zip(getattr(certified, name), getattr(own, name), strict=True)):
            if a != b or type(a) is not type(b):
                return f"$.instance.{name}[{j}]", f"job {j} has {describe(a)}, in the file {describe(b)}"
    for j, (a, b) in enumerate(zip(certified.eligible, own.eligible, strict=True)):
        if certified.sets[a] != own.sets[b]:
            return f"$.instance.eligible[{j}]", f"job {j} has other eligible machines in the file"
    if certified.machine_names != own.machine_names:
        return "$.instance.machine_names", "the machines have other names in the file"
    return "$.instance.eligible_sets", "the same eligible set is listed twice in one of the two"


def read_own(node: Node, unit_size: Fraction | None) -> Instance:
    """Read a user's own JSON file: columns, or a list of jobs; with `unit_size` all sizes become that one."""
    least_size = 0 if unit_size is not None else 1
    if "format" not in node.members() and "machines" not in node.members():
        raise Malformed(node.at, f"not dualfit's own JSON; {HINT}")
    own = read_columns(node, least_size) if "format" in node.members() else read_jobs(node, least_size)
    return own if unit_size is None else with_unit_size(own, unit_size)


def with_unit_size(instance: Instance, size: Fraction) -> Instance:
    """The instance in which every size is `size` (input's unit), ticks cut so that it is a whole number."""
    ticks = size / instance.tick
    release = [r * ticks.denominator for r in instance.release]
    tick = instance.tick / ticks.denominator
    return replace(instance, tick=tick, release=release, size=[ticks.numerator] * instance.n)


def read_jobs(node: Node, least_size: int) -> Instance:
    """Read a list of jobs: exact decimals, a tick that makes all times whole, jobs sorted stably by release."""
    part = node.object("machines jobs", "machine_names planted")
    machines = part["machines"].integer(1, MOST_MACHINES)
    names = _names(part.get("machine_names"), machines)
    everywhere = tuple(range(machines))
    jobs = [_job(one, everywhere, least_size) for one in part["jobs"].items()]
    ids: list[int | str] = [job.id for job in jobs]
    _ids(Node(ids, f"{part['jobs'].at}.id"))
    per_tick = _common_denominator(part["jobs"], (x for job in jobs for x in (job.release, job.size)))
    per_unit = _common_denominator(part["jobs"], (x for job in jobs for x in (job.weight, job.rejection)))
    release = [_times(job.release, per_tick) for job in jobs]
    order = sorted(range(len(jobs)), key=release.__getitem__)
    jobs = [jobs[x] for x in order]
    number: dict[tuple[int, ...], int] = {}
    eligible = [number.setdefault(job.machines, len(number)) for job in jobs]
    return Instance(
        machines=machines,
        tick=Fraction(1, per_tick),
        weight_unit=Fraction(1, per_unit),
        ids=[job.id for job in jobs],
        release=[release[x] for x in order],
        size=[_times(job.size, per_tick) for job in jobs],
        flow_weight=[_times(job.weight, per_unit) for job in jobs],
        rejection_weight=[_times(job.rejection, per_unit) for job in jobs],
        sets=[list(one) for one in number],
        eligible=eligible,
        machine_names=names,
    )


def _times(number: Number, denominator: int) -> int:
    return number.numerator * (denominator // number.denominator)


class OwnJob(NamedTuple):
    """One job of a user's own list, in the input's units, machines from 0."""

    id: int | str
    release: Number
    size: Number
    weight: Number
    rejection: Number
    machines: tuple[int, ...]


def _job(node: Node, everywhere: tuple[int, ...], least_size: int) -> OwnJob:
    part = node.object("id r p", "w v eligible")
    name = part["id"].integer() if type(part["id"].value) is int else part["id"].text()
    release, size = part["r"].decimal(), part["p"].decimal()
    weight = part["w"].decimal() if "w" in part else 1
    rejection = part["v"].decimal() if "v" in part else weight
    if release < 0:
        part["r"].refuse("a release of at least 0")
    if size < 0 or size == 0 < least_size:
        part["p"].refuse("a size above 0")
    if weight <= 0 or rejection <= 0:
        part["w" if weight <= 0 else "v"].refuse("a weight above 0")
    machines = everywhere
    if "eligible" in part:
        listed = part["eligible"].column(None, 1, len(everywhere))
        machines = tuple(sorted({i - 1 for i in listed})) or part["eligible"].refuse("at least one machine")
    return OwnJob(name, release, size, weight, rejection, machines)


def _common_denominator(node: Node, numbers: Iterator[Number]) -> int:
    out = 1
    for number in numbers:
        if out % number.denominator:
            out = math.lcm(out, number.denominator)
        if out >= LIMIT:
            raise Malformed(node.at, f"the common denominator is {_too_long()}")
    return out


# ====================================================================== the whole document
def check_document(document: object, instance: object = None, folder: str | None = None) -> Verdict:
    """Check a parsed certificate, and, if given, that its instance is the one in the parsed file `instance`.

    `folder` is where the certificate lies. One that names a file instead of holding its instance is accepted only
    if that file is there.
    """
    own = None if instance is None else Node(instance, "--instance $")
    return _guarded(lambda: _check(Node(document), own, folder))


def check_file(path: str, instance_path: str | None = None) -> Verdict:
    """Check the certificate in a file (`-`: standard input), and that its instance is the user's own file's."""

    def run() -> Verdict:
        document = Node(_load(path))
        own = None if instance_path is None else _load_own(instance_path)
        return _check(document, own, None if path == "-" else os.path.dirname(path) or ".")

    return _guarded(run)


def _guarded(check: Callable[[], Verdict]) -> Verdict:
    try:
        return check()
    except Malformed as bad:
        return Verdict("malformed", failed=[bad.failure])


def _load(path: str) -> object:
    try:
        if path == "-":
            return read_json(sys.stdin.buffer.read())
        with open(path, "rb") as file:
            data = file.read()
    except (OSError, ValueError) as bad:
        reason = bad.strerror if isinstance(bad, OSError) else "no file name"
        raise Malformed(ascii(path), f"cannot be read: {reason}") from None
    return read_json(data)


def _load_own(path: str) -> Node:
    try:
        return Node(_load(path), "--instance $")
    except Malformed as bad:
        raise Malformed(f"--instance {bad.failure.place}", f"{bad.failure.message}; {HINT}") from None


def _check(document: Node, own: Node | None, folder: str | None) -> Verdict:
    part = document.object("format version problem goal sha256 instance evidence", "source run power")
    part["format"].one_of(FORMAT)
    part["version"].integer(VERSION, VERSION)
    name = part["problem"].one_of(*PROBLEMS, "routing")
    if ("power" in part) != (name in ("energy", "routing")):
        raise Malformed("$.power", "missing" if name in ("energy", "routing") else f"not a member for {name}")
    if name == "routing":
        return _concluded(_check_routing(document, own))
    problem = PROBLEMS[name]
    unit_size = _unit_size(part["source"]) if "source" in part else None
    instance = _instance(part["instance"], folder)
    if instance is None:
        name = describe(part["instance"].members()["file"].value)
        return Verdict("rejected", assumed=[f"everything, as the file of the instance, {name}, is not at hand"])
    power, verdict = read_power(part["power"]) if "power" in part else None, Verdict()
    jobs = f"the instance of {instance.n} jobs on {show(instance.machines)} machines"
    servers = identical_servers(instance, power) if power else ""
    _check_hash(part["sha256"], f"{problem.about}{jobs}{servers}", instance.sha256, verdict)
    if own is not None:
        judge_binding(instance, read_own(own, unit_size), unit_size, verdict)
    case = Case(problem, instance, problem.weights(instance), verdict, power)
    case.recorded = problem.read_run(part["run"], case) if "run" in part else None
    case.evidence += [judge_evidence(node, problem.rules, case) for node in part["evidence"].items()]
    _judge(part["goal"], case)
    return _concluded(verdict)


def _concluded(verdict: Verdict) -> Verdict:
    verdict.verdict = "rejected" if verdict.failed or verdict.assumed else "accepted"
    return verdict


def _check_routing(document: Node, own: Node | None) -> Verdict:
    part = document.object("format version problem power goal sha256 instance evidence")
    if own is not None:
        raise Malformed(own.at, "jobs in rounds are in no file, they cannot be compared with one")
    return check_routing(part)


def _judge(goals: Node, case: Case) -> None:
    claims = [(node.kind("claim", *case.problem.claims), node) for node in goals.items()]
    if not claims:
        goals.refuse("at least one goal")
    for claim, node in sorted(claims, key=lambda one: one[0] == "ratio"):
        CLAIMS[claim](node, case)
    judge_optimum(case)
    for e in range(len(case.evidence)):
        if e not in case.used:
            raise Malformed(f"$.evidence[{e}]", "no goal uses this evidence")


def _unit_size(node: Node) -> Fraction | None:
    part = node.object("", "file format options unit_size")
    for key in ("file", "format"):
        if key in part:
            part[key].text()
    for option in part["options"].members().values() if "options" in part else ():
        option.plain()
    return part["unit_size"].positive() if "unit_size" in part else None


def _instance(node: Node, folder: str | None) -> Instance | None:
    """The instance of the certificate; None if it is in a file that is not there."""
    if "file" not in node.members():
        return read_columns(node)
    name = node.object("file")["file"].text()
    if os.path.basename(name) != name or name in (".", "..") or set(name) & set("\\/:\0"):
        Node(name, f"{node.at}.file").refuse("the name of a file beside the certificate")
    path = os.path.join(folder or "", name)
    if folder is None or not os.path.isfile(path):
        return None
    return read_columns(Node(_load(path), f"{name!a} $"))


def _check_hash(node: Node, about: str, sha256: str, verdict: Verdict) -> None:
    if not re.fullmatch("[0-9a-f]{64}", node.text()):
        node.refuse("64 hexadecimal digits in lower case")
    if node.value == sha256:
        verdict.shown.append(f"all of this is about {about} with SHA-256 {sha256} (binding)")
    else:
        verdict.fail("binding", node.at, f"the instance has the hash {sha256}")


def main(argv: Sequence[str] | None = None) -> int:
    """Check one certificate and print the verdict; returns 0 accepted, 1 rejected, 2 malformed."""
    parser = argparse.ArgumentParser(prog="check.py", description="Check a dualfit certificate.")
    parser.add_argument("file", metavar="FILE", help="the certificate; - reads standard input")
    parser.add_argument("--instance", metavar="FILE", help="your own file of the instance, in dualfit's JSON")
    parser.add_argument("--json", action="store_true", help="print the verdict as JSON")
    try:
        options = parser.parse_args(argv)
    except SystemExit as end:
        return int(end.code or 0)
    verdict = check_file(options.file, options.instance)
    try:
        print(verdict.to_json() if options.json else verdict, flush=True)
    except OSError:  # nobody reads the words; the exit code still tells
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    return verdict.exit_code


if __name__ == "__main__":
    sys.exit(main())
