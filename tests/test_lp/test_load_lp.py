from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from load_instances import fullest_set, least_largest_load, tiny_instances
from lp_instances import REPRODUCIBLE, instances

from lp.lindley import solve_lindley
from lp.load import textbook
from lp.load.flow import flow_bound
from lp.load.textbook import readable, solve_dual, solve_primal
from lp.load.volumes import Volumes
from lp.load.weak_duality import confined, largest_duals, load_bound, prices, whole_bound
from lp.weak_duality import lower_bound
from online.errors import InvalidInput, LimitReached
from online.family import IntervalFamily
from online.instance import Instance
from online.readers import read
from online.rows import Row

CASES = Path(__file__).parent / "cases"
SHIPPED = Path(__file__).parents[1] / "cases"


def together(instance: Instance) -> Instance:
    """The instance with all jobs released at once."""
    return replace(instance, release=np.zeros(instance.n, dtype=np.int64))


def instance_of(machines: int, *jobs: tuple[int, list[int]]) -> Instance:
    """Jobs given as (size, eligible machines)."""
    return Instance.from_rows(machines, [Row(j, j, p, chosen) for j, (p, chosen) in enumerate(jobs)])


@REPRODUCIBLE
@given(instances())
def test_every_form_has_the_same_value(instance):
    """Minimum cuts = all sets of machines = both printed programs = the LP of Lemma 6.1 with all releases equal."""
    value = flow_bound(instance).lower
    assert value == fullest_set(instance)
    for form in (solve_primal(instance), solve_dual(instance), solve_lindley(together(instance))):
        assert form.lower == value == form.upper
        assert form.value == pytest.approx(float(value))


def test_cuts_find_the_fullest_set_of_machines():
    """On thousands of instances, sizes up to 10^31: the value is the maximum over all sets, and proven to be."""
    for instance in tiny_instances(3000, seed=1):
        found = flow_bound(instance)
        assert found.optimal
        assert found.lower == fullest_set(instance)
        assert found.lower == Fraction(confined(instance, found.machines), len(found.machines))
        assert found.lower == load_bound(instance, prices(instance, found.machines))


@pytest.mark.parametrize("solve_form", [solve_primal, solve_dual])
def test_the_printed_programs_bracket_the_value(solve_form):
    """However far apart the sizes, a solver's answer is repaired to a true bracket, or refused before it is asked."""
    refused = 0
    for instance in tiny_instances(300, seed=2):
        sizes = [p for p in instance.size.tolist() if p]
        if sizes and min(sizes) * 10**9 * instance.n <= sum(sizes):
            refused += 1
            with pytest.raises(InvalidInput, match="use the flow form"):
                solve_form(instance)
            continue
        found = solve_form(instance)
        assert found.lower == load_bound(instance, found.beta)
        assert found.lower <= fullest_set(instance) <= found.upper
    assert 0 < refused < 100


def test_the_value_is_at_most_the_optimum():
    """LP <= T*, also rounded up and with the longest job, on thousands of instances."""
    for instance in tiny_instances(2000, seed=3):
        found = flow_bound(instance)
        whole, _ = whole_bound(instance, prices(instance, found.machines))
        assert found.lower <= whole <= least_largest_load(instance)


@REPRODUCIBLE
@given(instances(), st.data())
def test_any_prices_are_a_certificate(instance, data):
    """The bound of any prices is at most the LP value, and equals Lemma 6.1 with one interval a machine."""
    beta = data.draw(st.lists(st.integers(0, 4), min_size=instance.machines, max_size=instance.machines).filter(any))
    bound = load_bound(instance, beta)
    family = IntervalFamily.of([(i, 0, 0, 0) for i in range(instance.machines)], multiplicity=beta)
    assert bound == lower_bound(together(instance), family)
    assert bound <= flow_bound(instance).lower
    assert bound <= whole_bound(instance, beta)[0] <= least_largest_load(instance)


