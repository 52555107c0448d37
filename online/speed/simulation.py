"""Playing an instance to a policy with speeds: a pure function to an exact trajectory."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from online import exact
from online.algorithm import blame
from online.errors import InvalidInput, Problem, typed
from online.instance import Instance, Job
from online.speed.policy import SpeedPolicy, SpeedSetting, policy_class
from online.speed.power import BITS, Power
from online.speed.station import Station
from online.speed.trajectory import Segment, Trajectory, check_instance

EXACT_JOBS = 50
"""Up to so many jobs completion times are exact by default: their fractions grow with every event."""

GRID_BITS = 24
"""By default the step of the grid is the least size over at most `2**GRID_BITS`."""

BY_SIZE = -1
"""In place of a grid: as `grid_for` says."""


@dataclass(frozen=True)
class SpeedRun:
    """A trajectory and how it came about: with the same arguments it comes about again."""

    policy: str
    options: Mapping[str, Fraction]
    bits: int
    grid: int | None
    trajectory: Trajectory

    def to_document(self) -> dict[str, Any]:
        """How to repeat the run on its instance."""
        return {
            "policy": self.policy,
            "options": {name: exact.text(value) for name, value in sorted(self.options.items())},
            "power": self.trajectory.power.to_document(),
            "bits": self.bits,
            "grid": self.grid,
        }

    @property
    def below_rule(self) -> Fraction:
        """Flow less energy, in ticks: for SRPT at kappa = 1 what the rounding of the dials took from the energy.

        The rule spends one unit of power per unfinished job, so that its energy is its flow.
        """
        return self.trajectory.flow - self.trajectory.energy

    @property
    def overshoot(self) -> Fraction:
        """Work done beyond the sizes, in ticks; 0 without a grid."""
        return sum(self.trajectory.work, Fraction(0)) - sum(map(int, self.trajectory.instance.size.tolist()))


def grid_for(instance: Instance) -> int | None:
    """The default grid: none up to `EXACT_JOBS` jobs, then `grid_by_size`."""
    return None if instance.n <= EXACT_JOBS else grid_by_size(instance)


def grid_by_size(instance: Instance) -> int:
    """A grid that is fine against the least size."""
    return max(0, GRID_BITS - exact.floor_log2(min(instance.size.tolist(), default=1)))


def simulate(
    instance: Instance,
    power: Power,
    policy: str | type[SpeedPolicy] = "srpt",
    *,
    options: Mapping[str, Fraction] | None = None,
    bits: int = BITS,
    grid: int | None = BY_SIZE,
    progress: Callable[[int], None] | None = None,
) -> SpeedRun:
    """Run a policy on an instance with identical servers.

    Speeds are dials of `bits` significant bits. Completions are exact if `grid` is None; else they take place at the
    next multiple of `2**-grid` ticks, up to which their jobs go on running; `BY_SIZE` stands for `grid_for(instance)`.

    Raises: `InvalidInput` for an unknown policy or option, no bits, a negative grid, jobs that may not run everywhere,
    and a policy that fails.

    >>> from online.rows import Row
    >>> from online.speed.power import power_law
    >>> three = Instance.from_rows(1, [Row("a", 0, 5), Row("b", 0, 2), Row("c", 0, 2)])
    >>> [simulate(three, power_law(2), name, bits=4).trajectory.cost for name in ("srpt", "fifo")]
    [Fraction(3232, 143), Fraction(30905, 1144)]
    """
    kind, name = policy_class(policy)
    check_instance(instance)
    chosen = _options(kind, options or {}, name)
    grid = grid_for(instance) if grid == BY_SIZE else grid
    if bits < 1 or (grid is not None and grid < 0):
        raise InvalidInput(
            Problem(name, "bad rounding", f"bits {bits}, grid {grid}", "bits >= 1, a grid >= 0 or none", "correct it")
        )
    try:
        player = kind(SpeedSetting(instance.machines, power, bits, chosen))
        stations = _stations(instance, player, grid)
    except BaseException as failed:
        blame(name, "__init__", failed)
    try:
        _play(instance, player, name, stations, progress)
    except BaseException as failed:
        blame(name, "order(), dial() or route()", failed)
    segments = merged([station.segments for station in stations])
    return SpeedRun(name, chosen, bits, grid, Trajectory(instance, power, segments, overshoot=grid is not None))


def _options(kind: type[SpeedPolicy], given: Mapping[str, Fraction], name: str) -> dict[str, Fraction]:
    for key, value in given.items():
        if key not in kind.options or value < 0:
            known = ", ".join(kind.options) or "none"
            raise InvalidInput(
                Problem(name, "bad option", f"{key} = {value}", f"options {known}, not negative", "drop or correct it")
            )
    return {**kind.options, **given}


def _stations(instance: Instance, player: SpeedPolicy, grid: int | None) -> list[Station]:
    if player.migrates:
        return [Station(instance.machines, player, grid)]
    return [Station(1, player, grid) for _ in range(instance.machines)]


def _play(
    instance: Instance,
    player: SpeedPolicy,
    name: str,
    stations: list[Station],
    progress: Callable[[int], None] | None,
) -> None:
    for job in instance.jobs():
        for station in stations:
            station.advance(Fraction(job.release))
        try:
            chosen = 0 if player.migrates else player.route(job, stations)
        except BaseException as failed:
            blame(name, f"route() at job {job.id!r}", failed)
        _check_server(job, chosen, len(stations))
        stations[chosen].admit(job)
        if progress is not None and job.position % 256 == 0:
            progress(job.position)
    for station in stations:
        station.advance(None)


def _check_server(job: Job, chosen: object, servers: int) -> None:
    place, fix = f"job {job.id!r}", "correct the policy's route()"
    if type(chosen) is not int:
        got, expected = f"route() returned {typed(chosen)}", "a server as a Python int"
        raise InvalidInput(Problem(place, "routed by something that is no int", got, expected, fix))
    if not 0 <= chosen < servers:
        got, expected = f"route() returned {chosen}", f"a server's number, from 0 to {servers - 1}"
        raise InvalidInput(Problem(place, "unknown server", got, expected, fix))


def merged(parts: Sequence[Sequence[Segment]]) -> list[Segment]:
    """One schedule from those of several groups of servers, cut wherever one of them changes.

    >>> one, two = Segment(Fraction(0), Fraction(2), ((0, Fraction(1)),)), Segment(Fraction(1), Fraction(2), ())
    >>> [(str(s.start), str(s.end)) for s in merged([[one], [two]])]
    [('0', '1'), ('1', '2')]
    """
    if len(parts) == 1:
        return list(parts[0])
    times = sorted({time for part in parts for segment in part for time in segment[:2]})
    number = {time: k for k, time in enumerate(times)}
    running: list[list[tuple[int, Fraction]]] = [[] for _ in times]
    for part in parts:
        for segment in part:
            for k in range(number[segment.start], number[segment.end]):
                running[k] += segment.running
    spans = zip(times, times[1:], running, strict=False)
    return [Segment(start, end, tuple(sorted(jobs))) for start, end, jobs in spans if jobs]
