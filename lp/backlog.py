"""The potential that proves the smallest ratio for SRPT with a bounded backlog, by a linear program with tangents.

With y_i = step(i) / c, z = linear / c and k = 1 / c the condition of certify/SPEED.md, "Backlog", reads

    k (n + a P(s_n)) <= s_n (sum of y_{(n - n_o - i + 1)^+} over i <= a, plus a z) - sum of h_{(n - i + 1)^+} + n_o

for all n <= N and n_o <= max(N, m), where a = min(n, m), the second sum is over i <= min(m, n_o), y_0 = 0, and
h_i >= P*(y_i + z) by tangents of P*. Maximise k. The answer is a proposal: nothing is claimed until it is checked.

Source: certify/SPEED.md, "Backlog".
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from lp.backend import solve
from lp.program import GE, LE, LinearProgram, Row
from online.errors import LimitReached

ROUNDS = 40
CLOSE = 1e-7


class Proposal(NamedTuple):
    """Steps of a potential and its linear part, as floats, and the ratio that they should prove."""

    steps: list[float]
    linear: float
    ratio: float


class _Program(NamedTuple):
    """Columns: y_1 ... y_N, z, h_0 ... h_N, k."""

    alpha: float
    machines: int
    backlog: int

    def speed(self, n: int) -> float:
        """Speed rule (5)."""
        return float(max(n / self.machines, 1.0) ** (1 / self.alpha))

    def rows(self) -> Iterator[Row]:
        """One row for each n and n_o, and steps that do not fall."""
        N, m = self.backlog, self.machines
        for n in range(N + 1):
            a, speed = min(n, m), self.speed(n)
            for held in range(max(N, m) + 1):
                row: defaultdict[int, float] = defaultdict(float)
                row[2 * N + 2] = n + a * speed**self.alpha
                row[N] -= a * speed
                for i in range(n - held - a + 1, n - held + 1):
                    if i > 0:
                        row[i - 1] -= speed
                for i in range(min(m, held)):
                    row[N + 1 + max(n - i, 0)] += 1
                yield dict(row), LE, held
        for i in range(1, N):
            yield {i: 1.0, i - 1: -1.0}, GE, 0.0

    def tangent(self, i: int, speed: float) -> Row:
        """h_i >= speed (y_i + z) - P(speed)."""
        row = {self.backlog + 1 + i: 1.0, self.backlog: -speed}
        if i:
            row[i - 1] = -speed
        return row, GE, -(speed**self.alpha)

    def missed(self, x: list[float]) -> list[Row]:
        """The tangents of P* at the answer where it lies below P*."""
        out = []
        for i in range(self.backlog + 1):
            speed = ((x[self.backlog] + (x[i - 1] if i else 0.0)) / self.alpha) ** (1 / (self.alpha - 1))
            if (self.alpha - 1) * speed**self.alpha > x[self.backlog + 1 + i] + CLOSE:
                out.append(self.tangent(i, speed))
        return out


def propose_potential(alpha: float, machines: int, backlog: int) -> Proposal:
    """The best table for P(s) = s^alpha and at most `backlog` >= 1 unfinished jobs at a time, up to floats.

    Raises: `LimitReached` if the solver ends without an answer.
    """
    program = _Program(alpha, machines, backlog)
    rows, width = list(program.rows()), 2 * backlog + 3
    top = 2 * program.speed(backlog)
    rows += [program.tangent(i, top * k / 16) for i in range(backlog + 1) for k in range(1, 17)]
    cost = [0.0] * (width - 1) + [-1.0]
    for _ in range(ROUNDS):
        found = solve(LinearProgram.of(cost, rows, upper=[1e4] * (width - 1) + [1.0]))
        if found.x is None:
            raise LimitReached(f"no potential for {machines} servers and {backlog} jobs: {found.reason}")
        x = [max(0.0, value) for value in found.x.tolist()]
        missed = program.missed(x)
        if not missed:
            break
        rows += missed
    ratio = 1 / x[-1]
    return Proposal([ratio * y for y in x[:backlog]], ratio * x[backlog], ratio)
