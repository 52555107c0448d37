"""Snapshots of results: a folder of instances with what came out for them, and a later run that says what changed.

>>> from certify.regress import check    # in a test: assert check("instances") == []
"""

from certify.regress.difference import Difference
from certify.regress.session import check, compared, record

__all__ = ["Difference", "check", "compared", "record"]
