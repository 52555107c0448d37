"""A time limit under way."""

from __future__ import annotations

import time


class Deadline:
    """So many `seconds` from now; None is no limit.

    >>> Deadline(None).left() is None, Deadline(None).passed(), Deadline(0).left(), Deadline(0).passed()
    (True, False, 0, True)
    """

    def __init__(self, seconds: float | None) -> None:
        self._at = None if seconds is None else time.monotonic() + seconds

    def left(self) -> float | None:
        """The seconds that are left, at least 0; None without a limit."""
        return None if self._at is None else max(0, self._at - time.monotonic())

    def passed(self) -> bool:
        """Whether no time is left."""
        return self.left() == 0
