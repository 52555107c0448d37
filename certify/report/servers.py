"""What a schedule on servers with speeds did, in columns: who ran where, how fast, and what that cost over time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

from online.speed.trajectory import Segment, Trajectory, total


class Piece(NamedTuple):
    """A job on a server at one dial, from `start` to `end` (ticks)."""

    job: int
    server: int
    start: Fraction
    end: Fraction
    dial: Fraction


class Moment(NamedTuple):
    """From `time` (ticks) on: the unfinished jobs, and the power of all servers together."""

    time: Fraction
    unfinished: int
    power: Fraction

    @property
    def pays(self) -> Fraction:
        """What the schedule pays per tick."""
        return self.unfinished + self.power


@dataclass(frozen=True, eq=False)
class Servers:
    """A schedule called `name`, ready to be drawn; times and costs are in ticks."""

    name: str
    schedule: Trajectory

    @cached_property
    def pieces(self) -> list[Piece]:
        """The bars, by start.

        Claim: they do the work of the schedule; no two of a server overlap, and a job stays on its server for as long
        as it runs without a break. Schedules do not say which servers their jobs are on; these are the least free ones.
        """
        return list(placed(self.schedule))

    @cached_property
    def moments(self) -> list[Moment]:
        """What is paid over time, until nobody is left; a moment for each change."""
        power = {segment.start: self._power(segment) for segment in self.schedule.segments}
        ends = {segment.end for segment in self.schedule.segments}
        now, found = Fraction(0), list[Moment]()
        for start, _, unfinished in self.schedule.unfinished:
            now = power.get(start, Fraction(0) if start in ends else now)
            moment = Moment(start, unfinished, now)
            if not found or found[-1][1:] != moment[1:]:
                found.append(moment)
        return [*found, Moment(self.end, 0, Fraction(0))]

    def _power(self, segment: Segment) -> Fraction:
        return sum((self.schedule.power.at(dial).power for _, dial in segment.running), Fraction(0))

    @property
    def end(self) -> Fraction:
        """When all is done, or the last job has come."""
        return max(self.schedule.breakpoints, default=Fraction(0))

    @cached_property
    def fastest(self) -> Fraction:
        """The largest speed of a server."""
        return max((self.schedule.power.at(piece.dial).speed for piece in self.pieces), default=Fraction(0))

    @cached_property
    def energy(self) -> list[Fraction]:
        """The energy of each job."""
        spent: list[list[Fraction]] = [[] for _ in range(self.schedule.instance.n)]
        for piece in self.pieces:
            spent[piece.job].append((piece.end - piece.start) * self.schedule.power.at(piece.dial).power)
        return [total(each) for each in spent]

    @cached_property
    def flow(self) -> list[Fraction]:
        """The flow time of each job."""
        releases = self.schedule.instance.release.tolist()
        return [end - release for end, release in zip(self.schedule.completion, releases, strict=True)]

    @cached_property
    def cost(self) -> list[Fraction]:
        """What each job costs: its flow time and its energy; the sum is the cost of the schedule."""
        return [flow + energy for flow, energy in zip(self.flow, self.energy, strict=True)]


def placed(schedule: Trajectory) -> Iterator[Piece]:
    """The pieces of a schedule by start, each on a server; pieces of a job at one dial that meet are one."""
    open_: dict[int, Piece] = {}
    home: dict[int, int] = {}
    done: list[Piece] = []
    for start, end, running in schedule.segments:
        goes_on = {job for job, _ in running if job in open_ and open_[job].end == start}
        done += [piece for job, piece in open_.items() if job not in goes_on]
        open_ = {job: open_[job] for job in goes_on}
        free = set(range(schedule.instance.machines)) - {piece.server for piece in open_.values()}
        for job, dial in running:
            before = open_.get(job)
            if before is not None and before.dial == dial:
                open_[job] = before._replace(end=end)
                continue
            if before is not None:
                done.append(before)
            server = before.server if before else home[job] if home.get(job) in free else min(free)
            free.discard(server)
            home[job] = server
            open_[job] = Piece(job, server, start, end, dial)
    return iter(sorted([*done, *open_.values()], key=lambda piece: (piece.start, piece.server)))