@REPRODUCIBLE
@given(instances(), st.data())
def test_the_largest_duals_are_feasible_and_no_larger_ones_are(instance, data):
    """Each dual is at most the price of every eligible machine, and equal to that of one."""
    beta = data.draw(st.lists(st.integers(0, 4), min_size=instance.machines, max_size=instance.machines).filter(any))
    for job, dual in zip(instance.jobs(), largest_duals(instance, beta), strict=True):
        assert all(dual <= beta[i] for i in job.eligible)
        assert any(dual == beta[i] for i in job.eligible)


@REPRODUCIBLE
@given(instances(machines=4, jobs=8), st.data())
def test_the_search_may_start_anywhere_and_stop_at_any_time(instance, data):
    """Every start ends in the same value; every stop leaves a true bound, no worse than the start."""
    start = data.draw(st.sets(st.integers(0, instance.machines - 1)))
    full = flow_bound(instance, start)
    assert full.lower == flow_bound(instance).lower
    stopped = [flow_bound(instance, start, cuts=cuts) for cuts in range(4)]
    values = [bound.lower for bound in stopped]
    assert values == sorted(values)
    assert values[-1] <= full.lower
    assert all(b.lower == Fraction(confined(instance, b.machines), len(b.machines)) for b in stopped)
    assert not start or values[0] >= Fraction(confined(instance, start), len(start))
    assert not stopped[0].optimal or not instance.n


def test_several_cuts_narrow_down_to_the_fullest_set():
    """A path of pair jobs with one heavy stretch: no simple set is best, and one cut does not prove it."""
    volumes = [1, 4, 5, 5, 4, 1, 3, 1, 1]
    instance = instance_of(10, *((p, [i, i + 1]) for i, p in enumerate(volumes)))
    assert flow_bound(instance).lower == fullest_set(instance) == Fraction(18, 5)
    assert flow_bound(instance).machines == (1, 2, 3, 4, 5)
    assert not flow_bound(instance, cuts=1).optimal


def test_a_large_network_is_not_cut():
    """Above the edge limit the best simple set is returned, and it is said that it may not be optimal."""
    instance = instance_of(2, (4, [0]), (2, [0, 1]))
    assert flow_bound(instance, edge_limit=2) == flow_bound(instance, cuts=0)
    assert (flow_bound(instance, edge_limit=2).lower, flow_bound(instance, edge_limit=2).optimal) == (4, False)
    assert flow_bound(instance, edge_limit=3).optimal


def test_the_value_scales_with_the_sizes():
    """10^40 times the sizes, in Python ints, 10^40 times the value; nothing is rounded on the way."""
    for small in tiny_instances(100, seed=4):
        factor = 10**40
        large = Instance.from_columns(
            small.machines,
            release=small.release.tolist(),
            size=[p * factor for p in small.size.tolist()],
            eligible_set=small.eligible_set.tolist(),
            sets=list(small.sets),
        )
        assert flow_bound(large).lower == factor * flow_bound(small).lower


def test_one_tick_among_twelve_orders_of_magnitude_counts():
    """A job of one tick beside jobs of 10^15 moves the value by exactly its part."""
    instance = instance_of(3, (10**15, [0, 1]), (10**15, [1, 2]), (10**15, [0, 2]), (1, [0, 1, 2]))
    assert flow_bound(instance).lower == 10**15 + Fraction(1, 3)


def test_equal_sets_add_up_however_they_are_stored():
    """One eligible set listed twice, and in int64 or as Python ints, is one set with all its volume."""
    for factor in (1, 10**30):
        instance = Instance.from_columns(
            2, release=[0] * 3, size=[2 * factor, 3 * factor, 0], eligible_set=[0, 1, 2], sets=[(0, 1), (0, 1), (1,)]
        )
        volumes = Volumes.of(instance)
        assert (volumes.sets, volumes.volume) == ([(0, 1)], [5 * factor])


