"""The ladder of bounds on the smallest possible max w_j F_j, rung by rung, each with evidence."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from certify.evidence import Bound, best, family_bound, hall_evidence, schedule_bound, size_bound
from certify.problems.track import Bracket, Rung, Tell, Unproven
from lp import cuts
from lp.bound import MOST_CLASSES, lp_bound
from lp.deadline import Deadline
from lp.flow import flow_bound
from lp.hall import hall_bound
from lp.improve import good_schedule
from lp.optimum import optimum
from lp.schedule import Schedule
from online.errors import DualfitError
from online.family import IntervalFamily
from online.instance import Instance
from online.weights import Weights

SOLVER_PAIRS = 400_000
"""Most (job, eligible machine) pairs, times weight classes, that `best` hands to the solver without a time limit."""

HALL_PAIRS = 300_000
"""Most (job, eligible machine) pairs of the Hall bound in `best` without a time limit."""

CASE_JOBS = 60
"""Most jobs of the case distinction in `best` without a time limit."""

METHODS = ("best", "lp", "lindley", "flow", "textbook", "hall", "exact", "witness", "size")


class Ladder:
    """Climbs from the largest job up; every rung is kept.

    `weights` are None for maximum flow time. `witness` gives the bound of an online algorithm's own witness, if it has
    one for this instance. `time_limit`, in seconds, is for the whole climb: past it, what is proven stands.
    """

    def __init__(
        self,
        instance: Instance,
        weights: Weights | None,
        lemma: str,
        witness: Callable[[Instance], Bound | None],
        time_limit: float | None,
        tell: Tell,
    ) -> None:
        self.instance, self.weights, self.lemma, self.witness, self.tell = instance, weights, lemma, witness, tell
        self.deadline = Deadline(time_limit)
        self.rungs: list[Rung] = []
        self.skipped: list[str] = []
        self.schedule: Schedule | None = None
        self.unproven: Unproven | None = None

    def climb(self, method: str) -> Bracket:
        """The bracket by one method, or by all of them (`best`); the largest job is always a rung."""
        if self.instance.n:
            self.rungs.append(Rung("size", size_bound(self.instance, self.weights)))
            if method == "best":
                self._all()
            elif method != "size":
                getattr(self, f"_{method}")()
        if self.schedule is None:
            self._schedule()
        assert self.schedule is not None
        return Bracket(method, tuple(self.rungs), schedule_bound(self.schedule), self.unproven, tuple(self.skipped))

    def _all(self) -> None:
        """Every rung that is not too large, until a lower bound meets the schedule."""
        count = self.instance.pairs
        classes = 1 if self.weights is None else min(self.weights.classes, MOST_CLASSES)
        self._witness()
        self._schedule()
        fits_flow = cuts.fast() or count <= SOLVER_PAIRS // 20
        if classes == 1 and fits_flow:
            self._try("flow", self._flow, True, "")
        else:
            self._try("lindley", self._lindley, count * classes <= SOLVER_PAIRS, f"{count * classes} pairs")
        self._try("hall", self._hall, count <= HALL_PAIRS, f"{count} pairs")
        self._try("exact", self._exact, self.instance.n <= CASE_JOBS, f"{self.instance.n} jobs")

    def _try(self, method: str, rung: Callable[[], None], small: bool, size: str) -> None:
        """A rung of `best`: it may be missing, and then the result says why."""
        if self._closed():
            return
        if self.deadline.left() is None and not small:
            self.skipped.append(f"{method}: {size} are many; give --method {method} or a --time-limit")
        elif self.deadline.passed():
            self.skipped.append(f"{method}: no time left")
        else:
            try:
                rung()
            except DualfitError as failed:
                self.skipped.append(f"{method}: {failed}")

    def _witness(self) -> None:
        self.tell("running the online algorithm")
        found = self.witness(self.instance)
        if found is not None and found.value > 0:
            self.rungs.append(Rung("witness", found))

    def _lp(self) -> None:
        self._program("lp", "auto")

    def _lindley(self) -> None:
        self._program("lindley", "lindley")

    def _textbook(self) -> None:
        self._program("textbook", "textbook")

    def _program(self, method: str, form: str) -> None:
        self.tell("solving the linear program")
        found = lp_bound(self.instance, form, weights=self.weights, time_limit=self.deadline.left())
        classes = f", {found.classes} weights" if found.classes > 1 else ""
        lowered = ", lowered to these" if found.lowered else ""
        self._family(method, found.family, found.lower, f"{found.form} form{classes}{lowered}", found.upper)

    def _flow(self) -> None:
        self.tell("cutting the network of the linear program")
        own = [rung.bound.value for rung in self.rungs if rung.method == "witness"]
        found = flow_bound(
            self.instance, weights=self.weights, start=own[0] if own else None, time_limit=self.deadline.left()
        )
        form = "exact, by minimum cuts" if found.optimal else f"by minimum cuts, stopped: {found.stopped}"
        self._family("flow", found.family, found.lower, form, found.upper)

    def _family(self, method: str, family: IntervalFamily, value: Fraction, form: str, at_most: Fraction) -> None:
        if not len(family):
            return
        bound = family_bound(self.instance, family, f"the LP of Lemma {self.lemma} ({form})", self.weights)
        assert bound.value >= value
        self.rungs.append(Rung(method, bound, form, at_most))

    def _hall(self) -> None:
        """The Hall bound, then the same with windows cut to the grid of all times."""
        for integral, form in ((False, "exact windows"), (True, "windows cut to the grid")):
            if self._closed() or self.deadline.passed():
                return
            self.tell(f"looking for a crowded set of jobs ({form})")
            found = hall_bound(
                self.instance,
                weights=self.weights,
                start=self._lower(),
                integral=integral,
                time_limit=self.deadline.left(),
            )
            if found.jobs:
                evidence = hall_evidence(found.value, found.jobs, rounded=integral)
                origin = f"a Hall set of {len(found.jobs)} jobs ({form})"
                self.rungs.append(Rung("hall", Bound(found.value, evidence, origin), form, found.upper))

    def _exact(self) -> None:
        self.tell("looking for the optimum")
        found = optimum(self.instance, self.weights, time_limit=self.deadline.left())
        if self.schedule is None or found.upper.value < self.schedule.value:
            self.schedule = found.upper
        if found.solver_bound is not None:
            self.unproven = Unproven(Fraction(found.solver_bound), "the integer programming solver")
        if found.proof is not None and found.lower > self._lower():
            bound = Bound(Fraction(found.lower), found.proof, ORIGINS[found.proof["rule"]])
            self.rungs.append(Rung("exact", bound, "optimal" if found.optimal else "not closed"))

    def _schedule(self) -> None:
        self.tell("looking for a good schedule")
        found = good_schedule(self.instance, self.weights, target=self._lower(), time_limit=self.deadline.left())
        if self.schedule is None or found.value < self.schedule.value:
            self.schedule = found

    def _lower(self) -> Fraction:
        found = best(rung.bound for rung in self.rungs)
        return Fraction(0) if found is None else found.value

    def _closed(self) -> bool:
        return self.schedule is not None and self._lower() >= self.schedule.value


ORIGINS = {"C0": "the largest job", "C5": "a Hall set (windows cut to the grid)", "C10": "a case distinction"}
"""Where the proofs of an exact optimum come from, by rule."""


def program_bound(instance: Instance, lemma: str, weights: Weights | None = None) -> Bound | None:
    """The bound of the linear program in the form that fits; None if it has no interval."""
    found = lp_bound(instance, weights=weights)
    origin = f"the LP of Lemma {lemma} ({found.form} form)"
    return family_bound(instance, found.family, origin, weights) if len(found.family) else None
