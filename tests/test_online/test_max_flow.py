"""The unit-size algorithm of section 6.1: decisions, witnesses, doubling."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from instances import epsilons, small_unit_instances

from online.algorithm import OnlineAlgorithm, Setting, find
from online.errors import InvalidInput
from online.flow_time.max_flow import LeastLoaded
from online.instance import Instance, Job
from online.play import play
from online.rows import Row
from online.run import Phase, Run
from online.witness import phase_dispatch


def _burst(jobs: int) -> Instance:
    return Instance.from_rows(1, [Row(k, 0, 1) for k in range(jobs)])


def test_a_queue_fills_up_to_alpha_t_and_then_rejects() -> None:
    """One machine, T = 1, epsilon = 1/3: three jobs fit, the rest are rejected."""
    run = play(_burst(5), LeastLoaded, Fraction(1, 3), guess=Fraction(1))
    assert run.dispatch.tolist() == [0, 0, 0, -1, -1]
    assert run.objective == 3


def test_ties_go_to_the_smallest_machine() -> None:
    """Empty machines tie, even if one became empty earlier."""
    rows = [Row(1, 0, 1, [0]), Row(2, 5, 1, [0, 1]), Row(3, 5, 1, [0, 1]), Row(4, 5, 1, [0, 1])]
    run = play(Instance.from_rows(2, rows), LeastLoaded, Fraction(1, 4), guess=Fraction(4))
    assert run.dispatch.tolist() == [0, 0, 1, 0]


def test_equal_sizes_are_unit_sizes_with_time_in_that_unit() -> None:
    """Multiplying all times by U changes no decision and multiplies all times of the result."""
    for instance, epsilon in zip(small_unit_instances(200, 5, per_unit=2), epsilons(5), strict=False):
        longer = Instance.from_rows(
            instance.machines,
            [Row(j.id, j.release * instance.tick * 7, 7, j.eligible) for j in instance.jobs()],
        )
        one, other = play(instance, LeastLoaded, epsilon), play(longer, LeastLoaded, epsilon)
        assert one.dispatch.tolist() == other.dispatch.tolist()
        assert one.objective * instance.tick * 7 == other.objective * longer.tick


def test_mixed_sizes_are_refused_with_a_hint() -> None:
    """The algorithm is for equal sizes; the message says what to do."""
    mixed = Instance.from_rows(1, [Row(1, 0, 1), Row(2, 0, 2)])
    with pytest.raises(InvalidInput, match="--size one"):
        play(mixed, LeastLoaded, Fraction(1, 2))


@pytest.mark.parametrize("epsilon", [Fraction(0), Fraction(-1, 2), Fraction(3, 2)])
def test_epsilon_lies_in_zero_one(epsilon: Fraction) -> None:
    """Other budgets are refused."""
    with pytest.raises(InvalidInput, match="epsilon"):
        play(_burst(1), LeastLoaded, epsilon)


def _loads_by_ticks(instance: Instance, epsilon: Fraction, guess: Fraction) -> list[int]:
    """A second, naive program: queues of unit jobs, integer releases, one tick at a time."""
    queues = [0] * instance.machines
    now, decisions = 0, []
    for job in instance.jobs():
        while now < job.release:
            queues = [max(q - 1, 0) for q in queues]
            now += 1
        best = min(job.eligible, key=lambda i: (queues[i], i))
        if queues[best] * epsilon >= guess:
            decisions.append(-1)
        else:
            queues[best] += 1
            decisions.append(best)
    return decisions


def test_the_engine_agrees_with_a_tick_by_tick_program() -> None:
    """Same decisions on 1 000 instances with known guesses, fractional ones included."""
    rejected = 0
    for k, (instance, epsilon) in enumerate(zip(small_unit_instances(1000, 11), epsilons(11), strict=False)):
        guess = Fraction(1 + k % 5, 1 + k % 2)
        run = play(instance, LeastLoaded, epsilon, guess=guess)
        assert run.dispatch.tolist() == _loads_by_ticks(instance, epsilon, guess)
        rejected += run.rejected_count > 0
    assert rejected > 100


# ---------------------------------------------------------------------- Figure 3, literally
def _figure_3(run: Run, phase: Phase, machine: int, level: int) -> list[tuple[Fraction, Fraction]]:
    """Figure 3 as printed, backward from the horizon, on the exact piecewise linear load."""
    assert phase.guess is not None
    jobs = range(phase.first, phase.last + 1)
    machines = phase_dispatch(run, phase)
    times = [int(run.instance.release[j]) for j in jobs if machines[j - phase.first] == machine]
    size = int(run.instance.size[0])

    def load(t: Fraction, *, left: bool = False) -> Fraction:
        free = Fraction(0)
        for r in times:
            if r < t or (r == t and not left):
                free = max(free, Fraction(r)) + size
        return max(free - t, Fraction(0))

    low, high = (level - 1) * phase.guess, level * phase.guess
    horizon = Fraction(int(run.instance.release[phase.last]))
    found, t0 = [], horizon
    while True:
        arrivals = sorted({Fraction(r) for r in times if r <= t0}, reverse=True)
        t2 = None  # (i) the highest time <= t0 with load >= high
        stop = t0
        for r in arrivals:
            if load(r) >= high:
                t2 = min(stop, r + load(r) - high)
                break
            stop = r
        if t2 is None:
            return sorted(found)
        # (ii) the earliest time before t2 from which the load stays above low
        t1 = t2
        for r in arrivals:
            if r > t2:
                continue
            t1 = r
            if load(r, left=True) <= low:
                break
        found.append((t1, t2))
        # continue strictly before t1: nothing at t1 itself counts again
        t0 = t1 - Fraction(1, 10**6)


def test_intervals_are_those_of_figure_3() -> None:
    """The forward stack and the printed backward procedure give the same intervals, at rational times too."""
    compared = 0
    for instance, epsilon in zip(small_unit_instances(400, 23, per_unit=3), epsilons(23), strict=False):
        for guess in (None, Fraction(3), Fraction(7, 2)):
            run = play(instance, LeastLoaded, epsilon, guess=guess)
            for phase in run.phases:
                witness = LeastLoaded.explain(run, phase)
                assert witness is not None
                for machine in range(instance.machines):
                    for level in range(1, witness.levels + 1):
                        mine = [
                            (one.start, one.end)
                            for one in witness.family
                            if (one.machine, one.level) == (machine, level)
                        ]
                        assert mine == _figure_3(run, phase, machine, level)
                        compared += len(mine)
    assert compared > 1000


def test_levels_and_duals_of_a_worked_example() -> None:
    """Five jobs at once, epsilon 1/2, T = 2: loads 0..3 seen, the fifth rejected; alpha 0,0,1,1,2."""
    run = play(_burst(5), LeastLoaded, Fraction(1, 2), guess=Fraction(2))
    witness = LeastLoaded.explain(run, run.phases[0])
    assert witness is not None
    assert witness.level.tolist() == [0, 1, 2, 3, 0]
    assert witness.duals.tolist() == [0, 0, 1, 1, 2]
    assert witness.counts() == {1: (1, Fraction(0)), 2: (1, Fraction(0))}


# ---------------------------------------------------------------------- guess and double
def test_doubling_on_a_burst() -> None:
    """Ten jobs at once, epsilon 1/2: T = 1 holds two jobs and rejects two; the fifth rejection would be too many."""
    run = play(_burst(10), LeastLoaded, Fraction(1, 2))
    assert run.guesses == (1, 2)
    assert run.phases[0] == Phase(Fraction(1), 0, 4, True)
    assert run.phases[1] == Phase(Fraction(2), 4, 9, False)
    assert run.dispatch.tolist() == [0, 0, -1, -1, 0, 0, 0, 0, -1, -1]
    assert run.objective == 6


def test_the_budget_holds_at_every_prefix_of_a_doubling_run() -> None:
    """Rejected <= epsilon * arrived after each arrival, with 1 000 instances, a third of them with rejections."""
    with_rejections = 0
    for instance, epsilon in zip(small_unit_instances(1000, 31), epsilons(31), strict=False):
        run = play(instance, LeastLoaded, epsilon)
        rejected = np.cumsum(~run.accepted)
        assert all(int(r) <= epsilon * (k + 1) for k, r in enumerate(rejected))
        with_rejections += run.rejected_count > 0
    assert with_rejections > 200


# ---------------------------------------------------------------------- other people's algorithms
class Stubborn(OnlineAlgorithm):
    """Rejects everybody."""

    def arrive(self, job: Job) -> int | None:
        return None


class Wild(OnlineAlgorithm):
    """Dispatches to a machine that is not eligible."""

    takes_guess = False

    def arrive(self, job: Job) -> int | None:
        return 99


def test_an_algorithm_that_rejects_under_every_guess_is_refused() -> None:
    """Guess and double ends with a message instead of doubling for ever."""
    with pytest.raises(InvalidInput, match="rejected under every guess"):
        play(_burst(1), Stubborn, Fraction(1, 2))


def test_a_dispatch_to_an_ineligible_machine_is_refused() -> None:
    """The message names the job and the machines, as the class has them and as people do."""
    words = r"job \d: dispatched to a machine that is not eligible: got arrive.. returned 99 .machine 100., "
    with pytest.raises(InvalidInput, match=words + "expected 0 .machine 1., or None"):
        play(_burst(1), Wild, Fraction(1, 2))


@pytest.mark.parametrize(
    ("answer", "late", "words"),
    [
        (np.int64(0), (), r"dispatched by something that is no int: got .*0.*, a numpy.int64, expected a machine as a"),
        (False, (), "dispatched by something that is no int: got False, a bool"),
        (0.0, (), "dispatched by something that is no int: got 0.0, a float"),
        (0, (np.int64(0),), r"late rejection by something that is no int: got prune.. returned .*0.*, a numpy.int64"),
        (0, (7,), r"late rejection of a job that is not there: got prune.. returned position 7, counted from 0"),
    ],
)
def test_a_number_of_another_type_is_named_by_its_type(answer: object, late: tuple[object, ...], words: str) -> None:
    """The machine itself would be eligible, the job there."""

    class Typed(OnlineAlgorithm):
        problem = "load"
        takes_guess = False

        def arrive(self, job: Job) -> Any:
            return answer

        def prune(self) -> Any:
            return late

    with pytest.raises(InvalidInput, match=words):
        play(_burst(1), Typed, Fraction(1))


@pytest.mark.parametrize(("method", "words"), [("arrive", "arrive.. at job"), ("prune", "prune.. after job")])
def test_the_method_that_fails_is_named(method: str, words: str) -> None:
    """With the job."""

    def fail(*given: object) -> None:
        raise ValueError("no")

    failing = type("Failing", (Wild,), {"arrive": lambda self, job: 0, method: fail})
    with pytest.raises(InvalidInput, match=f"failed in {words} ..?: got ValueError: no"):
        play(_burst(1), failing, Fraction(1, 2))


def test_algorithms_are_found_by_entry_point_and_by_module() -> None:
    """Both ways lead to the class; wrong names say what is known."""
    assert find("max-flow") is LeastLoaded
    assert find("online.flow_time.max_flow:LeastLoaded") is LeastLoaded
    for wrong in ("nothing", "no.such.module:Class", "online.run:Run", "online.run:Nothing"):
        with pytest.raises(InvalidInput, match="--algorithm"):
            find(wrong)


def test_an_algorithm_without_guess_runs_in_one_phase() -> None:
    """Its phase has no guess."""

    class First(OnlineAlgorithm):
        takes_guess = False

        def arrive(self, job: Job) -> int | None:
            return job.eligible[0]

    run = play(_burst(3), First, Fraction(1, 2))
    assert run.phases == (Phase(None, 0, 2, False),)
    assert First(Setting(1, Fraction(1))).setting.guess is None


def test_alpha_can_be_given() -> None:
    """Jobs are rejected from load alpha T on, also with guess and double, and the witness has floor(alpha) levels."""
    burst = Instance.from_rows(1, [Row(k, 0, 1) for k in range(9)])
    given = {"alpha": Fraction(5, 2)}
    run = play(burst, LeastLoaded, Fraction(1, 4), guess=Fraction(2), options=given)
    assert run.dispatch.tolist() == [0] * 5 + [-1] * 4
    witness = LeastLoaded.explain(run, run.phases[0])
    assert witness is not None
    assert witness.levels == 2
    doubled = play(burst, LeastLoaded, Fraction(1, 4), options=given)
    assert doubled.parameters == {"alpha": "5/2"}
    assert len(doubled.phases) > 1
    with pytest.raises(InvalidInput, match="--alpha: out of range"):
        play(burst, LeastLoaded, Fraction(1, 4), guess=Fraction(2), options={"alpha": Fraction(1, 2)})
