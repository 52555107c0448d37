"""The worst instance found, as files: a certificate that the checker accepted, and the instance."""

from __future__ import annotations

import json
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from certify import check
from certify.build import Certified, certify, over_budget
from certify.problems.registry import TRACKS
from certify.search.score import Scored, Setup
from online import exact
from online.readers.writer import write_json
from online.run import REJECTED


@dataclass(frozen=True)
class WitnessRun:
    """A run on the instance, certified together with both bounds on the optimum, and the checker's verdict."""

    setup: Setup
    scored: Scored
    certified: Certified
    verdict: check.Verdict

    @classmethod
    def of(cls, setup: Setup, scored: Scored) -> WitnessRun:
        """Certify and check."""
        lower = scored.bracket.lower
        extra = [] if lower is None else [lower]
        certified = certify(scored.run, setup.algorithm, extra=extra, upper=scored.bracket.upper)
        return cls(setup, scored, certified, check.check_document(certified.document))

    def to_document(self) -> dict[str, Any]:
        """The run, the optimum and the instance as one JSON object, in the units of the instance."""
        run, instance = self.scored.run, self.scored.instance
        unit = TRACKS[self.setup.problem].unit(instance)
        lower, upper = self.scored.bracket.lower, self.scored.bracket.upper.value
        position = over_budget(run)
        return {
            "objective": exact.text(run.objective * unit),
            "optimum": {
                "lower": exact.text(lower.value * unit) if lower else "0",
                "upper": exact.text(upper * unit),
                "exact": lower is not None and lower.value == upper,
            },
            "ratio": exact.text(run.objective / upper),
            "guesses": [exact.text(guess * unit) for guess in run.guesses],
            "over_budget_at": None if position is None else instance.ids[position],
            "rejections": self.rejections(),
            "instance": json.loads(write_json(instance)),
            "dispatch": [None if machine == REJECTED else machine + 1 for machine in run.dispatch.tolist()],
            "late": [instance.ids[one.job] for one in run.late],
            "verdict": self.verdict.verdict,
        }

    def rejections(self) -> dict[str, str]:
        """The prefix with the largest rejected share: rejected and arrived, in number or rejection weight."""
        run, instance = self.scored.run, self.scored.instance
        unit = instance.weight_unit if run.budget == "rejection" else Fraction(1)
        rejected, arrived = max(run.prefixes(), key=lambda one: (Fraction(*one), one))
        return {
            "of": run.budget,
            "rejected": exact.text(rejected * unit),
            "arrived": exact.text(arrived * unit),
            "share": exact.text(Fraction(rejected, arrived)),
        }
