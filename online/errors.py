"""Two families of failure, told apart everywhere: input that is invalid, and a claim that is false.

Source: none; the exit codes below are those of the command line.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from online.printable import printable


class DualfitError(Exception):
    """Anything dualfit refuses to go on with; `exit_code` is what the command line returns.

    `printed` if the result stands on standard output already.
    """

    exit_code = 2
    printed = False


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong with an input: where, what, what was got, what was expected, how to fix it.

    `reason` is a short stable phrase under which equal problems are counted.

    >>> print(Problem("jobs.csv:7", "zero size", "size 0", "a size > 0", "remove the job"))
    jobs.csv:7: zero size: got size 0, expected a size > 0; to fix: remove the job
    """

    place: str
    reason: str
    got: str
    expected: str
    fix: str

    def __str__(self) -> str:
        return printable(f"{self.place}: {self.reason}: got {self.got}, expected {self.expected}; to fix: {self.fix}")


class InvalidInput(DualfitError):
    """The input cannot be used; carries every problem found, the message shows the first twenty."""

    exit_code = 2
    shown = 20

    def __init__(self, problems: Problem | Sequence[Problem], *, printed: bool = False) -> None:
        self.printed = printed
        self.problems: tuple[Problem, ...] = (problems,) if isinstance(problems, Problem) else tuple(problems)
        lines = [str(problem) for problem in self.problems[: self.shown]]
        hidden = len(self.problems) - len(lines)
        if hidden > 0:
            lines.append(f"... and {hidden} more problems of this input")
        super().__init__("\n".join(lines))

    def __reduce__(self) -> tuple[type[InvalidInput], tuple[tuple[Problem, ...]]]:
        """The same problems again when a process hands it to another."""
        return type(self), (self.problems,)


def one_line(text: str) -> str:
    """The first line that says something, at most 200 characters of it, with nothing that moves the cursor.

    >>> one_line("\\n no\\tmachine\\nat all"), one_line("")
    ('no\\\\tmachine ...', '')
    """
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    first = printable(lines[0][:200]) if lines else ""
    return first + " ..." if len(lines) > 1 or (lines and len(lines[0]) > 200) else first


def worded(value: object) -> str:
    """What somebody's own code returned, in one line; that it cannot be shown, where it cannot.

    >>> worded(3), worded("a\\nb")
    ('3', "'a\\\\nb'")
    """
    try:
        return one_line(repr(value))
    except Exception:
        return "something that cannot be shown"


def typed(value: object) -> str:
    """The same with its type.

    >>> typed(True), typed("a")
    ('True, a bool', "'a', a str")
    """
    kind = type(value)
    name = kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"
    return f"{worded(value)}, a {name}"


def told(failed: BaseException) -> str:
    """Kind and first line of what was raised.

    >>> told(ValueError("no machine")), told(MemoryError())
    ('ValueError: no machine', 'MemoryError')
    """
    try:
        words = one_line(str(failed))
    except Exception:
        words = ""
    return f"{type(failed).__name__}: {words}" if words else type(failed).__name__


class FalseClaim(DualfitError):
    """A claim was checked in exact arithmetic and does not hold."""

    exit_code = 1

    def __init__(self, message: str, *, printed: bool = False) -> None:
        self.printed = printed
        super().__init__(message)


class Incomplete(FalseClaim):
    """Nothing was found to be false, but not all that was asked for could be said."""


class Unproven(FalseClaim):
    """Nothing was found to be false, but what was stated is not shown either."""


class LimitReached(DualfitError):
    """A stated limit (size, time) ended the work before there was an answer."""

    exit_code = 3
