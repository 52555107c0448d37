"""The interface of an online policy with speeds, and how one is found by name.

A class of your own runs as `package.module:Class`, or under a short name through the entry-point group
`dualfit.speed_policies`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from importlib.metadata import entry_points
from typing import Any, ClassVar, NoReturn, Protocol

from online.algorithm import imported
from online.errors import InvalidInput, Problem, worded
from online.instance import Job
from online.speed.power import BITS, Power

GROUP = "dualfit.speed_policies"

POLICIES = {
    "srpt": "online.speed.policies.orders:Srpt",
    "fifo": "online.speed.policies.orders:Fifo",
    "hdf": "online.speed.policies.orders:HighestDensity",
    "fixed-speed": "online.speed.policies.orders:FixedSpeed",
    "least-loaded": "online.speed.policies.dispatched:LeastLoaded",
    "historically-least-loaded": "online.speed.policies.dispatched:HistoricallyLeastLoaded",
    "round-robin": "online.speed.policies.dispatched:RoundRobin",
    "random": "online.speed.policies.dispatched:RandomServer",
    "staying-srpt": "online.speed.policies.staying:StayingSrpt",
}
"""Our own policies by short name."""


@dataclass(frozen=True)
class SpeedSetting:
    """What a policy knows before the first job: servers, P, the significant bits of its dials, its options."""

    machines: int
    power: Power
    bits: int = BITS
    options: Mapping[str, Fraction] = field(default_factory=dict)


class Server(Protocol):
    """What a router may look at: `workload` and `least_left` in ticks left now, `assigned` in ticks ever sent here."""

    @property
    def jobs(self) -> int: ...
    @property
    def workload(self) -> Fraction: ...
    @property
    def least_left(self) -> Fraction: ...
    @property
    def assigned(self) -> int: ...


class SpeedPolicy:
    """An online policy: which job first, how fast, and, if jobs stay on their servers, where they go on arrival.

    With `migrates` one queue is served by all servers; else `route` sends each job to a server with a queue of its own.
    A queue with k servers runs the first min(k, n) of its n jobs by `order`, each at `dial(n, k)`. As it stands this is
    SRPT at P^{-1}(kappa n/k) for n >= k jobs, else P^{-1}(kappa); kappa = 1 are the speeds of [S], equation (5).

    Claim: with the rounded dial the speed is at most that of (5), and at least it times `(1 - 2**(1 - bits))**q`,
    where speed is dial to the power q.

    Source: [S], SRPT with the speed (5); immediate dispatch and non-migratory SRPT.

    >>> class Lifo(SpeedPolicy):
    ...     def order(self, job, left):
    ...         return -job.position
    """

    migrates: ClassVar[bool] = True
    options: ClassVar[Mapping[str, Fraction]] = {"kappa": Fraction(1)}

    def __init_subclass__(cls) -> None:
        """A class with a `dial` of its own takes the options that it names, else none."""
        if "dial" in vars(cls) and "options" not in vars(cls):
            cls.options = {}

    def __init__(self, setting: SpeedSetting) -> None:
        self.setting = setting

    def order(self, job: Job, left: Fraction) -> Any:
        """The job's priority with `left` ticks of work to do: the least goes first, equal ones by position."""
        return left

    def dial(self, jobs: int, servers: int) -> Fraction:
        """The dial of each running job of a queue of `jobs` >= 1 jobs."""
        return self.matched(self.option("kappa") * Fraction(max(jobs, servers), servers))

    def route(self, job: Job, servers: Sequence[Server]) -> int:
        """The server, from 0, that the arriving job goes to; asked only if jobs do not migrate."""
        raise NotImplementedError

    def matched(self, power: Fraction) -> Fraction:
        """The largest dial whose power is at most `power`."""
        return self.setting.power.dial_for_power(power, self.setting.bits)

    def option(self, name: str) -> Fraction:
        """The value of an option: as set, or by default."""
        return {**SpeedPolicy.options, **self.options, **self.setting.options}[name]


def names() -> list[str]:
    """The short names of all known policies, ours first."""
    return [*POLICIES, *sorted({entry.name for entry in entry_points(group=GROUP)} - set(POLICIES))]


def find_policy(name: str, option: str = "--algorithm") -> type[SpeedPolicy]:
    """The policy class of a short name or of a `package.module:Class`; `option` is where the user gave the name.

    Raises: `InvalidInput` when there is no such class, naming the known ones.

    >>> find_policy("srpt").migrates, find_policy("round-robin").migrates
    (True, False)
    """
    known = {entry.name: entry.value for entry in entry_points(group=GROUP)} | POLICIES
    if name not in known and ":" not in name:
        _unknown(option, name, f"one of {', '.join(names())}, or package.module:Class")
    return _usable(imported(known.get(name, name), option), name, option)


def policy_class(policy: str | type[SpeedPolicy], option: str = "--algorithm") -> tuple[type[SpeedPolicy], str]:
    """The policy class, found by name if need be, and what its runs are to be called.

    Raises: `InvalidInput` when there is no such class, or it is none of a policy.
    """
    if isinstance(policy, str):
        return find_policy(policy, option), policy
    name = f"{getattr(policy, '__module__', '')}:{getattr(policy, '__qualname__', worded(policy))}"
    return _usable(policy, name, option), name


def _usable(found: object, name: str, option: str) -> type[SpeedPolicy]:
    if not (isinstance(found, type) and issubclass(found, SpeedPolicy)):
        _unknown(option, name, "a subclass of online.speed.policy.SpeedPolicy")
    return found


def _unknown(option: str, name: str, expected: str) -> NoReturn:
    raise InvalidInput(Problem(option, "unknown policy", repr(name), expected, "choose another name"))
