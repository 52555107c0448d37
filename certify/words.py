"""Numbers of things in words."""

from __future__ import annotations


def counted(number: int, noun: str) -> str:
    """So many of them.

    >>> counted(1, "job"), counted(0, "machine")
    ('1 job', '0 machines')
    """
    return f"{number} {noun}{'' if number == 1 else 's'}"


def violated(number: int, of: int, noun: str) -> str:
    """How many of them are violated.

    >>> violated(1, 8, "constraint"), violated(0, 1, "dual")
    ('1 of 8 constraints violated', '0 of 1 dual violated')
    """
    return f"{number} of {counted(of, noun)} violated"


def all_hold(number: int, noun: str) -> str:
    """That all of them hold.

    >>> all_hold(8, "constraint"), all_hold(1, "dual"), all_hold(0, "dual")
    ('all 8 constraints hold', 'the one dual holds', 'no dual to hold')
    """
    return {0: f"no {noun} to hold", 1: f"the one {noun} holds"}.get(number, f"all {number} {noun}s hold")
