"""The ledger: every claim of a section, measured on one run in exact arithmetic."""

from __future__ import annotations

from fractions import Fraction

from certify.claims import max_flow
from certify.claims.claim import Entry, judge
from certify.claims.scene import PhaseScene
from online.algorithm import OnlineAlgorithm
from online.run import Run


def scenes(run: Run, algorithm: type[OnlineAlgorithm], lower: Fraction, upper: Fraction) -> list[PhaseScene]:
    """The phases of a run that left a witness, for the claims to look at."""
    witnesses = [algorithm.explain(run, phase) for phase in run.phases]
    return [
        PhaseScene(run, number, witness, lower, upper)
        for number, witness in enumerate(witnesses)
        if witness is not None
    ]


def ledger(run: Run, algorithm: type[OnlineAlgorithm], lower: Fraction, upper: Fraction) -> list[Entry]:
    """Each claim of section 6.1 with its worst reading over the phases of a run.

    `lower` and `upper` bracket the offline optimum in ticks: they decide whether the hypothesis `T >= T*` is met.
    A run whose algorithm leaves no witness makes every claim vacuous.

    Source: Rejecting jobs to minimize load and maximum flow-time, section 6.1.
    """
    phases = scenes(run, algorithm, lower, upper)
    return [judge(claim, phases, run.instance.tick) for claim in max_flow.SECTION.claims]
