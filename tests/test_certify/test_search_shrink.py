"""Shrinking: deterministic, keeps the property, and ends where no small move works."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from certify.search.shrink import Shrinking, shrink
from certify.search.smaller import changed, without_eligible, without_jobs
from online.errors import InvalidInput
from online.flow_time.max_flow import LeastLoaded
from online.generate import FAMILIES, make
from online.instance import Instance
from online.play import play
from online.rows import Row

Keeps = Callable[[Instance], bool]


def _volume(instance: Instance) -> bool:
    return int(instance.size.sum()) >= 11


def _late_heavy(instance: Instance) -> bool:
    return any(job.release >= 3 and job.flow_weight >= 2 and len(job.eligible) >= 2 for job in instance.jobs())


def _rejects(instance: Instance) -> bool:
    if instance.unit_size is None:
        return False
    return play(instance, LeastLoaded, Fraction(1, 2), guess=Fraction(instance.unit_size)).rejected_count >= 2


def _two_alike(instance: Instance) -> bool:
    sizes = instance.size.tolist()
    return any(size >= 3 and sizes.count(size) >= 2 for size in sizes)


PROPERTIES = [_volume, _late_heavy, _rejects, _two_alike]


def _instances(keeps: Keeps, count: int = 6) -> list[Instance]:
    made = (make(name, seed=seed, jobs=24, machines=4)[0] for seed in range(20) for name in FAMILIES)
    found = (instance for instance in made if keeps(instance))
    return [instance for instance, _ in zip(found, range(count), strict=False)]


@pytest.mark.parametrize("keeps", PROPERTIES)
def test_the_result_keeps_the_property_and_is_minimal(keeps: Keeps) -> None:
    """At the end no job and no eligible machine can be left out, and no number can be one less."""
    instances = _instances(keeps)
    assert instances
    for instance in instances:
        work = Shrinking(instance, keeps)
        small = work.run()
        assert work.finished
        assert keeps(small)
        assert small.n == 1 or not any(keeps(without_jobs(small, j, j + 1)) for j in range(small.n))
        for job in small.jobs():
            if len(job.eligible) > 1:
                assert not any(keeps(without_eligible(small, job, k, k + 1)) for k in range(len(job.eligible)))
            for column, least in (("size", 1), ("release", 0), ("flow_weight", 1), ("rejection_weight", 1)):
                value = getattr(job, column)
                assert value == least or not keeps(changed(small, [job.id], **{column: value - 1}))


def test_properties_shrink_to_what_they_are_about() -> None:
    """A volume ends exactly, a late heavy job with a choice has the least numbers, equal sizes stay equal."""
    for instance in _instances(_volume):
        assert int(shrink(instance, _volume).size.sum()) == 11
    for keeps, wanted in [(_late_heavy, [(3, 1, 2, 2)]), (_two_alike, [(0, 3, 1, 1)] * 2)]:
        for instance in _instances(keeps):
            jobs = shrink(instance, keeps).jobs()
            assert [(job.release, job.size, job.flow_weight, len(job.eligible)) for job in jobs] == wanted


def test_rejections_of_the_unit_algorithm_shrink_to_few_unit_jobs_at_one_instant() -> None:
    """Sizes that must stay equal are lowered together, and releases come together."""
    for instance in _instances(_rejects):
        small = shrink(instance, _rejects)
        assert set(small.size.tolist()) == {1}
        assert set(small.release.tolist()) == {0}


def test_the_same_arguments_give_the_same_bytes() -> None:
    """Nothing depends on anything but the arguments, and every accepted instance keeps the property."""
    for instance in _instances(_rejects, 3):
        assert shrink(instance, _rejects).canonical == shrink(instance, _rejects).canonical


@pytest.mark.parametrize("steps", [0, 1, 5, 20])
def test_a_budget_of_steps_ends_the_work_with_an_instance_that_keeps_the_property(steps: int) -> None:
    """No more instances are tried than allowed, and an unfinished result says so."""
    instance = _instances(_rejects, 1)[0]
    work = Shrinking(instance, _rejects, steps)
    assert _rejects(work.run())
    assert work.tried == steps
    assert not work.finished


def test_names_stay_with_their_jobs_and_machines() -> None:
    """A shrunk instance of a user's file speaks of the user's jobs and machines."""
    rows = [Row("a", "0.5", "2.5", [0, 2]), Row("b", "1.5", "7.5", [1, 2]), Row("c", 4, 3, [2])]
    named = Instance.from_rows(3, rows, machine_names=["red", "green", "blue"])
    small = shrink(named, lambda one: "b" in one.ids and "blue" in (one.machine_names or ()) and one.machines >= 2)
    assert small.ids == ("b",)
    assert small.machine_names == ("red", "blue")
    assert small.tick == 1


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(1, 9), st.integers(1, 9)), min_size=1, max_size=12), st.data())
@settings(derandomize=True, max_examples=60, deadline=None)
def test_any_property_is_kept_and_nothing_grows(rows: list[tuple[int, int, int]], data: st.DataObject) -> None:
    """For an arbitrary predicate the result still has it, with no more jobs, volume or weight than before."""
    instance = Instance.from_rows(2, [Row(k, r, p, None, w) for k, (r, p, w) in enumerate(rows)])
    modulus = data.draw(st.integers(1, 7))
    residue = int((instance.size * (instance.release + 1) * instance.flow_weight).sum()) % modulus

    def keeps(one: Instance) -> bool:
        return int((one.size * (one.release + 1) * one.flow_weight).sum()) % modulus == residue

    small = shrink(instance, keeps)
    assert keeps(small)
    assert small.n <= instance.n
    for column in ("release", "size", "flow_weight", "rejection_weight"):
        assert getattr(small, column).sum() <= getattr(instance, column).sum()


def test_a_predicate_that_raises_is_not_swallowed() -> None:
    """A fault in the property is the caller's to see."""

    def broken(instance: Instance) -> bool:
        raise InvalidInput([])

    with pytest.raises(InvalidInput):
        shrink(_instances(_volume, 1)[0], broken)
