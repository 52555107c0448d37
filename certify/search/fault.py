"""A refusal in the middle of a search, and a small instance on which it happens again."""

from __future__ import annotations

from dataclasses import dataclass

from certify.problems.track import Tell, silent
from certify.search.score import Rank, Score, Scored
from certify.search.shrink import shrink
from certify.search.smaller import numbered
from online.errors import InvalidInput
from online.instance import Instance

SHRINKING = 400
"""Most instances that are tried to make it small."""


class Watched:
    """A score that remembers the instance at hand."""

    def __init__(self, score: Score) -> None:
        self.score = score
        self.instance: Instance | None = None

    def __call__(self, instance: Instance, least: Rank | None = None) -> Scored | None:
        self.instance = instance
        return self.score(instance, least)


@dataclass(frozen=True)
class Fault:
    """An instance, and what is wrong with the algorithm there."""

    instance: Instance
    error: InvalidInput

    @classmethod
    def of(cls, score: Watched, error: InvalidInput) -> Fault:
        """The refusal at the instance at hand. Raises: the error itself if it is about the options of the search."""
        if score.instance is None or any(_of_options(one.place) for one in error.problems):
            raise error
        return cls(score.instance, error)

    def smaller(self, score: Score, tell: Tell = silent) -> Fault:
        """The same kind of refusal on an instance made small."""
        errors = {self.instance.sha256: self.error}

        def again(instance: Instance) -> bool:
            try:
                score(instance)
            except InvalidInput as error:
                errors[instance.sha256] = error
                return _kind(error) == _kind(self.error)
            return False

        best = shrink(self.instance, again, steps=SHRINKING, tell=tell)
        best = numbered(best) if again(numbered(best)) else best
        return Fault(best, errors[best.sha256])


def _of_options(place: str) -> bool:
    return place.startswith("--") or place in ("guess", "epsilon")


def _kind(error: InvalidInput) -> tuple[str, str]:
    """What happened, whatever the job."""
    first = error.problems[0]
    return first.reason.split(" at ")[0], first.got.split(":")[0] if first.reason.startswith("failed") else ""
