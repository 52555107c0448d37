"""Text of somebody else's, such as the id of a job, as it can be shown: on one line, and nothing moves the cursor."""

from __future__ import annotations


def printable(text: str) -> str:
    r"""The text with what cannot be printed, or turns the direction of writing, as Python's escapes.

    >>> printable("job 7, é"), printable("a\x1b[2K\nb\u202e")
    ('job 7, é', 'a\\x1b[2K\\nb\\u202e')
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
