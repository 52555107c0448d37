"""The algorithm that made the run of a certificate, once the same decisions come out again, and what it explains."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from certify.claims.claim import Entry
from certify.problems.registry import TRACKS
from certify.reopen import claimed_bound, claimed_upper
from online import exact
from online.algorithm import Algorithm, blame, find, registered
from online.errors import FalseClaim
from online.run import Run
from online.speed import play_at_speed

if TYPE_CHECKING:
    from online.algorithm import Explanation


def algorithm_of(run: Run, name: str | None) -> type[Algorithm] | None:
    """The class that made a run; None if nobody knows it: no module that only the certificate names is imported.

    `name` is the user's own word for the algorithm.

    Raises: `FalseClaim` if the run is not what the algorithm does on the instance.
    """
    if not name and run.algorithm not in registered():
        return None
    algorithm = find(name or run.algorithm, run.problem)
    constants = {key: exact.rational(value) for key, value in run.parameters.items()}
    guess = constants.pop("guess", None)
    again = play_at_speed(
        run.instance, algorithm, run.epsilon, run.speed, guess=guess, name=run.algorithm, options=constants
    )
    if _decisions(again) != _decisions(run):
        raise FalseClaim(
            f"the run is not one of {run.algorithm} with epsilon {run.epsilon}: the ledger is about another"
        )
    return algorithm


def _decisions(run: Run) -> tuple[object, ...]:
    return run.dispatch.tolist(), run.late, run.phases, run.pieces


def explanations(run: Run, algorithm: type[Algorithm] | None) -> list[Explanation | None]:
    """What the algorithm explains each phase by; nothing of an unknown one, or at another speed than 1.

    Raises: `InvalidInput` naming the class, if it fails.
    """
    if algorithm is None or run.speed != 1:
        return [None] * len(run.phases)
    try:
        return [algorithm.explain(run, phase) for phase in run.phases]
    except Exception as failed:
        blame(run.algorithm, "explain()", failed)


def run_entries(document: dict[str, Any], run: Run, algorithm: type[Algorithm] | None) -> list[Entry]:
    """The ledger of the run in an accepted certificate, by the algorithm that made it; all vacuous without one."""
    track = TRACKS[run.problem]
    upper = claimed_upper(document, track.upper(run.instance) if run.instance.n else Fraction(0))
    claimed = algorithm if algorithm is not None and run.speed == 1 else Algorithm
    try:
        return track.ledger(run, claimed, claimed_bound(document), upper)
    except Exception as failed:
        if run.algorithm in registered():
            raise
        blame(run.algorithm, "explain()", failed)
