"""Flow time plus energy: runs of policies with speeds, bounds on the optimum, and the ratios that are claimed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from certify.claims.claim import Entry, judge
from certify.claims.speed import SECTION
from certify.claims.speed_scene import LARGEST_BACKLOG, Reference, SpeedScene
from certify.speed.backlog import DIAL_BITS, Table, backlog_table
from certify.speed.constants import THEOREMS, Constant
from online.errors import LimitReached
from online.speed.rounding import guarantee_factor, speed_kept
from online.speed.simulation import SpeedRun, simulate
from online.speed.trajectory import Trajectory

TITLE = "[S]"

COMPARED_JOBS = 60
"""Up to so many jobs the ledger compares a run with other schedules, piece by piece.

Not a run whose completions wait for a grid: a job that has done its size and still runs pays and no longer moves.
"""

LEDGER_JOBS = 20_000
"""Most jobs of a run whose ledger is made."""

OTHERS: tuple[tuple[str, str, dict[str, Fraction]], ...] = (
    ("srpt at kappa 1/2", "srpt", {"kappa": Fraction(1, 2)}),
    ("srpt at kappa 2", "srpt", {"kappa": Fraction(2)}),
    ("fifo", "fifo", {}),
)
"""Schedules that a run is compared with: their names, policies, and options."""


@dataclass(frozen=True)
class Guarantee:
    """A claimed ratio c against the optimum: its theorem, and whether a run meets the hypotheses (None: not known).

    `certified` says that the certificate of the run shows it by a table.
    """

    theorem: str
    constant: Constant
    met: bool | None
    certified: bool = False


def follows_rule(run: SpeedRun) -> bool | None:
    """Whether the run is SRPT at speed rule (5), rounded down; None if completions are rounded up too."""
    if run.policy != "srpt" or run.options["kappa"] != 1 or run.bits < DIAL_BITS:
        return False
    return True if run.overshoot == 0 else None


def guarantees(run: SpeedRun) -> list[Guarantee]:
    """What the theorems and, for few jobs at a time, a backlog table claim about a run, as its speeds are rounded.

    Those whose hypothesis on P fails are left out.
    """
    power, machines, rule = run.trajectory.power, run.trajectory.instance.machines, follows_rule(run)
    factor = rounding_factor(run) or Fraction(1)
    found = [(name, find(power, machines).times(factor)) for name, find in THEOREMS.items()]
    claimed = [Guarantee(name, one, rule and one.met) for name, one in found if one.met is not False]
    table = table_of(run)
    if table is not None:
        claimed.append(Guarantee(f"c_{table.backlog}", Constant(table.ratio, table.ratio, True), True, True))
    return claimed


def table_of(run: SpeedRun) -> Table | None:
    """A backlog table for a run at the rule, for P(s) = s^alpha and few jobs at a time; None if there is none."""
    found = _table_or_reason(run)
    return found if isinstance(found, Table) else None


def no_table(run: SpeedRun) -> str | None:
    """Why no table was made for a run that might have one; None for all others."""
    found = _table_or_reason(run)
    return found if isinstance(found, str) else None


def _table_or_reason(run: SpeedRun) -> Table | str | None:
    power, most = run.trajectory.power, backlog(run.trajectory)
    known = power.alpha is not None and power.at(Fraction(1)).power == 1 and 0 < most <= LARGEST_BACKLOG
    if not known or not follows_rule(run):
        return None
    assert power.alpha is not None
    try:
        return backlog_table(power.alpha, run.trajectory.instance.machines, most)
    except LimitReached as reached:
        return str(reached)


def rounding_factor(run: SpeedRun) -> Fraction | None:
    """By what the c of a theorem grows as speeds are rounded down; None if beta is not known, or for other runs."""
    power = run.trajectory.power
    return guarantee_factor(power, speed_kept(power, run.bits)) if follows_rule(run) else None


def backlog(trajectory: Trajectory) -> int:
    """The most unfinished jobs at a time."""
    return max((n for _, _, n in trajectory.unfinished), default=0)


def ledger(run: Trajectory, lower: Fraction, witness: Trajectory | None) -> list[Entry]:
    """Every claim of [S] on a run; `lower` bounds the optimum, `witness` is a good schedule.

    Up to `COMPARED_JOBS` jobs the run is compared with the witness and with other policies.

    Raises: `LimitReached` over `LEDGER_JOBS` jobs.
    """
    if run.instance.n > LEDGER_JOBS:
        raise LimitReached(f"a ledger of {run.instance.n} jobs; the limit is {LEDGER_JOBS}")
    known = [run] if witness is None else [run, witness]
    upper = min(one.cost for one in known)
    scene = SpeedScene(run, lower, upper, tuple(_references(run, witness)))
    scenes = [scene] if run.instance.n else []
    return [judge(claim, scenes, run.instance.tick) for claim in SECTION.claims]


def _references(run: Trajectory, witness: Trajectory | None) -> Iterator[Reference]:
    if run.instance.n > COMPARED_JOBS or sum(run.work) != sum(run.instance.size.tolist()):
        return
    if witness is not None:
        yield Reference("the best schedule known", witness)
    for name, policy, options in OTHERS:
        yield Reference(name, simulate(run.instance, run.power, policy, options=options, bits=16, grid=None).trajectory)
