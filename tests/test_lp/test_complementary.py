"""A primal and a dual point side by side: every row by its definition, the gap as a sum over rows, slackness."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st
from lp_instances import REPRODUCIBLE, families, instances

from lp import printed
from lp.bound import lp_bound
from lp.complementary import PrimalDual, Shape, optimal_pair
from lp.gap import Gap
from lp.load import printed as load_printed
from lp.load.flow import flow_bound
from lp.load.weak_duality import load_bound
from lp.weak_duality import lower_bound
from online.family import IntervalFamily
from online.instance import Instance
from online.rows import Row
from online.weights import Weights


@st.composite
def weighted_points(draw):
    """An instance, weights, a family of intervals for some of them, and a dispatch with its value or more."""
    instance = draw(instances(least=1))
    weights = Weights.of(draw(st.lists(st.sampled_from([1, 3, 4]), min_size=instance.n, max_size=instance.n)))
    family = draw(families(instance.machines))
    classes = draw(st.lists(st.integers(0, 2), min_size=len(family), max_size=len(family)))
    family = IntervalFamily.of(
        [(one.machine, 0, int(one.start), int(one.end)) for one in family],
        multiplicity=[one.multiplicity for one in family],
        weight_class=classes,
        weights=(1, 2, 4),
    )
    sets = list(instance.sets)
    dispatch = [draw(st.sampled_from(sets[k])) for k in instance.eligible_set.tolist()]
    T = Fraction(4 * (int(instance.size.sum()) + int(instance.release[-1])) + draw(st.integers(0, 3)))
    return instance, weights, family, dispatch, T


@REPRODUCIBLE
@given(weighted_points())
def test_rows_are_those_of_the_definition(point) -> None:
    """Volumes, covers and duals are what the printed programs say, summed up job by job."""
    instance, weights, family, dispatch, T = point
    shape = Shape.of(instance, 10_000, weights)
    both = PrimalDual(shape, T, shape.dispatched(dispatch), shape.multipliers(family))
    size, release = instance.size.tolist(), instance.release.tolist()

    def counts(row, j):
        return row.start <= release[j] <= row.end and weights[j] >= weights.values[row.weight_class]

    for interval, row in zip(shape.intervals, both.intervals, strict=True):
        volume = sum(size[j] for j in range(instance.n) if dispatch[j] == interval.machine and counts(interval, j))
        weight = weights.values[interval.weight_class]
        assert (row.left, row.right) == (T / weight, volume - (interval.end - interval.start))
    for k, row in enumerate(both.pairs):
        j, i = int(shape.counted.job[k]), int(shape.counted.machine[k])
        chosen = zip(shape.intervals, both.b, strict=True)
        right = size[j] * sum((b for one, b in chosen if one.machine == i and counts(one, j)), Fraction(0))
        assert (row.right, row.multiplier) == (right, int(dispatch[j] == i))
    for j, row in enumerate(both.jobs):
        own = [one.right for k, one in enumerate(both.pairs) if shape.counted.job[k] == j]
        assert (row.left, row.multiplier) == (1, min(own))
    both.check()


@REPRODUCIBLE
@given(weighted_points())
def test_the_gap_is_the_sum_of_multipliers_times_slacks(point) -> None:
    """T less the dual's value is what the rows of both programs cost; a bound that is not negative never falls."""
    instance, weights, family, dispatch, T = point
    shape = Shape.of(instance, 10_000, weights)
    both = PrimalDual(shape, T, shape.dispatched(dispatch), shape.multipliers(family))
    assert both.gap == sum(row.cost for row in both.rows)
    assert max(both.value, 0) >= lower_bound(instance, family, weights=weights)


