"""Algorithm A of sections 6.2 and 7: types, the order of service, decisions, doubling, trajectories."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from naive_weighted import Naive, cases, reference, worked

from online.errors import InvalidInput
from online.instance import Instance
from online.rows import Row
from online.run import Phase
from online.weighted.background import Background
from online.weighted.backlog import Backlog
from online.weighted.classes import Type, Types, power
from online.weighted.doubling import Decisions, decide
from online.weighted.parameters import Parameters
from online.weighted.trajectory import DensityRange, arrivals, completions, excursions, gaps

HALF = Fraction(1, 2)


def decided(name: str) -> tuple[Decisions, dict[str, Any]]:
    """What A decides on a worked example with the example's alpha and guess, and what is expected."""
    types, document = worked(name)
    parameters = Parameters.one_weight(HALF, alpha=document["params"]["alpha"])
    return decide(types, parameters, Fraction(document["params"]["T"])), document["expected"]


def elements(ticks: dict[Type, int]) -> list[Type]:
    """The order of service by sorting all elements `2^e r`: what `Backlog` never writes down."""
    listed = [(Fraction(2) ** sum(kind) * r, kind) for kind, most in ticks.items() for r in range(1, most + 1)]
    return [kind for _, kind in sorted(listed, reverse=True)]


backlogs = st.dictionaries(st.builds(Type, st.integers(-3, 3), st.integers(-3, 3)), st.integers(1, 30), max_size=5)


def test_density_is_the_class_of_the_rounded_weight_over_the_size() -> None:
    """2^d p <= 2^v < 2^(d+1) p for the power of two 2^v just below the rejection weight; w is the flow weight's."""
    for size in range(1, 70):
        for flow, rejection in ((1, 1), (5, 3), (64, 1000)):
            job = Row(0, 0, size, flow_weight=flow, rejection_weight=rejection)
            kind = Types.two_weights(Instance.from_rows(1, [job])).types[0]
            v = max(k for k in range(20) if 2**k <= rejection)
            assert power(kind.density) * size <= 2**v < power(kind.density + 1) * size
            assert 2**kind.weight <= flow < 2 ** (kind.weight + 1)


def test_stretch_has_weight_class_minus_ceil_log_of_the_size() -> None:
    """Flow weight 1/p rounds down to 2^-ceil(log2 p), and so does the density of rejection weight 1."""
    types = Types.stretch(Instance.from_rows(1, [Row(p, 0, p) for p in (1, 2, 3, 4, 5)])).types
    assert types == tuple(Type(-k, -k) for k in (0, 1, 2, 2, 3))


def test_a_job_without_size_has_no_density() -> None:
    """Zero sizes are refused, naming the job."""
    with pytest.raises(InvalidInput, match="job 7: zero size"):
        Types.weighted(Instance.from_columns(1, ids=[7], release=[0], size=[0], eligible_set=[0], sets=[[0]]))


@given(backlogs, st.integers(0, 250))
@settings(derandomize=True, max_examples=150, deadline=None)
def test_jumps_serve_what_sorting_all_elements_serves(ticks: dict[Type, int], slots: int) -> None:
    """Any number of ticks in one jump leaves what is left when the sorted elements are crossed off one by one."""
    left = elements(ticks)[slots:]
    backlog = Backlog(ticks)
    assert backlog.after(slots).ticks == {kind: left.count(kind) for kind in ticks if kind in left}
    assert [kind for kind, run in backlog.runs(slots) for _ in range(run)] == elements(ticks)[:slots]
    for kind, most in ticks.items():
        final = left.count(kind)
        assert final - len(ticks) <= backlog.at_least(kind, slots) <= final
        assert most - final <= backlog.at_most([kind], slots) <= most - final + len(ticks)


@given(backlogs, st.data())
@settings(derandomize=True, max_examples=80, deadline=None)
def test_ranks_are_positions_in_the_sorted_order(ticks: dict[Type, int], data: st.DataObject) -> None:
    """The slot of an element, and that of the n-th tick that some types get, are positions in the sorted elements."""
    order, backlog = elements(ticks), Backlog(ticks)
    for kind, most in ticks.items():
        slots = [slot for slot, served in enumerate(order) if served == kind]
        assert [backlog.rank(kind, element) for element in range(most, 0, -1)] == slots
    if ticks:
        kinds = data.draw(st.lists(st.sampled_from(sorted(ticks)), min_size=1, unique=True))
        slots = [slot for slot, served in enumerate(order) if served in kinds]
        assert [backlog.slot_of(kinds, count + 1) for count in range(len(slots))] == slots


