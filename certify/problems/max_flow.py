"""Maximum flow time: the ladder with the LP of Lemma 6.1, the intervals of the unit-size algorithm, section 6.1."""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction

from certify.claims import max_flow
from certify.claims.claim import Entry, judge
from certify.claims.scene import PhaseScene
from certify.evidence import Bound, witness_bound
from certify.problems.ladder import METHODS, Ladder, program_bound
from certify.problems.track import Bracket, Tell, Track, leaves_witness, silent, too_large
from lp.optimum import greedy_upper
from online.algorithm import Algorithm
from online.errors import InvalidInput, LimitReached
from online.flow_time.max_flow import LeastLoaded
from online.instance import Instance
from online.play import play
from online.run import Run
from online.witness import Witness

LP_ENTRIES = 60_000
"""`auto` solves the linear program up to this many (job, eligible machine) pairs."""


class MaxFlow(Track):
    """Maximum flow time with unit sizes. Source: [R] section 6.1."""

    name = "max-flow"
    title = "[R] section 6.1"
    methods = METHODS

    def default_algorithm(self, instance: Instance) -> str:
        return "max-flow"

    def bracket(self, instance: Instance, method: str, time_limit: float | None = None, tell: Tell = silent) -> Bracket:
        self.check_method(method)
        return Ladder(instance, None, "6.1", _witness, time_limit, tell).climb(method)

    def extra_bound(self, instance: Instance, algorithm: type[Algorithm], method: str) -> Bound | None:
        if method == "lp":
            return program_bound(instance, "6.1")
        if method == "auto" and self.left_out(instance, method) is None:
            with suppress(InvalidInput, LimitReached):  # numbers that no solver takes: the witness stands alone
                return program_bound(instance, "6.1")
        return None if leaves_witness(algorithm) else _witness(instance)

    def left_out(self, instance: Instance, method: str) -> str | None:
        return too_large(instance.pairs, LP_ENTRIES) if method == "auto" else None

    def upper(self, instance: Instance) -> Fraction:
        return Fraction(greedy_upper(instance).value)

    def ledger(self, run: Run, algorithm: type[Algorithm], lower: Fraction, upper: Fraction) -> list[Entry]:
        witnesses = [algorithm.explain(run, phase) for phase in run.phases]
        scenes = [
            PhaseScene(run, number, witness, lower, upper)
            for number, witness in enumerate(witnesses)
            if isinstance(witness, Witness)
        ]
        return [judge(claim, scenes, run.instance.tick) for claim in max_flow.SECTION.claims]


def _witness(instance: Instance) -> Bound | None:
    """The best bound that the intervals of the unit-size algorithm give, whatever algorithm the run is of."""
    if instance.unit_size is None:
        return None
    run = play(instance, LeastLoaded, Fraction(1, 2))
    return witness_bound(run, LeastLoaded)
