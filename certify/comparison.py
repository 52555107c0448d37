"""Many algorithms on one instance, with one bound on the optimum for all."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from sys import stderr
from typing import Any, NamedTuple

from certify import check
from certify.build import certify, certify_bounds, over_budget, to_text
from certify.commands.common import Input, save
from certify.evidence import Bound, best, witness_bound
from certify.problems.registry import TRACKS
from certify.problems.track import Bracket, Tell
from online import exact
from online.algorithm import Algorithm, blame, find, registered
from online.errors import InvalidInput, LimitReached, Problem
from online.run import Run
from online.speed import check_speed, play_at_speed

ALL = "all"
FASTER = "1+eps"


class Contender(NamedTuple):
    """An algorithm under the name it is shown by; `speed` is None for 1 + epsilon."""

    name: str
    base: str
    algorithm: type[Algorithm]
    speed: Fraction | None = Fraction(1)

    @classmethod
    def of(cls, name: str, problem: str) -> Contender:
        """Read a name such as `hdf`, `hdf@5/4` or `hdf@1+eps`.

        Raises: `InvalidInput` for an unknown algorithm, one for another problem, or no such speed.
        """
        base, at, speed = name.partition("@")
        algorithm = find(base, problem, "--algorithms")
        try:
            value = None if speed == FASTER else exact.rational(speed) if at else Fraction(1)
        except exact.BadNumber as bad:
            fix = f"write {base}@{FASTER} or {base}@5/4"
            raise InvalidInput(Problem("--algorithms", "no speed", str(bad), f"a number or {FASTER}", fix)) from None
        check_speed(Fraction(2) if value is None else value, algorithm)
        return cls(name, base, algorithm, value)

    def at(self, epsilon: Fraction) -> Fraction:
        """The speed where that epsilon is the budget."""
        return 1 + epsilon if self.speed is None else self.speed


def contenders(names: Iterable[str], problem: str) -> tuple[Contender, ...]:
    """The algorithms of these names, once each; `all` are those that are registered for the problem, by name."""
    wanted: dict[str, Contender] = {}
    for name in names:
        for one in _suitable(problem) if name == ALL else [name]:
            wanted.setdefault(one, Contender.of(one, problem))
    return tuple(wanted.values())


def _suitable(problem: str) -> list[str]:
    return [name for name in sorted(registered()) if problem in ((of := find(name)).problem, *of.problems)]


@dataclass(frozen=True)
class Row:
    """One contender with one epsilon: the result as JSON, in the input's units, how long it played, what failed."""

    document: dict[str, Any]
    seconds: float
    faults: tuple[Problem, ...] = ()


@dataclass(frozen=True)
class Comparison:
    """The rows, the bound that they share, and a bracket of the optimum."""

    source: Input
    problem: str
    bound: Bound | None
    bracket: Bracket
    verdict: str
    rows: tuple[Row, ...] = field(repr=False)

    @property
    def faults(self) -> tuple[Problem, ...]:
        """What is wrong with contenders that failed, once each."""
        return tuple(dict.fromkeys(problem for row in self.rows for problem in row.faults))

    @property
    def false(self) -> list[str]:
        """What is not as it should be: certificates that are not accepted, budgets that are not kept."""
        out = [] if self.verdict == "accepted" else ["the certificate of the bounds is not accepted"]
        for document in (row.document for row in self.rows if row.document["refused"] is None):
            where = f"{document['algorithm']} with epsilon {document['epsilon']}"
            out += [] if document["verdict"] == "accepted" else [f"the certificate of {where} is not accepted"]
            out += [] if document["over_budget_at"] is None else [f"{where} rejects more than its budget"]
        return out

    def to_document(self) -> dict[str, Any]:
        """One JSON object, in the input's units; without times, so that it is the same every time."""
        unit = TRACKS[self.problem].unit(self.source.instance)
        return {
            "problem": self.problem,
            "lower": "0" if self.bound is None else exact.text(self.bound.value * unit),
            "bound_from": "no jobs" if self.bound is None else self.bound.origin,
            "upper": exact.text(self.bracket.upper.value * unit),
            "upper_from": self.bracket.upper.origin,
            "skipped": list(self.bracket.skipped),
            "verdict": self.verdict,
            "rows": [row.document for row in self.rows],
            "reading": self.source.account(),
        }


