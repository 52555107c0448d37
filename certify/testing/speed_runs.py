"""The same for policies with speeds: a run, its certificate, the verdict and the ledger of flow time plus energy."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction

from certify import check
from certify.claims.claim import Entry, Verdict
from certify.energy_build import ORIGINS, certify_run
from certify.evidence import Document
from certify.problems.energy import ledger, table_of
from certify.testing.arguments import checked_instance, without_options
from certify.testing.choice import Patterns, chosen
from certify.testing.runs import told
from lp.energy.bracket import EnergyBracket, Rung, energy_bracket, run_bound
from online.errors import InvalidInput, Problem
from online.exact import Number
from online.instance import Instance
from online.speed.policy import SpeedPolicy, policy_class
from online.speed.power import BITS, Power
from online.speed.power_text import read_power
from online.speed.simulation import SpeedRun, simulate
from online.validate import rational

BOUNDS = ("run", "auto", "none")
"""Prices along the run itself, the best that are found (which takes longer), or no bound."""


@dataclass(frozen=True)
class CertifiedSpeedRun:
    """A run with speeds and everything that is established about it.

    `objective` is flow time plus energy and `bound` at most the least possible, both in the units of the input;
    `ratio` is one over the other, None without a positive bound. `ledger` are the claims that were asked for.
    """

    run: SpeedRun
    certificate: Document = field(repr=False)
    verdict: check.Verdict = field(repr=False)
    ledger: tuple[Entry, ...] = field(repr=False)
    objective: Fraction
    bound: Fraction
    bound_from: str
    problem: str = "energy"

    @property
    def instance(self) -> Instance:
        """What was played."""
        return self.run.trajectory.instance

    @property
    def ratio(self) -> Fraction | None:
        """Objective over bound; None without a positive bound."""
        return self.objective / self.bound if self.bound else None

    def faults(self) -> Iterator[str]:
        """Everything that is wrong, one line each: certificate, claims that fail."""
        if self.verdict.verdict != "accepted":
            yield f"certificate {self.verdict.verdict}: " + "; ".join(map(str, self.verdict.failed))
        yield from (f"claim {told(entry)}" for entry in self.ledger if entry.verdict is Verdict.FAILS)

    def heading(self) -> str:
        """What was run, in one line."""
        known = "".join(f", {key} {value}" for key, value in sorted(self.run.options.items()))
        return f"{self.run.policy} for energy, P(s) = {self.run.trajectory.power}{known}"


def certified_speeds(
    policy: str | type[SpeedPolicy],
    instance: Instance,
    *,
    power: str | Power = "s^2",
    claims: Patterns = "all",
    bound: str = "run",
    options: Mapping[str, Number] | None = None,
    bits: int = BITS,
) -> CertifiedSpeedRun:
    """Play, bound the least cost, certify, check, and measure the claims that are asked for; nothing fails yet.

    Raises: `InvalidInput` for an instance or a setting that the policy does not take, and a pattern that fits no claim.

    >>> from online.rows import Row
    >>> found = certified_speeds("srpt", Instance.from_rows(1, [Row("a", 0, 3)]), claims="")
    >>> found.objective, found.bound, found.verdict.verdict
    (Fraction(6, 1), Fraction(6, 1), 'accepted')
    """
    if bound not in BOUNDS:
        raise InvalidInput(Problem("bound", "unknown bound", repr(bound), f"one of {', '.join(BOUNDS)}", "choose one"))
    known = {key: rational(value, f"option {key}") for key, value in (options or {}).items()}
    with without_options():
        kind, name = policy_class(policy, "algorithm")
        run = simulate(checked_instance(instance), power_of(power), kind, options=known, bits=bits)
    run = replace(run, policy=name)
    rung, bracket = _bounds(run, bound)
    upper = bracket.upper if bracket else None
    document = certify_run(run, rung, upper, table_of(run))
    lower = rung.value if rung else Fraction(0)
    return CertifiedSpeedRun(
        run,
        document,
        check.check_document(document),
        tuple(chosen(ledger(run.trajectory, lower, upper), claims)),
        run.trajectory.cost * instance.tick,
        lower * instance.tick,
        ORIGINS[rung.method] if rung else "nothing",
    )


def power_of(power: str | Power) -> Power:
    """The power function, as it is or as it is written."""
    return read_power(power, "power") if isinstance(power, str) else power


def _bounds(run: SpeedRun, bound: str) -> tuple[Rung | None, EnergyBracket | None]:
    if bound == "none" or not run.trajectory.instance.n:
        return None, None
    own = run_bound(run.trajectory)
    if bound == "run":
        return own, None
    found = energy_bracket(run.trajectory.instance, run.trajectory.power)
    return max([own, *found.rungs], key=lambda rung: rung.value), found
