"""Settings of a suite that mean nothing: told by the name of the attribute, and blamed on nobody's algorithm."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from online.errors import InvalidInput, Problem, typed, worded

VALUES = ("out of range", "must be positive", "bad seed", "bad option")
"""How classes refuse the value of an option."""


def called(subject: object) -> str:
    """Whatever stands where a class or its name is expected, in words."""
    if isinstance(subject, str):
        return subject
    return f"{getattr(subject, '__module__', '')}:{getattr(subject, '__qualname__', worded(subject))}"


def needed(suite: object, name: str, expected: str) -> None:
    """Raises: `InvalidInput` if an attribute is not set."""
    if not hasattr(suite, name):
        raise InvalidInput(Problem(name, "missing", "nothing", expected, f"set {name} in the class"))


def check_kind(name: str, value: object, kinds: tuple[type, ...], expected: str) -> None:
    """Raises: `InvalidInput` for an attribute of another type."""
    if type(value) not in kinds:
        raise InvalidInput(Problem(name, "of another type", typed(value), expected, f"correct {name}"))


def check_options(options: object) -> None:
    """Raises: `InvalidInput` for anything but numbers by name."""
    if not isinstance(options, Mapping) or not all(isinstance(key, str) for key in options):
        raise InvalidInput(Problem("options", "of another type", typed(options), "numbers by name", "correct options"))


def check_examples(examples: object) -> None:
    """Raises: `InvalidInput` for a number of instances that is none."""
    check_kind("examples", examples, (int,), "a whole number of at least 1")
    if isinstance(examples, int) and examples < 1:
        expected = "a whole number of at least 1"
        raise InvalidInput(Problem("examples", "too few", str(examples), expected, "try some"))


def check_values(made: Callable[[], object]) -> None:
    """Play once, and look at what the class itself says of the values of its options.

    Raises: `InvalidInput` naming the option.
    """
    try:
        made()
    except InvalidInput as refused:
        if any(words in refused.problems[0].reason for words in VALUES):
            raise