def test_jumps_of_any_length_agree_with_smaller_jumps() -> None:
    """Across 2.5e14 ticks, exponents from -40 to 40: cutting a jump at many places changes nothing."""
    backlog = whole = Backlog({Type(d, w): 10**13 * (d + 7) + w for d in range(-6, 6, 3) for w in (-34, 0, 1, 34)})
    pieces = [backlog.volume // 97 * k // 50 for k in range(97)]
    for piece in pieces:
        backlog = backlog.after(piece)
    assert backlog.ticks == whole.after(sum(pieces)).ticks
    assert 0 < sum(pieces) < whole.volume
    assert whole.volume > 2 * 10**14


def test_a_queue_holds_less_than_alpha_squared_t() -> None:
    """Limit 256: of 600 unit jobs at once, job k sees k and fits iff k + 1 < 256; the load falls from 255 by 1."""
    decisions, expected = decided("burst")
    first, last = expected["rejected_ids"]
    assert decisions.dispatch == [0] * 255 + [-1] * 345
    assert (first, last) == (255, 599)
    assert [offer.level for offer in decisions.offers] == [min(k, 255) + 1 for k in range(600)]
    (gap,) = gaps(arrivals(decisions, 0, 0))
    assert [gap.left.after(t).volume for t in (0, 1, 100, 255)] == [255, 254, 155, 0]


def test_dispatch_looks_at_the_queue_of_the_jobs_own_type() -> None:
    """Two machines: job 3 of type (0,0) sees two empty queues though machine 1 holds more, and takes the first; in the
    tie 2^0 1 = 2^-2 4 at tick 4 the larger density class goes first, so job 6 before job 4."""
    decisions, expected = decided("dispatch-and-ties")
    types = decisions.types.types
    assert [[kind.weight, kind.density] for kind in types] == expected["types"]
    assert decisions.dispatch == expected["dispatch"]
    assert [offer.level * power(kind.weight) for offer, kind in zip(decisions.offers, types, strict=True)] == expected[
        "level"
    ]
    done = completions(arrivals(decisions, 0, 0)) | completions(arrivals(decisions, 0, 1))
    assert [done[j] for j in range(7)] == expected["completion_A"]


def test_queues_alternate_as_their_progressions_merge() -> None:
    """b has values 8, 4 and a has 8, 7, .., 1; the larger density class first in a tie: b aaaa b aaaa."""
    decisions, expected = decided("alternating-queues")
    (gap,) = gaps(arrivals(decisions, 0, 0))
    assert "".join("ab"[kind.density] * ticks for kind, ticks in gap.left.runs(99)) == "baaaabaaaa"
    done = completions(arrivals(decisions, 0, 0))
    assert [done[j] for j in range(10)] == expected["completion_A"]


def test_excursions_are_the_closed_intervals_of_figure_4() -> None:
    """Load 200 - t to tick 99, 220 at tick 100: above 128 and up to 192 or more it is in [0, 8] and in [100, 128];
    above 64 and up to 128 or more in one interval, as 101 at tick 99 is above 64: [0, 192]."""
    decisions, expected = decided("two-bursts")
    pieces = list(gaps(arrivals(decisions, 0, 0)))
    for t, load in expected["load_after"].items():
        gap = [gap for gap in pieces if gap.start <= int(t)][-1]
        assert gap.left.after(int(t) - gap.start).volume == load
    kinds = DensityRange(0, 4)
    assert list(excursions(pieces, kinds, Fraction(128), Fraction(192))) == [(0, 8), (100, 128)]
    assert list(excursions(pieces, kinds, Fraction(64), Fraction(128))) == [(0, 192)]


def test_the_job_that_ends_a_phase_is_handled_by_the_next() -> None:
    """Limit 4T, epsilon 1/2: T=1 takes 3 jobs and rejects 3 (3/6); job 6 would make 4/7. T=2 takes 7, rejects 7 (7/14);
    job 20 would make 8/15. T=4 takes the rest."""
    types, document = worked("guess-and-double")
    decisions = decide(types, Parameters.one_weight(HALF, alpha=2))
    told = document["expected"]["phases"]
    expected = [(phase["T"], phase["jobs"][0], phase["trigger"]) for phase in told]
    assert [(phase.guess, phase.first, phase.last if phase.ended else None) for phase in decisions.phases] == expected
    rejected = [j for phase in told for j in phase["rejected"]]
    assert [j for j, machine in enumerate(decisions.dispatch) if machine < 0] == rejected
    assert [refused and refused.level for refused in decisions.refused] == [4, 8, None]
    assert [j for j, _ in decisions.offered(0)] == list(range(7))


def test_a_guess_below_a_job_alone_is_left_before_the_job_is_offered() -> None:
    """T = 1 after a unit job; a job of weight 4 and size 3 needs 12, so T doubles to 16 and no phase ended."""
    two = Instance.from_rows(1, [Row(0, 0, 1), Row(1, 0, 3, flow_weight=5)])
    decisions = decide(Types.weighted(two), Parameters.one_weight(HALF))
    assert decisions.phases == (Phase(Fraction(1), 0, 0, False), Phase(Fraction(16), 1, 1, False))
    assert decisions.refused == (None, None)


def maxload(naive: Naive, machine: int, kinds: DensityRange) -> list[Fraction]:
    """Maxload at every tick, and 0 after the last."""
    inside = [
        [Fraction(2) ** (d - kinds.low + w) * ticks for (d, w), ticks in loads.items() if kinds.low <= d]
        for loads in naive.loads[machine]
    ]
    return [max(loads, default=Fraction(0)) for loads in inside] + [Fraction(0)]


def figure_4(load: list[Fraction], low: Fraction, high: Fraction) -> Iterator[tuple[int, int]]:
    """The loop of Figure 4, from the last tick back."""
    t = len(load) - 1
    while t >= 0:
        while t >= 0 and load[t] < high:
            t -= 1
        if t < 0:
            return
        end = t
        while t > 0 and load[t - 1] > low:
            t -= 1
        yield t, end
        t -= 1


@pytest.mark.parametrize(("count", "span"), [(150, 12), (8, 2500)])
def test_trajectories_agree_with_the_tick_by_tick_reference(count: int, span: int) -> None:
    """At every tick of every gap the queues are the reference's, completions too, and excursions are the intervals that
    the loop of Figure 4 finds on its loads; with pauses of up to thousands of ticks."""
    found = 0
    for types, parameters, guess in cases(count, span, two=True, span=span):
        alone = guess or Fraction(max(types.instance.size.tolist()) * 64)
        decisions, naive = decide(types, parameters, alone), reference(types, parameters, alone)
        for machine in range(types.instance.machines):
            jobs = list(arrivals(decisions, 0, machine))
            assert completions(jobs) == {j: t for j, t in naive.a_done.items() if decisions.dispatch[j] == machine}
            pieces = list(gaps(jobs))
            for start, end, left in pieces:
                for t in range(start, len(naive.loads[machine]) if end is None else end):
                    now = {(kind.density, kind.weight): ticks for kind, ticks in left.after(t - start).ticks.items()}
                    assert now == naive.loads[machine][t]
            kinds = DensityRange(min(kind.density for kind in types.types), 99)
            load = maxload(naive, machine, kinds)
            for low, high in (
                (Fraction(0), max(load) / 3),
                (max(load) / 3, max(load) * 2 / 3),
                (max(load) / 2, max(load)),
            ):
                if low < high:
                    intervals = list(excursions(pieces, kinds, low, high))
                    assert intervals == list(figure_4(load, low, high))[::-1]
                    found += len(intervals)
    assert found > count


def test_a_never_rejects_more_than_its_share_of_the_true_weight() -> None:
    """By guess and double, at every prefix, with weights that are no powers of two; the bound is met with equality."""
    tight = 0
    for types, parameters, _ in cases(300, 5, two=True):
        decisions = decide(types, parameters)
        rejected = arrived = Fraction(0)
        for j, machine in enumerate(decisions.dispatch):
            arrived += types.rejection[j]
            rejected += types.rejection[j] if machine < 0 else 0
            assert rejected <= parameters.epsilon * arrived
            tight += rejected == parameters.epsilon * arrived
    assert tight > 10


def test_a_phase_is_a_run_with_a_known_guess() -> None:
    """Jobs of a phase, the one that ended it included, get the same offers from an A of their own; so what is claimed
    of A holds in each phase."""
    phases = 0
    for types, parameters, _ in cases(300, 6):
        decisions = decide(types, parameters)
        for number, phase in enumerate(decisions.phases):
            alone = Background(types.instance.machines, parameters.alpha, phase.guess or Fraction(0))
            for j, offer in decisions.offered(number):
                job = types.instance.job(j)
                assert alone.arrive(types.types[j], job.size, job.release, job.eligible) == offer
            phases += phase.ended
    assert phases > 30


def test_a_guess_is_positive() -> None:
    """Other guesses are refused."""
    one = Types.weighted(Instance.from_rows(1, [Row(0, 0, 1)]))
    with pytest.raises(InvalidInput, match="guess: not positive"):
        decide(one, Parameters.one_weight(HALF), Fraction(0))


def test_no_jobs_make_no_decisions() -> None:
    """An instance without jobs has no phase."""
    empty = decide(Types.weighted(Instance.from_rows(2, [])), Parameters.one_weight(HALF))
    assert (empty.offers, empty.phases) == ((), ())


@pytest.mark.parametrize("epsilon", [Fraction(1), HALF, Fraction(1, 3), Fraction(1, 100)])
def test_the_proven_alpha_keeps_the_budget(epsilon: Fraction) -> None:
    """2 (2 (D+1) / (3 alpha K) + 8/K + 2/alpha) <= epsilon for rounded weights, and half of it for powers of two."""
    for factor, powers_of_two in ((2, False), (1, True)):
        alpha = Parameters.one_weight(epsilon).alpha // (2 if powers_of_two else 1)
        delta, levels = alpha.bit_length() - 1, alpha // 8 - 1
        share = Fraction(2 * (delta + 1), 3 * alpha * levels) + Fraction(8, levels) + Fraction(2, alpha)
        assert factor * share <= epsilon


@pytest.mark.parametrize("wrong", [{"alpha": 3}, {"offset": -1}, {"beta": Fraction(0)}])
def test_constants_are_checked(wrong: dict[str, Any]) -> None:
    """alpha is a power of two, the offset not negative, beta positive."""
    with pytest.raises(InvalidInput, match=next(iter(wrong))):
        Parameters.one_weight(HALF, **wrong)
