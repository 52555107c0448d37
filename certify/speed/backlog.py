"""Backlog tables: a ratio for SRPT at speed rule (5) that holds against every schedule while few jobs are unfinished.

A table is a potential and a ratio c. It is valid if for all n <= N and all n_o

    n + a P(s) - s (sum of step((n - n_o - i + 1)^+) over i <= a, plus a linear)
      + sum of c P*((step((n - i + 1)^+) + linear) / c) over i <= min(m, n_o)  <=  c n_o,    a = min(n, m), step(0) = 0,

for every speed s that SRPT may have with n jobs. Then cost <= c OPT on every instance on which at most N jobs are
unfinished at a time (SPEED.md, "Backlog"). Rational arithmetic decides; the linear program only proposes.

Shipped: `backlog.json`, made by `python -m certify.speed.backlog > certify/speed/backlog.json`.

Source: SPEED.md, "Backlog"; Multiple server SRPT with speed scaling is competitive, (6) and (7), with other constants.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from importlib.resources import files
from itertools import accumulate
from typing import Any

from certify.speed.verify import backlog_fault
from lp.backlog import propose_potential
from online import exact
from online.errors import InvalidInput, LimitReached, Problem
from online.speed.power import power_law

GRID = 1 << 20
DIAL_BITS = 16
"""Dials of at least so many significant bits are covered."""

ALPHAS = ("3/2", "2", "5/2", "3")
MACHINES = (1, 2, 3, 4, 8)
BACKLOGS = (3, 5, 8, 12, 20, 40)
MOST_MACHINES = 64
"""On more servers no table is looked for: to check one takes time of the order of their square."""


@dataclass(frozen=True)
class Table:
    """Steps, linear part and ratio, for P(s) = s^alpha, `machines` servers and backlogs up to `len(steps)`.

    >>> small = propose_table(Fraction(2), 2, 3)
    >>> small.valid(), exact.decimal(small.ratio, 3)
    (True, '~1.225')
    """

    alpha: Fraction
    machines: int
    steps: tuple[Fraction, ...]
    linear: Fraction
    ratio: Fraction

    @property
    def backlog(self) -> int:
        """The most unfinished jobs at a time."""
        return len(self.steps)

    def dials(self, n: int) -> tuple[Fraction, Fraction]:
        """All dials of SRPT with n jobs, rounded down to `DIAL_BITS` or more significant bits, lie between these."""
        if n == 0:
            return Fraction(0), Fraction(0)
        low = power_law(self.alpha).dial_for_power(max(Fraction(n, self.machines), Fraction(1)), DIAL_BITS)
        return low, low * (1 + Fraction(2, 1 << DIAL_BITS))

    def valid(self) -> bool:
        """Whether the table proves its ratio at both ends of the dials, hence between: the left side is convex in s."""
        dials = [self.dials(n) for n in range(self.backlog + 1)]
        return not backlog_fault(self.alpha, self.machines, self.steps, self.linear, self.ratio, dials)

    def to_document(self) -> dict[str, Any]:
        """One JSON object; numbers are `p/q` strings."""
        return {
            "alpha": exact.text(self.alpha),
            "machines": self.machines,
            "steps": [exact.text(step) for step in self.steps],
            "linear": exact.text(self.linear),
            "ratio": exact.text(self.ratio),
        }


def propose_table(alpha: Fraction, machines: int, backlog: int) -> Table:
    """The table that the linear program proposes, rounded, and then proved.

    Claim: valid. The ratio is the program's times 1 + 2^-k, with the largest k <= 18 that proves it; the steps grow as
    much, the linear part half as much, which gives room to every inequality.

    Raises: `LimitReached` if the solver has no answer, or none that can be proved.
    """
    found = propose_potential(alpha.numerator / alpha.denominator, machines, backlog)
    for k in range(18, 5, -1):
        factor = 1 + Fraction(1, 1 << k)
        steps = tuple(accumulate((_rounded(step, factor) for step in found.steps), max))
        linear = _rounded(found.linear, (1 + factor) / 2)
        table = Table(alpha, machines, steps, linear, _rounded(found.ratio, factor))
        if table.valid():
            return table
    raise LimitReached(f"no table could be proved for {machines} servers and {backlog} jobs at s^({alpha})")


def _rounded(value: float, factor: Fraction) -> Fraction:
    return Fraction(round(Fraction(value) * factor * GRID), GRID)


@cache
def shipped() -> dict[tuple[Fraction, int, int], Table]:
    """The tables that come with dualfit, by alpha, servers and backlog."""
    found = json.loads(files("certify.speed").joinpath("backlog.json").read_text(encoding="utf-8"))
    return {(table.alpha, table.machines, table.backlog): table for table in map(_read, found["tables"])}


@cache
def backlog_table(alpha: Fraction, machines: int, backlog: int) -> Table:
    """A valid table for a run with at most `backlog` unfinished jobs: a shipped one if it fits, else a new one.

    The shipped table is that of the next larger backlog, checked again before it is used.

    Raises: `LimitReached` if none is found, and for more than `MOST_MACHINES` servers.
    """
    if machines > MOST_MACHINES:
        raise LimitReached(f"tables are for at most {MOST_MACHINES} servers")
    fitting = [size for size in BACKLOGS if size >= backlog]
    table = shipped().get((alpha, machines, fitting[0])) if fitting else None
    if table is None or not table.valid():
        table = propose_table(alpha, machines, max(1, backlog))
    return table


def _read(document: dict[str, Any]) -> Table:
    steps = tuple(exact.rational(step) for step in document["steps"])
    alpha, linear, ratio = (exact.rational(document[name]) for name in ("alpha", "linear", "ratio"))
    if any(step < 0 for step in steps) or list(steps) != sorted(steps) or linear < 0 or ratio <= 0:
        raise InvalidInput(
            Problem("backlog table", "not a potential", "falling or negative steps", "steps >= 0", "reinstall dualfit")
        )
    return Table(alpha, document["machines"], steps, linear, ratio)


def shipped_text() -> Iterator[str]:
    """The lines of backlog.json, made anew."""
    tables = [(Fraction(alpha), m, backlog) for alpha in ALPHAS for m in MACHINES for backlog in BACKLOGS]
    yield '{"format": "dualfit-backlog-tables", "version": 1, "tables": ['
    for k, (alpha, m, backlog) in enumerate(tables):
        comma = "," if k + 1 < len(tables) else ""
        yield json.dumps(propose_table(alpha, m, backlog).to_document()) + comma
    yield "]}"


if __name__ == "__main__":
    for line in shipped_text():
        print(line, flush=True)
