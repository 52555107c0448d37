"""Snapshots of results: a folder of instances with what came out for them, and a later run that says what changed.

In a test of one's own: `assert check("tests/instances") == []`.
"""

from certify.regress.comparison import check, compared
from certify.regress.difference import Difference
from certify.regress.recording import record

__all__ = ["Difference", "check", "compared", "record"]
