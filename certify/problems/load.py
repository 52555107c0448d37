"""Load balancing: machine sets and prices, the exact LP by flow, integral optima, section 5."""

from __future__ import annotations

from fractions import Fraction

from certify.claims import load
from certify.claims.claim import Entry, judge
from certify.claims.load_scene import LoadScene
from certify.evidence import Bound, SetPart, best, part_of, price_bound, size_bound
from certify.problems.track import Bracket, Track
from lp.load.bound import LoadBracket, load_bracket
from lp.load.descent import descending_load
from lp.load.flow import EDGE_LIMIT, flow_bound
from lp.load.weak_duality import prices
from online.algorithm import OnlineAlgorithm
from online.instance import Instance
from online.load_balancing.general import GroupedLoad
from online.load_witness import LoadWitness
from online.play import play
from online.run import Run

ASSIGNMENT = "an assignment of all jobs: longest first, then improved"
QUICK_EDGES = 200_000
"""`auto` cuts networks of up to this many (eligible set, machine) pairs; beyond, the best simple set stands."""

FORMS = {"lp": "HiGHS, repaired", "flow": "exact, by flow", "exact": "exact, by flow"}


class Load(Track):
    """Load balancing. Source: [R] section 5."""

    name = "load"
    title = "[R] section 5"
    methods = ("flow", "lp", "exact", "witness", "size")

    def default_algorithm(self, instance: Instance) -> str:
        """The most special algorithm whose hypothesis on sizes holds."""
        sizes = instance.size.tolist()
        if not sizes or instance.unit_size is not None:
            return "load-unit"
        return "load-bounded" if 0 < max(sizes) < 2 * min(sizes) else "load"

    def bracket(self, instance: Instance, method: str, time_limit: float | None = None) -> Bracket:
        self.check_method(method)
        if not instance.n:
            return Bracket(method, None, Fraction(0), "no jobs")
        if method in ("witness", "size"):
            found = _witness(instance) if method == "witness" else None
            return Bracket(method, best([found, size_bound(instance)]), self.upper(instance), ASSIGNMENT)
        return _bracket(instance, load_bracket(instance, method, time_limit))

    def extra_bound(self, instance: Instance, algorithm: type[OnlineAlgorithm], method: str) -> Bound | None:
        if method == "witness":
            return _witness(instance)
        return _flow(instance, EDGE_LIMIT if method == "lp" else QUICK_EDGES)

    def upper(self, instance: Instance) -> Fraction:
        return Fraction(descending_load(instance).value)

    def ledger(self, run: Run, algorithm: type[OnlineAlgorithm], lower: Fraction, upper: Fraction) -> list[Entry]:
        scenes = []
        for number, phase in enumerate(run.phases):
            witness = algorithm.explain(run, phase)
            if isinstance(witness, LoadWitness):
                part = SetPart.of(run.instance, witness)
                refutation = Fraction(0) if part is None else part.value
                scenes.append(LoadScene(run, number, witness, lower, upper, refutation))
        return [judge(claim, scenes, run.instance.tick) for claim in load.SECTION.claims]


def _bracket(instance: Instance, found: LoadBracket) -> Bracket:
    bounds = [size_bound(instance)]
    if any(found.beta):
        bounds.append(price_bound(instance, found.beta, f"the LP of load balancing ({FORMS[found.method]})"))
    return Bracket(
        method=found.method,
        lower=best(bounds),
        upper=Fraction(found.upper),
        upper_from=ASSIGNMENT,
        lp_upper=found.lp_upper,
        form=FORMS[found.method],
        searched=Fraction(found.lower) if found.proof == "search" else None,
    )


def _flow(instance: Instance, edge_limit: int) -> Bound | None:
    found = flow_bound(instance, edge_limit=edge_limit)
    form = "exact, by flow" if found.optimal else "by flow, not finished"
    if not found.machines:
        return None
    return price_bound(instance, prices(instance, found.machines), f"the LP of load balancing ({form})")


def _witness(instance: Instance) -> Bound | None:
    """The best bound that the machine sets of the algorithm for general sizes give, whatever algorithm ran."""
    run = play(instance, GroupedLoad, Fraction(1, 2))
    own = best(part_of(instance, GroupedLoad.explain(run, phase)) for phase in run.phases)
    return None if own is None else own.bound(instance)
