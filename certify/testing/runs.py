"""A run, its certificate, the checker's verdict and the ledger, made in one call, and what is wrong with them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from certify import check
from certify.build import certify, over_budget
from certify.claims.claim import Entry, Verdict
from certify.evidence import Document
from certify.problems.registry import TRACKS
from certify.testing.arguments import checked_instance, without_options
from certify.testing.choice import Patterns, chosen
from online import exact
from online.algorithm import Algorithm, blame, find, usable
from online.errors import InvalidInput, Problem
from online.exact import Number
from online.instance import Instance
from online.run import Run
from online.speed import play_at_speed
from online.validate import rational

BOUNDS = ("auto", "lp", "witness", "none")
"""Where a bound on T* beside the run's own witness may come from."""

Named = str | type[Algorithm]
"""An algorithm: a short name, `package.module:Class`, or the class itself."""


@dataclass(frozen=True)
class CertifiedRun:
    """A run and everything that is established about it.

    `objective` and `bound` (at most T*) are in the units of the input; `ratio` is one over the other, None without a
    positive bound. `ledger` are the claims that were asked for; `over_budget` is the first position at which more than
    an epsilon share was rejected, or None.
    """

    problem: str
    run: Run
    certificate: Document = field(repr=False)
    verdict: check.Verdict = field(repr=False)
    ledger: tuple[Entry, ...] = field(repr=False)
    objective: Fraction
    bound: Fraction
    bound_from: str
    ratio: Fraction | None
    over_budget: int | None

    @property
    def instance(self) -> Instance:
        """What was played."""
        return self.run.instance

    def faults(self) -> Iterator[str]:
        """Everything that is wrong, one line each: certificate, budget, claims that fail."""
        if self.verdict.verdict != "accepted":
            yield f"certificate {self.verdict.verdict}: " + "; ".join(map(str, self.verdict.failed))
        if self.over_budget is not None:
            spent = overspent(self.run, self.over_budget)
            most = f"at most {self.run.epsilon} of it is {spent.most}, exceeded by {spent.excess}"
            yield f"budget exceeded: {spent.got}; {most}"
        yield from (f"claim {told(entry)}" for entry in self.ledger if entry.verdict is Verdict.FAILS)

    def heading(self) -> str:
        """What was run, in one line."""
        run = self.run
        unit = TRACKS[run.problem].unit(run.instance)
        given = {
            name: exact.text(exact.rational(value) * unit) if name == "guess" else value
            for name, value in run.parameters.items()
        }
        known = "".join(f", {name} {value}" for name, value in sorted(given.items()))
        fast = "" if run.speed == 1 else f", speed {run.speed}"
        return f"{run.algorithm} for {self.problem}, epsilon {run.epsilon}{known}{fast}"


def certified(
    algorithm: Named,
    instance: Instance,
    *,
    epsilon: Number,
    problem: str | None = None,
    guess: Number | None = None,
    claims: Patterns = "all",
    bound: str = "auto",
    options: Mapping[str, Number] | None = None,
    speed: Number = 1,
) -> CertifiedRun:
    """Play, bound T*, certify, check, and measure the claims that are asked for; nothing fails yet.

    `problem` is the algorithm's own by default; `guess` is in the units of the input, without one it is guess and
    double; `bound` is one of `BOUNDS`, as for `dualfit run`.

    Raises: `InvalidInput` for an instance or a setting that the algorithm does not take, a class that fails, and a
    pattern that fits no claim.

    >>> from online.rows import Row
    >>> burst = Instance.from_rows(1, [Row(k, 0, 1) for k in range(4)])
    >>> found = certified("max-flow", burst, epsilon="1/2", guess=4)
    >>> found.objective, found.bound, found.verdict.verdict, list(found.faults())
    (Fraction(4, 1), Fraction(4, 1), 'accepted', [])
    """
    kind, name = algorithm_class(algorithm, problem)
    known = {key: rational(value, f"option {key}") for key, value in (options or {}).items()}
    with without_options():
        run = play_at_speed(
            checked_instance(instance),
            kind,
            rational(epsilon, "epsilon"),
            rational(speed, "speed"),
            guess=None if guess is None else _positive(guess) / TRACKS[kind.problem].unit(instance),
            name=name,
            options=known,
        )
        return certified_run(run, kind, claims=claims, bound=bound)


