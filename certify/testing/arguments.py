"""What a test gives: an instance, exact numbers; and refusals in words that somebody who writes a test knows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from online.errors import InvalidInput, Problem, typed
from online.instance import Instance

OPTION = re.compile(r"(?<![\w-])--(?=[a-z])")
"""How an option of the command line begins."""


def checked_instance(instance: object) -> Instance:
    """Raises: `InvalidInput` for anything but an instance."""
    if not isinstance(instance, Instance):
        expected, fix = "an online.instance.Instance", "make one with Instance.from_rows(machines, rows)"
        raise InvalidInput(Problem("instance", "of another type", typed(instance), expected, fix))
    return instance


@contextmanager
def without_options() -> Iterator[None]:
    """Refusals inside speak of `alpha`, not of `--alpha`, as there is no command line here.

    Raises: `InvalidInput` with what it was caused by.
    """
    try:
        yield
    except InvalidInput as refused:
        problems = [
            replace(one, **{name: OPTION.sub("", getattr(one, name)) for name in ("place", "expected", "fix")})
            for one in refused.problems
        ]
        raise InvalidInput(problems).with_traceback(refused.__traceback__) from refused.__cause__
