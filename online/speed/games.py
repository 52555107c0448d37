"""Games against routing without migration: instances on which any speeds cost m^{1 - 1/alpha} times the optimum.

All jobs are released at 0 and arrive one after another. Costs are for P(s) = s^alpha in units of mu0 ticks, where mu0 =
min_s (1 + P(s)) / s; a factor c of P scales all costs alike.

Proof of both bounds, with r = 1 - 1/alpha: while k jobs are left on a server, a tick of work costs at least
min_s (k + P(s)) / s = mu0 k^r, and the work done with at most k jobs left is at most that of the k largest. So a server
with sizes w_1 >= w_2 >= ... costs at least the sum of k^r w_k whatever its order and speeds, and shortest first at the
best speeds costs just that.

Source: [S], Lemma 6 and what follows it (immediate dispatch), and the lower bound for non-migratory SRPT; the
instances are ours.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

from online import exact
from online.errors import FalseClaim, InvalidInput, LimitReached, Problem
from online.fit import fitted
from online.instance import Instance
from online.speed.forced import FORCED
from online.speed.policy import SpeedSetting, find_policy
from online.speed.power import power_law
from online.speed.station import Station
from online.speed.sums import sum_lower, sum_upper

MOST_JOBS = 10**6
"""More jobs are not written out."""


class Block(NamedTuple):
    """`jobs` jobs of sizes from `low` to `high` ticks."""

    low: int
    high: int
    jobs: int


class Sent(NamedTuple):
    """A job of `size` ticks and the server, from 0, that the policy sends it to."""

    size: int
    server: int


@dataclass(frozen=True)
class Game:
    """Jobs in order of arrival and where they are sent: first `before`, then `rounds` times `each`.

    If `falling`, the jobs of each round are one tick smaller than those of the round before. `policies` are the ones
    that are claimed to route so.
    """

    policies: tuple[str, ...]
    machines: int
    alpha: Fraction
    before: tuple[Sent, ...]
    each: tuple[Sent, ...]
    rounds: int
    falling: bool = False
    tick: Fraction = Fraction(1)

    @property
    def jobs(self) -> int:
        """Number of jobs."""
        return len(self.before) + self.rounds * len(self.each)

    def arrivals(self) -> Iterator[Sent]:
        """The jobs one by one. Raises: `LimitReached` over `MOST_JOBS`."""
        if self.jobs > MOST_JOBS:
            raise LimitReached(f"a game of {self.jobs} jobs is not written out; the limit is {MOST_JOBS}")
        yield from self.before
        for k in range(self.rounds):
            yield from (Sent(size - k * self.falling, server) for size, server in self.each)

    def instance(self) -> Instance:
        """The game's instance. Raises: `LimitReached` over `MOST_JOBS` jobs."""
        sizes = [sent.size for sent in self.arrivals()]
        everywhere = [tuple(range(self.machines))]
        zeros = [0] * len(sizes)
        return Instance.from_columns(
            self.machines, release=zeros, size=sizes, eligible_set=zeros, sets=everywhere, tick=self.tick
        )

    def blocks(self, jobs: Iterable[Sent], rounds: Iterable[Sent]) -> list[Block]:
        """These jobs and rounds, largest first."""
        fall = (self.rounds - 1) * self.falling
        found = [Block(size, size, 1) for size, _ in jobs]
        found += [Block(size - fall, size, self.rounds) for size, _ in rounds]
        return sorted(found, reverse=True)

    @cached_property
    def servers_lower(self) -> list[Fraction]:
        """At most what each server costs in a schedule in which the jobs run where they are sent, in mu0 ticks."""
        return [self._server_lower(k) for k in range(self.machines)]

    def _server_lower(self, server: int) -> Fraction:
        jobs = (sent for sent in self.before if sent.server == server)
        rounds = (sent for sent in self.each if sent.server == server)
        blocks = self.blocks(jobs, rounds)
        return _weighed([(block.low, block.jobs) for block in blocks], self._r, sum_lower)

    @property
    def policy_lower(self) -> Fraction:
        """At most the cost of every schedule in which the jobs run where they are sent, in mu0 ticks."""
        return sum(self.servers_lower, Fraction(0))

    @cached_property
    def servers_upper(self) -> list[Fraction]:
        """At least what each server costs if every block is dealt evenly, each server shortest first, in mu0 ticks."""
        blocks = self.blocks(self.before, self.each)
        merged: dict[int, int] = {}
        for _, size, count in blocks:
            merged[size] = merged.get(size, 0) + count
        sizes = sorted(merged, reverse=True)
        dealt = [[(w, _share(merged[w], self.machines, k)) for w in sizes] for k in range(self.machines)]
        return [_weighed(server, self._r, sum_upper) for server in dealt]

    @property
    def optimum_upper(self) -> Fraction:
        """At least the cost of a schedule, in mu0 ticks."""
        return sum(self.servers_upper, Fraction(0))

    @property
    def ratio_lower(self) -> Fraction:
        """At most the ratio of the policies on this instance, whatever their speeds and orders."""
        return self.policy_lower / self.optimum_upper

    @property
    def _r(self) -> Fraction:
        return 1 - 1 / self.alpha

    def to_document(self, policy: str) -> dict[str, Any]:
        """The evidence that a policy has at least this ratio: whole numbers and texts only."""
        return {
            "policy": policy,
            "machines": self.machines,
            "alpha": exact.text(self.alpha),
            "before": [list(sent) for sent in self.before],
            "each": [list(sent) for sent in self.each],
            "rounds": self.rounds,
            "falling": self.falling,
            "ratio": exact.text(self.ratio_lower),
        }

    def prove(self, policy: str | None = None) -> None:
        """Show for all rounds at once that a policy must route so, by default each one that is claimed to.

        Raises: `FalseClaim` naming what goes elsewhere.
        """
        for name in self.policies if policy is None else (policy,):
            fault = FORCED[name](self.machines, self.before, self.each, self.rounds, self.falling)
            if fault:
                raise FalseClaim(f"{name}: {fault}")

    def replay(self, policy: str | None = None) -> None:
        """Let a policy's own code route the jobs, by default each one that is claimed to.

        Raises: `FalseClaim` naming the first job that goes elsewhere, `LimitReached` over `MOST_JOBS` jobs.
        """
        for name in self.policies if policy is None else (policy,):
            player = find_policy(name)(SpeedSetting(self.machines, power_law(self.alpha)))
            servers = [Station(1, player, None) for _ in range(self.machines)]
            for job, sent in zip(self.instance().jobs(), self.arrivals(), strict=True):
                chosen = player.route(job, servers)
                if chosen != sent.server:
                    raise FalseClaim(f"{name} sends job {job.id} to server {chosen + 1}, not {sent.server + 1}")
                servers[chosen].admit(job)


