"""What a page is about: an accepted certificate, and what follows from it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

from certify import check
from certify.claims.claim import Entry
from certify.commands.energy.ledger import energy_entries
from certify.problems.registry import TRACKS
from certify.reopen import claimed_bound, reopen_instance, reopen_run
from certify.replay import algorithm_of, explanations, run_entries
from online import exact
from online.algorithm import Algorithm
from online.errors import LimitReached
from online.instance import Instance
from online.run import Run

if TYPE_CHECKING:
    from online.algorithm import Explanation

Document = dict[str, Any]


@dataclass(frozen=True, eq=False)
class Scene:
    """An accepted certificate called `name`, that lies in `folder`, and the checker's verdict on it.

    `algorithm_name` is the user's own word for the algorithm of the run: no module that only the certificate names is
    imported. All else follows, and is worked out when a section asks for it.
    """

    document: Document
    verdict: check.Verdict
    name: str
    folder: str | None = None
    algorithm_name: str | None = None

    @property
    def problem(self) -> str:
        """max-flow, load, weighted, two-weights, stretch, energy or routing."""
        return str(self.document["problem"])

    @property
    def optimum(self) -> str:
        """What the least value of any schedule is called."""
        return "T*" if self.problem in TRACKS else "OPT"

    @cached_property
    def instance(self) -> Instance | None:
        """The jobs; None for a game in rounds (`routing`)."""
        return None if self.problem == "routing" else reopen_instance(self.document["instance"], self.folder)

    @cached_property
    def run(self) -> Run | None:
        """The run, of a problem with machines; None of a bound alone, and where machines have speeds of their own."""
        if "run" not in self.document or self.problem not in TRACKS:
            return None
        record = self.document["run"]
        parameters = record.get("parameters", {})
        whole = parameters if self.repeatable else {**parameters, "epsilon": "1"}
        return reopen_run({**self.document, "run": {**record, "parameters": whole}}, self.folder)

    @property
    def repeatable(self) -> bool:
        """Whether the run says how it was made; if not, it is drawn, and nothing is said of its algorithm."""
        needed = "bits" if self.problem == "energy" else "epsilon"
        return needed in self.document["run"].get("parameters", {})

    @cached_property
    def algorithm(self) -> type[Algorithm] | None:
        """The class that made the run, replayed; None if there is no run or nobody knows it."""
        if self.run is None or not self.repeatable:
            return None
        return algorithm_of(self.run, self.algorithm_name)

    @cached_property
    def explanations(self) -> list[Explanation | None]:
        """What the algorithm explains each phase of the run by."""
        return [] if self.run is None else explanations(self.run, self.algorithm)

    @property
    def entries(self) -> list[Entry]:
        """The ledger: every claim of the problem's section on the run; empty without one, and if it is `unmeasured`."""
        return self._measured[0]

    @property
    def unmeasured(self) -> str | None:
        """Why nobody measured the claims: the run is too large for it; else None."""
        return self._measured[1]

    @cached_property
    def _measured(self) -> tuple[list[Entry], str | None]:
        try:
            if self.problem == "energy" and "run" in self.document and self.repeatable:
                return energy_entries(self.document, self.folder, self.algorithm_name), None
            return [] if self.run is None else run_entries(self.document, self.run, self.algorithm), None
        except LimitReached as reached:
            return [], str(reached)

    @property
    def goals(self) -> list[Document]:
        """What the certificate states; all of it was shown."""
        return list(self.document["goal"])

    @property
    def evidence(self) -> list[Document]:
        """What it is shown by."""
        return list(self.document["evidence"])

    @property
    def bound(self) -> Fraction:
        """The largest lower bound on T*, in ticks times the unit of the weights; 0 without one."""
        return claimed_bound(self.document)

    @cached_property
    def unit(self) -> Fraction:
        """What values of the objective are multiplied by to be in the units of the input."""
        instance = self.instance
        if instance is None:
            return Fraction(1)
        return TRACKS[self.problem].unit(instance) if self.problem in TRACKS else instance.tick

    def time(self, ticks: Fraction | int) -> str:
        """A time or volume in ticks as text, exact, in the unit of the input."""
        return exact.text(ticks * self.tick)

    @cached_property
    def tick(self) -> Fraction:
        """One tick, in the unit of the input."""
        return Fraction(1) if self.instance is None else self.instance.tick
