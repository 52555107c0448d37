"""The ids of the claims, by which a line of a ledger is found."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest

from certify.claims import load, max_flow
from certify.claims.claim import Claim
from certify.problems.registry import TRACKS
from certify.problems.weighted import Weighted
from certify.reopen import claimed_upper


def claims_of(problem: str) -> list[Claim]:
    """All claims of the ledger of a problem, in its order."""
    track = TRACKS[problem]
    if isinstance(track, Weighted):
        return [claim for section in (*track.about_a, *track.about_b) for claim in section.claims]
    return {"max-flow": max_flow.SECTION, "load": load.SECTION}[problem].claims


@pytest.mark.parametrize("problem", TRACKS)
def test_ids_are_unique_in_the_ledger_of_a_problem(problem: str) -> None:
    """No two claims share an id, about A and about B together."""
    ids = Counter(claim.id for claim in claims_of(problem))
    assert ids
    assert [id for id, count in ids.items() if count > 1] == []


@pytest.mark.parametrize("problem", TRACKS)
def test_a_correction_is_in_the_same_ledger(problem: str) -> None:
    """The id that a printed claim names as its correction is that of another claim there, itself not corrected."""
    claims = {claim.id: claim for claim in claims_of(problem)}
    for claim in claims.values():
        if claim.corrected_by:
            assert claim.corrected_by != claim.id
            assert not claims[claim.corrected_by].corrected_by


def test_the_least_upper_bound_is_that_of_the_certificate_or_the_quick_one() -> None:
    """A goal T* <= 3 counts where it is better than what is found with little work, and never makes it worse."""
    document = {"goal": [{"claim": "upper-bound", "value": 3}, {"claim": "lower-bound", "value": "5/2"}]}
    assert claimed_upper(document, Fraction(4)) == 3
    assert claimed_upper(document, Fraction(2)) == 2
    assert claimed_upper({"goal": []}, Fraction(7)) == 7