def _positive(guess: Number) -> Fraction:
    value = rational(guess, "guess")
    if value <= 0:
        raise InvalidInput(Problem("guess", "not positive", str(value), "a number > 0", "give a larger guess"))
    return value


def certified_run(run: Run, kind: type[Algorithm], *, claims: Patterns = "all", bound: str = "auto") -> CertifiedRun:
    """The same for a run that was made already."""
    if bound not in BOUNDS:
        raise InvalidInput(Problem("bound", "unknown bound", repr(bound), f"one of {', '.join(BOUNDS)}", "choose one"))
    instance, track = run.instance, TRACKS[run.problem]
    own = kind if run.speed == 1 else Algorithm
    extra = track.extra_bound(instance, own, bound) if instance.n and bound != "none" else None
    made = certify(run, kind, extra=[extra] if extra else [])
    lower = made.bound.value if made.bound else Fraction(0)
    return CertifiedRun(
        run.problem,
        run,
        made.document,
        check.check_document(made.document),
        tuple(chosen(_ledger(run, own, lower), claims)),
        run.objective * track.unit(instance),
        lower * track.unit(instance),
        made.bound.origin if made.bound else "no jobs",
        made.ratio,
        over_budget(run),
    )


def algorithm_class(algorithm: Named, problem: str | None) -> tuple[type[Algorithm], str]:
    """The class for the problem, and what the run is to call it.

    Raises: `InvalidInput` if there is no such class, or it is not for the problem.
    """
    if isinstance(algorithm, str):
        return find(algorithm, problem, "algorithm"), algorithm
    where = f"{getattr(algorithm, '__module__', '')}:{getattr(algorithm, '__qualname__', algorithm)}"
    kind = usable(algorithm, where, "algorithm")
    return kind.for_problem(problem or kind.problem, where, "algorithm"), where


def _ledger(run: Run, kind: type[Algorithm], lower: Fraction) -> list[Entry]:
    track = TRACKS[run.problem]
    upper = track.upper(run.instance) if run.instance.n else Fraction(0)
    try:
        return track.ledger(run, kind, lower, upper)
    except BaseException as failed:
        blame(run.algorithm, "explain()", failed)


def told(entry: Entry) -> str:
    """A line of a ledger with both sides, in the units of the input.

    >>> from certify.claims.claim import Claim, Reading
    >>> claim = Claim("6.4", "section 6.1", "Claim 6.4: enough", "", ">=", lambda scene: ())
    >>> told(Entry(claim, Verdict.FAILS, Reading(3, 4, "phase 1"), Fraction(1, 2)))
    '6.4 fails: 3/2 >= 2, slack -1/2, at phase 1 (Claim 6.4: enough)'
    """
    claim, reading = entry.claim, entry.reading
    if reading is None:
        return f"{claim.id} is {entry.verdict}: it says nothing on this run ({claim.statement})"
    sides = f"{exact.text(reading.lhs * entry.scale)} {claim.relation} {exact.text(reading.rhs * entry.scale)}"
    slack = exact.text(claim.slack(reading) * entry.scale)
    where = f", at {reading.where}" if reading.where else ""
    return f"{claim.id} {entry.verdict}: {sides}, slack {slack}{where} ({claim.statement})"


class Overspent(NamedTuple):
    """What was rejected at a prefix, what would have been allowed, and the difference, in the units of the input."""

    got: str
    most: str
    excess: str


def overspent(run: Run, position: int) -> Overspent:
    """The prefix up to a position at which too much was rejected."""
    rejected, arrived = list(run.prefixes())[position]
    what, unit = ("rejection weight", run.instance.weight_unit) if run.budget == "rejection" else ("jobs", Fraction(1))
    shares = f"{exact.text(rejected * unit)} of {exact.text(arrived * unit)} {what} rejected"
    allowed = run.epsilon * arrived
    return Overspent(
        f"{shares} when job {run.instance.ids[position]!r} had arrived",
        exact.text(allowed * unit),
        exact.text((rejected - allowed) * unit),
    )