@pytest.mark.parametrize("rows", [[], [Row("a", 0, 0)]], ids=["no jobs", "no work"])
def test_without_work_the_value_is_zero(rows):
    """0 from both sides, optimal, with prices that are a certificate of 0."""
    instance = Instance.from_rows(3, rows, keep_zero_sizes=True)
    assert (flow_bound(instance).lower, flow_bound(instance).machines) == (0, (0, 1, 2))
    for found in (solve_primal(instance), solve_dual(instance)):
        assert found.lower == found.upper == load_bound(instance, found.beta) == 0


def test_names_that_clash_stay_apart():
    """Jobs and machines whose joined names meet are seven columns; the value is 8/2 = 4."""
    instance = read(CASES / "names_that_clash.json").instance
    model = textbook.primal(instance)
    assert len({v.name for v in model.problem.variables()}) == 1 + 7
    assert {found.lower for found in (solve_primal(instance), solve_dual(instance), flow_bound(instance))} == {4}
    assert len({line.split()[-1] for line in readable(instance, "primal").splitlines() if "job" in line}) == 4


@pytest.mark.parametrize(("name", "value"), [("edata-la01", Fraction(609)), ("vdata-la40", Fraction(3824, 5))])
def test_published_instances(name, value):
    """The LP values of two flexible job shops taken as restricted assignment: 609 and 764.8, exactly."""
    instance = read(SHIPPED / f"hurink-{name}.csv").instance
    solved = solve_primal(instance)
    assert flow_bound(instance).lower == solved.lower == value
    assert 0 <= solved.upper - value < Fraction(1, 10**7)


def test_the_primal_reads_as_printed():
    """One line a machine and one a job, with the user's names; a machine that nobody may use has an empty load."""
    instance = Instance.from_rows(3, [Row("a", 0, 2, [0, 1]), Row("b", 1, 1, [1])], machine_names=["x", "y", "z"])
    assert readable(instance, "primal").splitlines() == [
        "minimise  T",
        "subject to",
        "  T >= 2 x[a,x]              load of machine x",
        "  T >= 2 x[a,y] + x[b,y]     load of machine y",
        "  T >= 0                     load of machine z",
        "  x[a,x] + x[a,y] >= 1       job a",
        "  x[b,y] >= 1                job b",
        "  T, x >= 0",
    ]


def test_the_dual_reads_as_printed_in_latex():
    """A whole document with one aligned row a line, names escaped."""
    instance = Instance.from_rows(1, [Row("a_1", 0, 2)])
    text = readable(instance, "dual", latex=True)
    assert r"  & a_{\text{a\_1}} \le 2 b_{\text{1}} && \text{job a\_1 on machine 1} \\" in text.splitlines()
    assert text.startswith(r"\documentclass")
    assert text.endswith("\\end{document}\n")


@pytest.mark.parametrize(
    ("ask", "words"),
    [
        (lambda i: load_bound(i, [1]), "wrong length"),
        (lambda i: load_bound(i, [1, -1]), "bad price"),
        (lambda i: load_bound(i, [1, 0.5]), "bad price"),
        (lambda i: load_bound(i, [0, 0]), "no price"),
        (lambda i: confined(i, [2]), "unknown machine"),
        (lambda i: flow_bound(i, [-1]), "unknown machine"),
        (lambda i: readable(i, "both"), "unknown program"),
    ],
)
def test_bad_questions_are_refused(ask, words):
    """What is no price, no machine or no program is named, not used."""
    with pytest.raises(InvalidInput, match=words):
        ask(instance_of(2, (1, [0])))


def test_the_textbook_form_has_a_size_limit():
    """Above the limit the message names the form that has none."""
    with pytest.raises(LimitReached, match=r"3 pairs .* over the limit of 2; use `dualfit bound`"):
        solve_primal(instance_of(2, (1, [0]), (1, [0, 1])), pair_limit=2)
