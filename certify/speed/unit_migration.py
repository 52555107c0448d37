"""Round robin on unit jobs against a schedule that migrates, in certificates: one from above, one a server from below.

Shipped beside this file, made by `dualfit adversary unit-migration --out-dir certify/speed`.

Source: Multiple server SRPT with speed scaling is competitive, the section on unit jobs; SPEED.md, section 8.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from importlib.resources import files

from certify import check
from certify.energy_build import Paper
from certify.evidence import Document
from certify.speed.unit_jobs import counterexample, round_robin
from lp.energy.bracket import energy_bracket
from online import exact

SCHEDULE, SERVERS = "unit-migration-schedule", ("unit-migration-server-1", "unit-migration-server-2")
"""Names of the certificates: of the schedule with migration, and of what round robin sends to each server."""

GAP = Fraction(1, 10**5)
"""The search for a server's bound ends so near a schedule."""


@dataclass(frozen=True)
class UnitMigration:
    """Three certificates, by name, on seven unit jobs, two servers, s^2.

    Claim, if `accepted`: some schedule, with migration, costs at most `upper`; every schedule that routes round robin,
    in order of arrival, costs at least `lower`, at any speeds.

    Proof: jobs are of one size, so jobs of one instant may change names; round robin makes two instances on one server
    of the seven jobs, those of the servers' certificates. What a schedule does on a server is a schedule of that
    server's instance, its cost is the sum of both, and C9 bounds each, whatever the order and the speeds.

    Source: SPEED.md, section 8.

    >>> found = shipped()
    >>> found.accepted, exact.decimal(found.upper), exact.decimal(found.lower)
    (True, '~16.823521', '~17.120855')
    """

    certificates: Mapping[str, Document]

    @cached_property
    def verdicts(self) -> dict[str, str]:
        """What the checker says of each certificate."""
        return {name: check.check_document(one).verdict for name, one in self.certificates.items()}

    @property
    def accepted(self) -> bool:
        """Whether the checker accepts all, and they are about the instances of the claim."""
        schedule = counterexample()
        wanted = [schedule.instance.sha256, *(one.sha256 for one in round_robin(schedule.instance))]
        powers = [schedule.power.to_document()] * len(wanted)
        about = [self.certificates[name] for name in (SCHEDULE, *SERVERS)]
        same = [one["sha256"] for one in about] == wanted and [one["power"] for one in about] == powers
        return same and set(self.verdicts.values()) == {"accepted"}

    @property
    def upper(self) -> Fraction:
        """The cost of the schedule with migration, in ticks."""
        return self._value(SCHEDULE, "upper-bound")

    @property
    def lower(self) -> Fraction:
        """The sum of the servers' lower bounds, in ticks."""
        return sum((self._value(name, "lower-bound") for name in SERVERS), Fraction(0))

    def _value(self, name: str, claim: str) -> Fraction:
        return next(Fraction(goal["value"]) for goal in self.certificates[name]["goal"] if goal["claim"] == claim)

    def to_document(self) -> Document:
        """The result as one JSON object."""
        return {
            "name": "unit-migration",
            "power": "s^2",
            "machines": 2,
            "upper": exact.text(self.upper),
            "servers": [exact.text(self._value(name, "lower-bound")) for name in SERVERS],
            "lower": exact.text(self.lower),
            "ratio": exact.text(self.lower / self.upper),
            "verdicts": self.verdicts,
        }


def unit_migration() -> UnitMigration:
    """The certificates, made anew."""
    schedule = counterexample()
    above = Paper(schedule.instance, schedule.power)
    above.claim_upper(schedule)
    found = {SCHEDULE: above.document()}
    for name, instance in zip(SERVERS, round_robin(schedule.instance), strict=True):
        rung = energy_bracket(instance, schedule.power, gap=GAP).rung
        below = Paper(instance, schedule.power)
        below.claim_lower([rung] if rung else [])
        found[name] = below.document()
    return UnitMigration(found)


def shipped() -> UnitMigration:
    """The certificates that come with dualfit."""
    folder = files("certify.speed")
    texts = {name: folder.joinpath(f"{name}.json").read_text(encoding="utf-8") for name in (SCHEDULE, *SERVERS)}
    return UnitMigration({name: json.loads(text) for name, text in texts.items()})
