"""Load balancing: machine sets and prices, the exact LP by flow, integral optima, section 5."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from certify.claims import load
from certify.claims.claim import Entry, judge
from certify.claims.load_scene import LoadScene
from certify.evidence import Bound, SetPart, price_bound, size_bound, witness_bound
from certify.problems.track import Bracket, Rung, Tell, Track, Unproven, silent
from lp.load.bound import LoadBracket, load_bracket
from lp.load.descent import descending_load
from lp.load.flow import EDGE_LIMIT, flow_bound
from lp.load.weak_duality import prices
from lp.schedule import upper_evidence
from online.algorithm import Algorithm
from online.instance import Instance
from online.load_balancing.general import GroupedLoad
from online.load_witness import LoadWitness
from online.play import play
from online.run import Run

QUICK_EDGES = 200_000
"""`auto` cuts networks of up to this many (eligible set, machine) pairs; beyond, the best simple set stands."""

FORMS = {"lp": "HiGHS, repaired", "flow": "exact, by minimum cuts", "exact": "exact, by minimum cuts"}


class Load(Track):
    """Load balancing. Source: [R] section 5."""

    name = "load"
    title = "[R] section 5"
    methods = ("best", "flow", "lp", "exact", "witness", "size")

    def default_algorithm(self, instance: Instance) -> str:
        """The most special algorithm whose hypothesis on sizes holds."""
        sizes = instance.size.tolist()
        if not sizes or instance.unit_size is not None:
            return "load-unit"
        return "load-bounded" if 0 < max(sizes) < 2 * min(sizes) else "load"

    def bracket(self, instance: Instance, method: str, time_limit: float | None = None, tell: Tell = silent) -> Bracket:
        self.check_method(method)
        rungs = [Rung("size", size_bound(instance))] if instance.n else []
        if rungs and method in ("witness", "best"):
            tell("running the online algorithm")
            found = _witness(instance)
            rungs += [] if found is None else [Rung("witness", found)]
        if not rungs or method in ("witness", "size"):
            return Bracket(method, tuple(rungs), _assignment(*descending_load(instance)))
        tell("bounding the load")
        return _bracket(instance, method, rungs, load_bracket(instance, ALL.get(method, method), time_limit))

    def extra_bound(self, instance: Instance, algorithm: type[Algorithm], method: str) -> Bound | None:
        if method == "witness":
            return _witness(instance)
        return _flow(instance, EDGE_LIMIT if method == "lp" else QUICK_EDGES)

    def upper(self, instance: Instance) -> Fraction:
        return Fraction(descending_load(instance).value)

    def ledger(self, run: Run, algorithm: type[Algorithm], lower: Fraction, upper: Fraction) -> list[Entry]:
        scenes = []
        for number, phase in enumerate(run.phases):
            witness = algorithm.explain(run, phase)
            if isinstance(witness, LoadWitness):
                part = SetPart.of(run.instance, witness)
                refutation = Fraction(0) if part is None else part.value
                scenes.append(LoadScene(run, number, witness, lower, upper, refutation))
        return [judge(claim, scenes, run.instance.tick) for claim in load.SECTION.claims]


ALL = {"best": "exact"}


def _bracket(instance: Instance, method: str, rungs: list[Rung], found: LoadBracket) -> Bracket:
    form = FORMS[found.method]
    if any(found.beta):
        bound = price_bound(instance, found.beta, f"the LP of load balancing ({form})")
        most = found.lp_upper if found.lp_upper is not None and found.lp_upper >= bound.value else None
        rungs.append(Rung("lp" if found.method == "lp" else "flow", bound, form, most))
    if found.cases is not None:
        evidence = {"rule": "C10", "value": found.lower, "tree": list(found.cases)}
        rungs.append(Rung("exact", Bound(Fraction(found.lower), evidence, "a case distinction"), "optimal"))
    searched = found.proof == "search"
    unproven = Unproven(Fraction(found.lower), "exhaustive search of all assignments") if searched else None
    return Bracket(method, tuple(rungs), _assignment(found.upper, found.dispatch), unproven)


def _assignment(value: int, dispatch: Sequence[int]) -> Bound:
    origin = "an assignment of all jobs: longest first, then improved"
    return Bound(Fraction(value), upper_evidence(dispatch, "assignment"), origin)


def _flow(instance: Instance, edge_limit: int) -> Bound | None:
    found = flow_bound(instance, edge_limit=edge_limit)
    form = "exact, by flow" if found.optimal else "by flow, not finished"
    if not found.machines:
        return None
    return price_bound(instance, prices(instance, found.machines), f"the LP of load balancing ({form})")


def _witness(instance: Instance) -> Bound | None:
    """The best bound that the machine sets of the algorithm for general sizes give, whatever algorithm ran."""
    run = play(instance, GroupedLoad, Fraction(1, 2))
    return witness_bound(run, GroupedLoad)
