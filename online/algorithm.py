"""The interface of an online algorithm, and how one is found by name.

An algorithm sees jobs one by one and answers with a machine, or None to reject. A class of your own runs with
`--algorithm package.module:Class`, or under a short name through the entry-point group `dualfit.algorithms`.
"""

from __future__ import annotations

import importlib
import inspect
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, Self, TypeAlias

from online.errors import DualfitError, InvalidInput, Problem, told, worded
from online.instance import Instance, Job

if TYPE_CHECKING:
    from online.load_witness import LoadWitness
    from online.run import Phase, Run
    from online.weighted.trail import Trail
    from online.witness import Witness

    Explanation: TypeAlias = Witness | LoadWitness | Trail

GROUP = "dualfit.algorithms"

PROBLEMS = ("max-flow", "load", "weighted", "two-weights", "stretch")
"""The objectives that there are."""


@dataclass(frozen=True)
class Setting:
    """What an online algorithm may know before the first job: no size, no release, no job count.

    `guess` is in ticks, times flow weight units for weighted problems, a plain number for stretch (None if the
    algorithm takes none); `epsilon` is the rejection budget in (0, 1], `tick` a tick's length in the input's unit;
    `options` are constants that were given.
    """

    machines: int
    epsilon: Fraction
    guess: Fraction | None = None
    tick: Fraction = Fraction(1)
    options: Mapping[str, Fraction] = field(default_factory=dict)


class Algorithm:
    """What all algorithms have: the problem that they are meant for, and why what they did was right.

    Class attributes: `problem` is the objective, `problems` are further ones that it can be run for; `takes_guess` says
    whether it needs a guess of the offline optimum (then guess-and-double runs it when none is given); `options` are
    the names of further constants that a user may set.
    """

    problem: ClassVar[str] = "max-flow"
    problems: ClassVar[tuple[str, ...]] = ()
    takes_guess: ClassVar[bool] = True
    options: ClassVar[tuple[str, ...]] = ()

    @classmethod
    def for_problem(cls, problem: str, name: str | None = None, option: str = "--algorithm") -> type[Self]:
        """This class where `problem` is its own, else a subclass for that problem.

        `name` is what the user called it, with an `option`.

        Raises: `InvalidInput` for a problem that is not one of its `problems`.
        """
        if problem not in (cls.problem, *cls.problems):
            _wrong_problem(cls, problem, name or cls.__qualname__, option)
        own: Any = cls
        adapted: type[Self] = own if cls.problem == problem else _adapted(own, problem)
        return adapted

    @classmethod
    def admits(cls, instance: Instance) -> None:
        """Raise `InvalidInput` if the algorithm is not made for such an instance; by default all pass."""

    @classmethod
    def shown(cls, run: Run) -> dict[str, str]:
        """The constants that a run was made with, by name, for readers."""
        return {name: str(value) for name, value in run.constants.items()}

    @classmethod
    def explain(cls, run: Run, phase: Phase) -> Explanation | None:
        """The witness of one phase of a run of this algorithm; None if it has none."""
        return None


class OnlineAlgorithm(Algorithm, ABC):
    """An online algorithm for one problem: `arrive` decides, `explain` says why it was right.

    Claim: what `arrive` returns is final, but for jobs that `prune` rejects later; where the problem has time, the
    accepted jobs of a machine are run first in, first out.

    >>> class FirstEligible(OnlineAlgorithm):
    ...     takes_guess = False
    ...     def arrive(self, job):
    ...         return job.eligible[0]
    """

    def __init__(self, setting: Setting) -> None:
        self.setting = setting

    @abstractmethod
    def arrive(self, job: Job) -> int | None:
        """Dispatch the job to one of `job.eligible`, or return None to reject it."""

    def prune(self) -> Sequence[int]:
        """Called after each `arrive`: positions of earlier accepted jobs, or of this one, to reject now after all.

        For `load` alone: in a problem with time such a job may be running, and an `Engine` says what becomes of it.
        """
        return ()

    def finish(self) -> None:
        """Called once after the last job of the phase; for clean-up and bookkeeping."""

    @classmethod
    def first_guess(cls, instance: Instance) -> Fraction:
        """Where guess-and-double starts: what the first job costs by itself. Source: [R] Figures 2 and 6."""
        if cls.problem == "stretch":
            return Fraction(1)
        weight = int(instance.flow_weight[0]) if cls.problem in ("weighted", "two-weights") else 1
        return Fraction(weight * int(instance.size[0]))


class Engine(Algorithm, ABC):
    """An algorithm that plays a whole instance itself: it preempts, and rejects at times of its own.

    Claim: what `play` returns depends on a job only from its release on. Pieces may be put together where nothing
    happens in between, as algorithm B's are: then that holds for decisions and times of completion.
    """

    @classmethod
    @abstractmethod
    def play(
        cls,
        instance: Instance,
        epsilon: Fraction,
        *,
        guess: Fraction | None,
        name: str,
        options: Mapping[str, Fraction],
    ) -> Run:
        """The run with at most an epsilon share rejected; `guess` in the objective's units, None: guess and double."""


