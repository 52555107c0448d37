"""Numbers of things in words."""

from __future__ import annotations


def counted(number: int, noun: str) -> str:
    """So many of them.

    >>> counted(1, "job"), counted(0, "machine")
    ('1 job', '0 machines')
    """
    return f"{number} {noun}{'' if number == 1 else 's'}"