def greedy(machines: int, alpha: Fraction, rounds: int | None = None) -> Game:
    """m - 1 jobs of size N + 1, then N unit jobs: least loaded routing sends all unit jobs to the last server.

    Claim: the load there stays at most N < N + 1, now and in history, so no tie is ever broken; the ratio tends to
    m^{1 - 1/alpha} as N grows beyond m^{(2 alpha - 1)/(alpha - 1)}.

    >>> from online import exact
    >>> game = greedy(2, Fraction(2), 100)
    >>> game.replay()
    >>> exact.decimal(game.ratio_lower, 3)
    '~1.32'
    """
    machines, alpha = _checked(machines, alpha)
    if rounds is None:
        r = 1 - 1 / alpha
        rounds = machines ** math.ceil((1 + r) / r) << math.ceil(8 / r)
    before = tuple(Sent(rounds + 1, k) for k in range(machines - 1))
    names = ("least-loaded", "historically-least-loaded")
    return Game(names, machines, alpha, before, (Sent(1, machines - 1),), rounds)


def round_robin(machines: int, alpha: Fraction, rounds: int | None = None) -> Game:
    """N rounds of one unit job and m - 1 jobs of size m^{-4}: all unit jobs go to the first server.

    Claim: the ratio tends to m^{1 - 1/alpha} as N grows.
    """
    machines, alpha = _checked(machines, alpha)
    unit = machines**4
    each = (Sent(unit, 0), *(Sent(1, k) for k in range(1, machines)))
    rounds = 64 * machines**2 if rounds is None else rounds
    return Game(("round-robin",), machines, alpha, (), each, rounds, tick=Fraction(1, unit))


def staying_srpt(machines: int, alpha: Fraction, rounds: int | None = None) -> Game:
    """m - 1 tiny jobs and one of size 2 occupy all servers; then N jobs of sizes that fall a little towards 1.

    Claim: each of these finds one server alone on which all jobs have more left, that of the job of size 2, and goes
    there; the ratio tends to m^{1 - 1/alpha} as N grows.
    """
    machines, alpha = _checked(machines, alpha)
    rounds = 64 * machines**2 if rounds is None else rounds
    unit = rounds << 12
    before = (*(Sent(1, k) for k in range(machines - 1)), Sent(2 * unit, machines - 1))
    each = (Sent(unit + rounds - 1, machines - 1),)
    return Game(("staying-srpt",), machines, alpha, before, each, rounds, falling=True, tick=Fraction(1, unit))


GAMES: dict[str, Callable[[int, Fraction, int | None], Game]] = {
    "greedy": greedy,
    "round-robin": round_robin,
    "staying-srpt": staying_srpt,
}
"""The games by name."""


def growth(ratios: Sequence[tuple[int, Fraction]]) -> Fraction:
    """The slope of log ratio over log m by least squares, for reading only.

    >>> from online import exact
    >>> exact.decimal(growth([(2, Fraction(3)), (4, Fraction(9)), (8, Fraction(27))]), 3)
    '~1.585'
    """
    line = fitted([(Fraction(math.log(m)), Fraction(math.log(ratio))) for m, ratio in ratios])
    assert line is not None
    return line[0]


def _weighed(
    blocks: Iterable[tuple[int, int]], r: Fraction, bound: Callable[[int, int, Fraction], Fraction]
) -> Fraction:
    """The sum of k^r w_k over (size, count) blocks, largest first."""
    k, value = 0, Fraction(0)
    for size, count in blocks:
        if count:
            value += size * bound(k + 1, k + count, r)
            k += count
    return value


def _share(count: int, machines: int, server: int) -> int:
    return count // machines + (server < count % machines)


def _checked(machines: int, alpha: Fraction) -> tuple[int, Fraction]:
    if machines < 1 or alpha <= 1:
        raise InvalidInput(
            Problem("game", "bad game", f"m = {machines}, alpha = {alpha}", "m >= 1 and alpha > 1", "correct them")
        )
    return machines, alpha