@cache
def _adapted(algorithm: Any, problem: str) -> Any:
    namespace = {"problem": problem, "__module__": algorithm.__module__, "__doc__": algorithm.__doc__}
    return type(algorithm.__name__, (algorithm,), namespace)


def _wrong_problem(algorithm: type[Algorithm], problem: str, name: str, option: str) -> NoReturn:
    got = f"{name}, which is for {' and '.join((algorithm.problem, *algorithm.problems))}"
    fix = f"change {option} or the problem"
    raise InvalidInput(Problem(option, "wrong problem", got, f"an algorithm for {problem}", fix))


def blame(name: str, where: str, failed: BaseException) -> NoReturn:
    """Turn whatever an algorithm's own code raised into a refusal; interrupts and our own refusals pass.

    Raises: `InvalidInput` naming the class and the method.
    """
    if isinstance(failed, DualfitError | KeyboardInterrupt):
        raise failed
    raise InvalidInput(
        Problem(name, f"failed in {where}", told(failed), "no exception", "correct the class")
    ) from failed


def shown(algorithm: type[Algorithm], run: Run) -> dict[str, str]:
    """`algorithm.shown(run)`, if it is text by name.

    Raises: `InvalidInput` naming the class.
    """
    try:
        constants = algorithm.shown(run)
        if not (
            isinstance(constants, dict) and all(isinstance(one, str) for both in constants.items() for one in both)
        ):
            raise TypeError(f"returned a {type(constants).__name__}, expected a dict of text by name")
    except BaseException as failed:
        blame(run.algorithm, "shown()", failed)
    return constants


def registered() -> dict[str, EntryPoint]:
    """The algorithms of the entry-point group, by short name."""
    return {entry.name: entry for entry in entry_points(group=GROUP)}


def find(name: str, problem: str | None = None, option: str = "--algorithm") -> type[Algorithm]:
    """The algorithm class of an entry point, or of a `package.module:Class`; for `problem`, if one is given.

    `option` is where the user gave the name.

    Raises: `InvalidInput` when there is no such class, naming the known ones, or it is not for the problem.
    """
    known = registered()
    if name in known or ":" in name:
        found = imported(known[name].value if name in known else name, option)
    else:
        _unknown(option, name, f"one of {', '.join(sorted(known)) or 'none'}, or package.module:Class")
    found = usable(found, name, option)
    return found if problem is None else found.for_problem(problem, name, option)


def usable(found: object, name: str, option: str = "--algorithm") -> type[Algorithm]:
    """The class, if runs can be made with it; `name` is what the user called it, with an `option`.

    Raises: `InvalidInput` for anything else than a class that decides, and for attributes that say nothing.
    """
    if not (isinstance(found, type) and issubclass(found, Algorithm)) or inspect.isabstract(found):
        _unknown(option, name, "a subclass of OnlineAlgorithm that defines arrive(), or of Engine that defines play()")
    _check_class(name, found)
    return found


def _check_class(name: str, found: type[Algorithm]) -> None:
    """Raises: `InvalidInput` for class attributes that say nothing that can be used."""
    for attribute in ("problems", "options"):
        value = getattr(found, attribute)
        if not isinstance(value, tuple | list) or not all(isinstance(one, str) for one in value):
            _bad_attribute(name, attribute, value, "a tuple of names")
    if not isinstance(found.takes_guess, bool):
        _bad_attribute(name, "takes_guess", found.takes_guess, "True or False")
    for one in (found.problem, *found.problems):
        if one not in PROBLEMS:
            _bad_attribute(name, "problem", one, f"one of {', '.join(PROBLEMS)}")


def _bad_attribute(name: str, attribute: str, got: object, expected: str) -> NoReturn:
    place = f"{name}.{attribute}"
    raise InvalidInput(Problem(place, "unusable class attribute", worded(got), expected, "correct the class"))


def imported(name: str, option: str = "--algorithm") -> object:
    """What a `package.module:Class` names. Raises: `InvalidInput` naming the option that it came from."""
    module, _, attribute = name.partition(":")
    try:
        return getattr(importlib.import_module(module), attribute)
    except KeyboardInterrupt:
        raise
    except BaseException as failed:
        raise InvalidInput(
            Problem(
                option,
                "cannot be imported",
                f"{name!r} ({told(failed)})",
                "an importable package.module:Class",
                "check the name and that its folder is on PYTHONPATH",
            )
        ) from failed


def _unknown(option: str, name: str, expected: str) -> NoReturn:
    raise InvalidInput(Problem(option, "unknown algorithm", repr(name), expected, "choose another name"))
