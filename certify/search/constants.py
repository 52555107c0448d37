"""The constants of the theorems: proven ones, and what of them can be chosen."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeAlias

from certify.search.space import Space
from online.algorithm import find
from online.flow_time.max_flow import LeastLoaded
from online.load_balancing.general import GroupedLoad
from online.load_balancing.one_class import BoundedLoad, UnitLoad
from online.weighted.algorithms import TwoWeights, WeightedFlow
from online.weighted.parameters import Parameters

Kind: TypeAlias = Literal["whole", "power of two", "any"]

FINEST = 16
"""Between two constants of kind `any` there is another if they differ by more than this part of the smaller."""

EVERY = Fraction(1)


@dataclass(frozen=True)
class Constant:
    """A constant of an algorithm, and from which value on a theorem promises that the budget is kept.

    With T at least the optimum and `option` at least `proven(epsilon)`, all other constants being those of the proofs,
    at most an epsilon share of what has arrived is rejected at every prefix. Values are `least` and more, of a `kind`.
    """

    id: str
    theorem: str
    algorithm: str
    option: str
    proven: Callable[[Fraction], Fraction]
    space: Space
    kind: Kind = "whole"
    least: Fraction = EVERY

    @property
    def problem(self) -> str:
        """The problem of its algorithm."""
        return find(self.algorithm).problem

    def named(self, name: str) -> bool:
        """Whether the name is the beginning of its id, or the number of its theorem."""
        return self.id.startswith(name) or self.theorem.split()[-1] == name

    def grid(self, epsilon: Fraction) -> Iterator[Fraction]:
        """The least value, its doubles below the proven one, and the proven one.

        >>> next(one for one in CONSTANTS if one.id == "6.1.alpha").proven(Fraction(2, 9))
        Fraction(9, 2)
        """
        value, proven = self.least, self.proven(epsilon)
        while value < proven:
            yield value
            value = max(2 * value, EVERY)
        yield proven

    def between(self, low: Fraction, high: Fraction) -> Fraction | None:
        """A value near the middle, or None if there is none, or they are close."""
        if self.kind == "any":
            return (low + high) / 2 if (high - low) * FINEST > low else None
        middle = Fraction((low + high) // 2)
        return middle if self.kind == "whole" and low < middle < high else None


def _weighted(name: str) -> Callable[[Fraction], Fraction]:
    """A proven constant of the algorithms for one weight."""
    return lambda epsilon: _of(WeightedFlow.constants(epsilon, {}), name)


def _two_weights(name: str) -> Callable[[Fraction], Fraction]:
    return lambda epsilon: _of(TwoWeights.constants(epsilon, {}), name)


def _of(parameters: Parameters, name: str) -> Fraction:
    return Fraction(getattr(parameters, "beta" if name == "segment" else name))


UNIT = Space(jobs=16, machines=4, sizes=1, horizon=6, weights=1)
LOAD = Space(jobs=16, machines=4, sizes=1, horizon=0, weights=1)
BOUNDED = Space(jobs=14, machines=4, sizes=5, horizon=0, weights=1)
MIXED = Space(jobs=14, machines=3, sizes=8, horizon=0, weights=1)
WEIGHTED = Space(jobs=10, machines=2, sizes=4, horizon=6, weights=4)
TWO = Space(jobs=10, machines=2, sizes=4, horizon=6, weights=4, two_weights=True)

CONSTANTS: tuple[Constant, ...] = (
    Constant("5.1.alpha", "Theorem 5.3", "load-unit", "alpha", lambda e: Fraction(UnitLoad.levels(e)), LOAD),
    Constant(
        "5.1.alpha-bounded", "Theorem 5.3", "load-bounded", "alpha", lambda e: Fraction(BoundedLoad.levels(e)), BOUNDED
    ),
    Constant("5.2.alpha", "Corollary 5.5", "load", "alpha", lambda e: Fraction(GroupedLoad.levels(e)), MIXED),
    Constant("6.1.alpha", "Corollary 6.5", "max-flow", "alpha", lambda e: LeastLoaded.alpha(e, {}), UNIT, "any"),
    Constant("6.2.alpha", "Lemma 6.12", "weighted", "alpha", _weighted("alpha"), WEIGHTED, "power of two"),
    Constant("6.2.offset", "Theorem 6.17", "weighted", "offset", _weighted("offset"), WEIGHTED, least=Fraction(0)),
    Constant(
        "6.2.segment", "Theorem 6.17", "weighted", "segment", _weighted("segment"), WEIGHTED, "any", Fraction(1, 8)
    ),
    Constant("7.alpha", "Theorem 7.1", "two-weights", "alpha", _two_weights("alpha"), TWO, "power of two"),
    Constant("7.offset", "Claim 7.4", "two-weights", "offset", _two_weights("offset"), TWO, least=Fraction(0)),
    Constant("7.segment", "Claim 7.4", "two-weights", "segment", _two_weights("segment"), TWO, "any", Fraction(1, 8)),
    Constant("7.period", "Claim 7.2", "two-weights", "period", _two_weights("period"), TWO),
)
"""The constants of the theorems, in the order of the paper."""
