"""The smallest wrong part of a claim: still wrong, minimal, and read back from what is written."""

from __future__ import annotations

from fractions import Fraction

from claims import Case, cases
from hypothesis import given, settings

from certify.diagnose.claim import Claim
from certify.diagnose.claim_file import claim_of, to_document
from certify.diagnose.smallest import Smallest, is_false, restricted, smallest
from certify.diagnose.violation import violations
from certify.search.smaller import without_eligible, without_jobs, without_machines
from online.instance import Instance
from online.readers import ReadOptions, read_source
from online.readers.source import Source
from online.readers.writer import write_json
from online.rows import Row

REPRODUCIBLE = settings(derandomize=True, deadline=None, max_examples=40, database=None)


def _smallest(case: Case) -> Smallest | None:
    claim = Claim.of(case.instance, **case.arguments)
    return smallest(claim, violations(claim))


@REPRODUCIBLE
@given(cases())
def test_there_is_one_exactly_if_something_is_violated_and_it_is_wrong_too(case: Case) -> None:
    """A feasible claim has none; otherwise the part violates a constraint by itself."""
    found = _smallest(case)
    assert (found is None) == (not violations(Claim.of(case.instance, **case.arguments)).count)
    if found is not None:
        assert violations(found.claim).count


@REPRODUCIBLE
@given(cases(jobs=4))
def test_of_a_false_bound_nothing_can_be_left_out(case: Case) -> None:
    """Without any job, machine, eligible machine or interval that is left, the numbers come to no false bound."""
    found = _smallest(case)
    if found is None or found.kind != "bound":
        return
    claim, instance = found.claim, found.instance
    assert claim.family is not None
    assert is_false(claim)
    fewer = [without_jobs(instance, j, j + 1) for j in range(instance.n) if instance.n > 1]
    fewer += [part for i in range(instance.machines) if (part := without_machines(instance, i, i + 1)) is not None]
    fewer += [
        without_eligible(instance, job, k, k + 1)
        for job in instance.jobs()
        if len(job.eligible) > 1
        for k in range(len(job.eligible))
    ]
    assert not any(is_false(restricted(claim, part)) for part in fewer)
    count = len(claim.family)
    assert not any(is_false(restricted(claim, instance, [k != one for k in range(count)])) for one in range(count))


@REPRODUCIBLE
@given(cases())
def test_a_row_is_violated_by_as_much_as_in_the_whole_and_by_nothing_else(case: Case) -> None:
    """One job, one machine; without the job nothing is violated, without an interval the right side is another."""
    found = _smallest(case)
    if found is None or found.kind != "row":
        return
    whole = {row[2:] for row in violations(Claim.of(case.instance, **case.arguments)).rows}
    (row,) = violations(found.claim).rows
    assert row[2:] in whole
    assert (found.instance.n, found.instance.machines) == (1, 1)
    claim = found.claim
    assert claim.family is not None
    count = len(claim.family)
    for one in range(count):
        (other,) = violations(restricted(claim, found.instance, [k != one for k in range(count)])).rows or (None,)
        assert other is None or other.right != row.right


@REPRODUCIBLE
@given(cases())
def test_the_part_is_read_back_as_it_was_written(case: Case) -> None:
    """The two files of --smallest hold the same instance and the same claim."""
    found = _smallest(case)
    if found is None or not found.instance.n:
        return
    instance = read_source(Source.of("small.json", write_json(found.instance).encode()), ReadOptions()).instance
    again = claim_of(instance, to_document(found.claim), "small.duals.json")
    assert instance == found.instance
    mine, other = violations(found.claim), violations(again)
    assert (mine.rows, mine.excess) == (other.rows, other.excess)
    assert found.claim.says == again.says


def test_a_false_bound_of_some_part_in_time_comes_down_to_one_job_of_it() -> None:
    """Of twenty jobs three at once are counted twice where once is allowed; one says 2 where a schedule costs 1.

    The long interval elsewhere makes the bound of the whole claim harmless.
    """
    rows = [Row(k, 10 * k, 1) for k in range(17)] + [Row(f"crowd {k}", 200, 1) for k in range(3)]
    instance = Instance.from_rows(1, rows)
    alpha = {job: 2 if str(job).startswith("crowd") else 0 for job in instance.ids}
    claim = Claim.of(instance, alpha=alpha, intervals=[(0, 200, 200), (0, 0, 160)])
    found = smallest(claim, violations(claim))
    assert found is not None
    assert (found.kind, len(found.instance.ids)) == ("bound", 1)
    assert found.words == "its numbers come to 2, a schedule to 1"


def test_the_fewest_intervals_whose_sum_is_over_one() -> None:
    """Of b = 1/2, 1/4, 2/3 and 1/8 two are enough, the largest ones."""
    instance = Instance.from_rows(1, [Row("a", 0, 1)])
    rows = [(0, 0, 0, None, Fraction(b)) for b in ("1/2", "1/4", "2/3", "1/8")]
    claim = Claim.of(instance, alpha=[0], intervals=rows, normalisation="dual")
    found = smallest(claim, violations(claim))
    assert found is not None
    assert found.claim.family is not None
    assert (found.kind, found.claim.family.multiplicity.tolist()) == ("sum", [12, 16])
    assert found.words == "sum b / weight is 7/6 for 2 intervals"


def test_a_negative_number_alone_is_named() -> None:
    """A dual below 0 is wrong by itself, whatever the intervals."""
    instance = Instance.from_rows(1, [Row("a", 0, 1), Row("b", 0, 1)])
    claim = Claim.of(instance, alpha={"b": -1}, intervals=[(0, 0, 0)])
    found = smallest(claim, violations(claim))
    assert found is not None
    assert (found.kind, found.words) == ("sign", "the dual of job b is -1")