@REPRODUCIBLE
@given(weighted_points())
def test_many_jobs_are_accounted_for_as_few_are(point) -> None:
    """The account by sweeps has the volumes, covers and costs of the account row by row, and the same gap."""
    instance, weights, family, dispatch, T = point
    found = Gap.of(instance, family, dispatch, T, weights)
    assert found.value == lower_bound(instance, found.family, weights=weights)
    if len(found.family):
        assert T - found.value == found.idle + found.spread
        assert found.idle == sum(found.interval(k).cost for k in range(len(found.family)))
        assert found.spread == sum(found.job(j).cost for j in range(instance.n))
        assert [left / Fraction(found.unused[1]) for left in found.unused[0]] == [
            found.interval(k).slack for k in range(len(found.family))
        ]
        for k, (one, volume) in enumerate(zip(found.family, found.volume.tolist(), strict=True)):
            row = found.interval(k)
            inside = [
                int(instance.size[j])
                for j in range(instance.n)
                if dispatch[j] == one.machine
                and one.start <= instance.release[j] <= one.end
                and weights[j] >= one.weight
            ]
            assert (sum(inside), row.multiplier) == (volume, one.multiplicity / found.family.share)
    plain = PrimalDual(shape := Shape.of(instance, 10_000, weights), T, shape.dispatched(dispatch), [])
    covers = [
        sum(
            one.multiplicity
            for one in found.family
            if one.machine == i and one.start <= instance.release[j] <= one.end and weights[j] >= one.weight
        )
        for j, i in zip(plain.shape.counted.job.tolist(), plain.shape.counted.machine.tolist(), strict=True)
    ]
    assert found.cover.tolist() == covers
    assert found.tight_pairs == sum(cover == found.alpha[j] for cover, j in zip(covers, found.counted.job, strict=True))


@REPRODUCIBLE
@given(instances(least=1), st.booleans())
def test_the_optimal_pair_is_optimal_and_complementary(instance: Instance, weighted: bool) -> None:
    """Both points are feasible and of one value, the LP's; every row is tight or its multiplier 0."""
    weights = Weights.of([1 + j % 3 for j in range(instance.n)]) if weighted else None
    both = optimal_pair(Shape.of(instance, 10_000, weights))
    assert both.gap == 0
    assert lp_bound(instance, "lindley", weights=weights).lower == both.T
    for row in both.rows:
        assert row.slack >= 0
        assert row.multiplier >= 0
        assert row.tight or row.multiplier == 0


@REPRODUCIBLE
@given(instances(least=1))
def test_the_optimal_pair_of_load(instance: Instance) -> None:
    """The program of section 5 is that of 6.1 with equal releases; its value is that of the minimum cuts."""
    both = optimal_pair(Shape.of_load(instance))
    assert both.T == both.value == flow_bound(instance).lower
    assert len(both.intervals) == instance.machines
    assert all(row.tight or row.multiplier == 0 for row in both.rows)


@REPRODUCIBLE
@given(instances(least=1), st.data())
def test_prices_are_duals_of_load(instance: Instance, data) -> None:
    """Prices scaled to sum to 1 have the value of their bound."""
    beta = data.draw(st.lists(st.integers(0, 3), min_size=instance.machines, max_size=instance.machines))
    if any(beta):
        shape = Shape.of_load(instance)
        sets = list(instance.sets)
        dispatch = [sets[k][-1] for k in instance.eligible_set.tolist()]
        both = PrimalDual(shape, Fraction(int(instance.size.sum())), shape.dispatched(dispatch), shape.prices(beta))
        assert both.value == load_bound(instance, beta)
        assert both.gap == sum(row.cost for row in both.rows)
        both.check()


@REPRODUCIBLE
@given(instances(least=1))
def test_printed_lines_stand_in_the_order_of_the_rows(instance: Instance) -> None:
    """A line of the printed programs for each row, the intervals' words naming the rows' own ends."""
    shape = Shape.of(instance, 10_000)
    lines = printed.program(instance, "primal").lines
    for row, line in zip(shape.intervals, lines[: len(shape.intervals)], strict=True):
        assert line.words == f"interval [{row.start}, {row.end}] on machine {row.machine + 1}"
    assert len(lines) == len(shape.intervals) + instance.n
    assert len(printed.program(instance, "dual").lines) == instance.pairs + 1
    assert len(load_printed.program(instance, "primal").lines) == instance.machines + instance.n
    assert len(load_printed.program(instance, "dual").lines) == instance.pairs + 1


def test_numbers_of_any_size() -> None:
    """Sizes, releases and multiplicities that no machine word holds are added up exactly."""
    big = 10**30
    instance = Instance.from_rows(1, [Row("a", 0, big), Row("b", big, 2 * big)])
    family = IntervalFamily.of([(0, 1, 0, big), (0, 1, big, big)], multiplicity=[big, 1])
    found = Gap.of(instance, family, [0, 0], Fraction(3 * big), Weights.ones(instance))
    assert found.value == lower_bound(instance, family)
    assert 3 * big - found.value == found.idle + found.spread
