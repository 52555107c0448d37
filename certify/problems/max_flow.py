"""Maximum flow time: the LP of Lemma 6.1, the intervals of the unit-size algorithm, section 6.1."""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction

from certify.claims import max_flow
from certify.claims.claim import Entry, judge
from certify.claims.scene import PhaseScene
from certify.evidence import Bound, best, family_bound, part_of, size_bound
from certify.problems.track import Bracket, Track, leaves_witness
from lp.bound import lp_bound
from lp.optimum import greedy_upper
from online.algorithm import OnlineAlgorithm
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
    methods = ("lp", "witness", "size")

    def default_algorithm(self, instance: Instance) -> str:
        return "max-flow"

    def bracket(self, instance: Instance, method: str, time_limit: float | None = None) -> Bracket:
        self.check_method(method)
        words = "least loaded dispatch that rejects nobody"
        if not instance.n:
            return Bracket(method, None, Fraction(0), words, Fraction(0) if method == "lp" else None)
        found = lp_upper = form = None
        if method == "lp":
            found, lp_upper, form = _lp(instance, time_limit)
        elif method == "witness":
            found = _witness(instance)
        return Bracket(method, best([found, size_bound(instance)]), self.upper(instance), words, lp_upper, form)

    def extra_bound(self, instance: Instance, algorithm: type[OnlineAlgorithm], method: str) -> Bound | None:
        if method == "lp":
            return _lp(instance, None)[0]
        if method == "auto" and _pairs(instance) <= LP_ENTRIES:
            with suppress(InvalidInput, LimitReached):  # numbers that no solver takes: the witness stands alone
                return _lp(instance, None)[0]
        return None if leaves_witness(algorithm) else _witness(instance)

    def upper(self, instance: Instance) -> Fraction:
        return Fraction(greedy_upper(instance).value)

    def ledger(self, run: Run, algorithm: type[OnlineAlgorithm], lower: Fraction, upper: Fraction) -> list[Entry]:
        witnesses = [algorithm.explain(run, phase) for phase in run.phases]
        scenes = [
            PhaseScene(run, number, witness, lower, upper)
            for number, witness in enumerate(witnesses)
            if isinstance(witness, Witness)
        ]
        return [judge(claim, scenes, run.instance.tick) for claim in max_flow.SECTION.claims]


def _lp(instance: Instance, time_limit: float | None) -> tuple[Bound | None, Fraction, str]:
    found = lp_bound(instance, time_limit=time_limit)
    origin = f"the LP of Lemma 6.1 ({found.form} form)"
    bound = family_bound(instance, found.family, origin) if len(found.family) else None
    return bound, found.upper, f"{found.form} form"


def _witness(instance: Instance) -> Bound | None:
    """The best bound that the intervals of the unit-size algorithm give, whatever algorithm the run is of."""
    if instance.unit_size is None:
        return None
    run = play(instance, LeastLoaded, Fraction(1, 2))
    own = best(part_of(instance, LeastLoaded.explain(run, phase)) for phase in run.phases)
    return None if own is None else own.bound(instance)


def _pairs(instance: Instance) -> int:
    lengths = instance.sets.start[1:] - instance.sets.start[:-1]
    return int(lengths[instance.eligible_set].sum())