def compare(
    source: Input,
    problem: str,
    epsilons: Sequence[Fraction],
    entered: Sequence[Contender],
    options: Mapping[str, Fraction],
    *,
    time_limit: float | None,
    folder: str | None,
    tell: Tell,
) -> Comparison:
    """Play every contender with every epsilon, then certify each run with the best of all bounds.

    Claim: the bound of every certificate is the same one, the largest of the ladder's and all witnesses'. A contender
    that does not admit the instance, reaches a limit, or fails has a row that says so. `time_limit`, in seconds, is for
    the ladder alone.

    Raises: `InvalidInput` with all that failed, if nobody has run.
    """
    games = []
    for one in entered:
        for epsilon in epsilons:
            tell(f"running {one.name} with epsilon {epsilon}")
            games.append(_Game.play(source, one, epsilon, options))
    _refuse_if_nobody(games)
    bracket = TRACKS[problem].bracket(source.instance, "best", time_limit, tell)
    bound = best([bracket.lower, *(game.bound for game in games)])
    rows = []
    for game in games:
        tell(f"certifying {game.contender.name} with epsilon {game.epsilon}")
        rows.append(Row(game.result(source, problem, bound, folder), game.seconds, game.faults))
    tell("checking the bounds")
    verdict = _check_bounds(source, problem, bracket, bound, folder)
    return Comparison(source, problem, bound, bracket, verdict, tuple(rows))


def _refuse_if_nobody(games: Sequence[_Game]) -> None:
    faults = [problem for game in games for problem in game.faults]
    if faults and all(game.run is None for game in games):
        raise InvalidInput(tuple(dict.fromkeys(faults)))


def _check_bounds(source: Input, problem: str, bracket: Bracket, bound: Bound | None, folder: str | None) -> str:
    lower = [] if bound is None else [bound]
    document = certify_bounds(source.instance, problem, lower, bracket.upper, source.source)
    _save(folder, "bounds.cert.json", document, source)
    return check.check_document(document).verdict


def _save(folder: str | None, name: str, document: dict[str, Any], source: Input) -> str | None:
    if folder is None:
        return None
    path = str(Path(folder) / name)
    save(path, to_text(document), source.file)
    return path


class _NotAdmitted(Exception):
    """The algorithm is not made for the instance."""


def _admit(source: Input, one: Contender) -> None:
    try:
        one.algorithm.admits(source.instance)
    except InvalidInput as refused:
        raise _NotAdmitted(str(refused)) from None
    except BaseException as failed:
        blame(one.base, "admits()", failed)


@dataclass(frozen=True)
class _Game:
    """A run, or why there is none, and the bound of its witness."""

    contender: Contender
    epsilon: Fraction
    run: Run | None
    refused: str | None
    bound: Bound | None
    seconds: float
    faults: tuple[Problem, ...] = ()

    @classmethod
    def play(cls, source: Input, one: Contender, epsilon: Fraction, options: Mapping[str, Fraction]) -> _Game:
        own = {key: value for key, value in options.items() if key in one.algorithm.options}
        speed = one.at(epsilon)
        start = time.perf_counter()
        try:
            with redirect_stdout(stderr):
                _admit(source, one)
                run = play_at_speed(source.instance, one.algorithm, epsilon, speed, name=one.base, options=own)
                seconds = time.perf_counter() - start
                return cls(one, epsilon, run, None, witness_bound(run, one.algorithm), seconds)
        except (_NotAdmitted, LimitReached) as failed:
            return cls(one, epsilon, None, str(failed), None, time.perf_counter() - start)
        except InvalidInput as failed:
            return cls(one, epsilon, None, str(failed), None, time.perf_counter() - start, failed.problems)

    @property
    def file(self) -> str:
        """The name of its certificate."""
        name = re.sub("[^A-Za-z0-9.@+_-]", "_", self.contender.name.replace("/", "-over-"))
        return f"{name}-eps-{str(self.epsilon).replace('/', '-over-')}.cert.json"

    def result(self, source: Input, problem: str, bound: Bound | None, folder: str | None) -> dict[str, Any]:
        head = {
            "algorithm": self.contender.name,
            "epsilon": exact.text(self.epsilon),
            "speed": exact.text(self.contender.at(self.epsilon)),
            "refused": self.refused,
            "failed": bool(self.faults),
        }
        return head if self.run is None else head | self._certified(self.run, source, problem, bound, folder)

    def _certified(
        self, run: Run, source: Input, problem: str, bound: Bound | None, folder: str | None
    ) -> dict[str, Any]:
        with redirect_stdout(stderr):
            extra = [] if bound is None else [bound]
            certified = certify(run, self.contender.algorithm, extra=extra, source=source.source)
        verdict = check.check_document(certified.document)
        position, instance = over_budget(run), run.instance
        *_, (rejected, arrived) = [(0, 0), *run.prefixes()]
        of = instance.weight_unit if run.budget == "rejection" else 1
        return {
            "objective": exact.text(run.objective * TRACKS[problem].unit(instance)),
            "ratio": None if certified.ratio is None else exact.text(certified.ratio),
            "rejected": run.rejected_count,
            "jobs": instance.n,
            "budget": run.budget,
            "rejected_weight": exact.text(rejected * of),
            "arrived_weight": exact.text(arrived * of),
            "over_budget_at": None if position is None else instance.ids[position],
            "verdict": verdict.verdict,
            "certificate": _save(folder, self.file, certified.document, source),
        }
