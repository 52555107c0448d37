"""Algorithms A and B as runs to be certified: weighted flow time, two weights, maximum stretch."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from typing import ClassVar

import numpy as np

from online import exact
from online.algorithm import Engine
from online.constants import whole
from online.errors import InvalidInput, Problem
from online.exact import ceil_log2
from online.instance import Instance
from online.run import REJECTED, LateRejection, Phase, Pieces, Run
from online.weighted.classes import Types
from online.weighted.doubling import Decisions, decide
from online.weighted.parameters import SEGMENT, Parameters, proven_alpha
from online.weighted.schedule import Schedule
from online.weighted.trail import Trail


class WeightedFlow(Engine):
    """Algorithm B with A in the background, for maximum weighted flow time; one weight.

    Guarantee: with the default constants and T at least the optimum, A rejects at most half of the budget (Lemma 6.12)
    and B the other half (Theorem 6.17), and every accepted job has `w_j F_j` at most `4 beta T` and a little. Without a
    guess, guess and double; B's share is then not proven (section 6.3), the certificate says what it came to.

    Source: Rejecting jobs to minimize load and maximum flow-time, sections 6.2 and 6.3.
    """

    problem = "weighted"
    options: ClassVar[tuple[str, ...]] = ("alpha", "offset", "segment")

    @classmethod
    def types(cls, instance: Instance) -> Types:
        """The classes of the jobs."""
        return Types.weighted(instance)

    @classmethod
    def admits(cls, instance: Instance) -> None:
        if (instance.flow_weight != instance.rejection_weight).any():
            job = instance.ids[int((instance.flow_weight != instance.rejection_weight).argmax())]
            got = f"job {job!r} has two different weights"
            fix = "use --problem two-weights"
            raise InvalidInput(Problem("weights", "two weights", got, "flow weight = rejection weight", fix))

    @classmethod
    def constants(cls, epsilon: Fraction, options: Mapping[str, Fraction]) -> Parameters:
        """Half of the budget for A, half for B, which rejects at most `24 epsilon_B` of true weights.

        The same whatever weights are to come; where all are powers of two, half of `alpha` and of B's `1/epsilon_B` are
        proven, but no online algorithm knows.

        Raises: `InvalidInput` for a constant that the algorithms are not defined for.
        """
        small = Fraction(1, 1 << ceil_log2(48 / epsilon))
        alpha = whole(options, "alpha", proven_alpha(epsilon / 2))
        offset = whole(options, "offset", ceil_log2(1 / small), 0)
        return Parameters(epsilon / 2, alpha, offset, _segment(options, (alpha / small) ** 2))

    @classmethod
    def shown(cls, run: Run) -> dict[str, str]:
        chosen = cls.decisions(run).parameters
        named = {"alpha": str(chosen.alpha), "offset": str(chosen.offset), "segment": exact.text(chosen.beta)}
        return named if chosen.period is None else {**named, "period": str(chosen.period)}

    @classmethod
    def play(
        cls,
        instance: Instance,
        epsilon: Fraction,
        *,
        guess: Fraction | None,
        name: str,
        options: Mapping[str, Fraction],
    ) -> Run:
        types = cls.types(instance)
        decisions = decide(types, cls.constants(epsilon, options), guess)
        schedule = Schedule.of(decisions)
        dispatch = np.array(decisions.dispatch, dtype=np.int64)
        dispatch[list(schedule.immediate)] = REJECTED
        chosen = {"guess": guess} if guess is not None else {}
        return Run(
            instance=instance,
            problem=cls.problem,
            algorithm=name,
            epsilon=epsilon,
            dispatch=dispatch,
            phases=decisions.phases,
            late=_late(instance, schedule.late),
            parameters={key: exact.text(value) for key, value in {**chosen, **options}.items()},
            pieces=_pieces(schedule, instance.machines),
        )

    @classmethod
    def explain(cls, run: Run, phase: Phase) -> Trail:
        """What A did in the phase, from which the families of every density class follow."""
        return Trail(cls.decisions(run), run.phases.index(phase))

    @classmethod
    def decisions(cls, run: Run) -> Decisions:
        """A's decisions in a run, worked out again."""
        return _decisions(cls, run)


@lru_cache(maxsize=2)
def _decisions(algorithm: type[WeightedFlow], run: Run) -> Decisions:
    guess = exact.rational(run.parameters["guess"]) if "guess" in run.parameters else None
    types = algorithm.types(run.instance)
    return decide(types, algorithm.constants(run.epsilon, run.constants), guess)


class TwoWeights(WeightedFlow):
    """Algorithms A and B with a flow weight in the objective and a rejection weight in the budget.

    Guarantee: with the default constants and T at least the optimum, A rejects at most half of the budget, B at once
    and late at most the other half (Theorem 7.5), and every accepted job has `w_j F_j` at most `4 beta T` and a little.

    Source: Rejecting jobs to minimize load and maximum flow-time, section 7.
    """

    problem = "two-weights"
    options = ("alpha", "offset", "segment", "period")

    @classmethod
    def types(cls, instance: Instance) -> Types:
        return Types.two_weights(instance)

    @classmethod
    def admits(cls, instance: Instance) -> None:
        """Any weights."""

    @classmethod
    def constants(cls, epsilon: Fraction, options: Mapping[str, Fraction]) -> Parameters:
        """Half of the budget for A, half for B, which rejects at most 28/N of true weights, whatever is to come.

        Raises: `InvalidInput` for a constant that the algorithms are not defined for.
        """
        alpha = whole(options, "alpha", proven_alpha(epsilon / 2))
        period = whole(options, "period", 1 << ceil_log2(56 / epsilon))
        return Parameters(
            epsilon / 2,
            alpha,
            whole(options, "offset", ceil_log2(period**2), 0),
            _segment(options, Fraction(SEGMENT * (alpha**2 + 2) * period**4)),
            period,
        )


class Stretch(TwoWeights):
    """Algorithms A and B for maximum stretch: flow weight 1/p_j, rejection weight 1.

    Guarantee: as for two weights; the budget is a share of the number of jobs.

    Source: Rejecting jobs to minimize load and maximum flow-time, section 7.
    """

    problem = "stretch"

    @classmethod
    def types(cls, instance: Instance) -> Types:
        return Types.stretch(instance)


def _late(instance: Instance, late: Mapping[int, int]) -> tuple[LateRejection, ...]:
    """Late rejections in order of time; those of a tick come before its arrivals."""
    release = instance.release.tolist()
    order = sorted(late.items(), key=lambda one: (one[1], one[0]))
    return tuple(LateRejection(job, bisect_left(release, time) - 1, time) for job, time in order)


def _pieces(schedule: Schedule, machines: int) -> Pieces:
    """What B runs, machine by machine, in as many pieces as events ask for."""
    rows = [(job, machine, start, end) for machine in range(machines) for job, start, end in schedule.packed(machine)]
    return Pieces(*zip(*rows, strict=True)) if rows else Pieces((), (), (), ())


def _segment(options: Mapping[str, Fraction], default: Fraction) -> Fraction:
    value = options.get("segment", default)
    if value <= 0:
        raise InvalidInput(Problem("--segment", "out of range", str(value), "a number > 0", "choose another value"))
    return value
