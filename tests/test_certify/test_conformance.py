"""Every algorithm of the registry keeps the laws that a third party's classes inherit."""

from __future__ import annotations

from fractions import Fraction

import pytest

from certify.testing.conformance import AlgorithmConformance
from certify.testing.strategies import algorithm_names
from online.algorithm import PROBLEMS, Engine, find

EPSILONS = {"max-flow": "1/2", "load": "1/4", "weighted": "2/3", "two-weights": "1", "stretch": "1/3"}

OPTIONS = {"alpha": Fraction(1), "offset": Fraction(0), "segment": Fraction(1, 2)}
"""Algorithms A and B reject somebody on small instances with small constants only."""


def _suite(name: str, problem: str) -> type[AlgorithmConformance]:
    own = name in ("weighted", "two-weights", "stretch")
    made = type(
        f"Test{name.title().replace('-', '')}For{problem.title().replace('-', '')}",
        (AlgorithmConformance,),
        {
            "algorithm": name,
            "problem": problem,
            "epsilon": EPSILONS[problem],
            "options": OPTIONS if own else {},
            "immediate": own or not issubclass(find(name), Engine),
            "packed": own,
            "examples": 5,
            "__module__": __name__,
        },
    )
    return made if problem == find(name).problem else pytest.mark.slow(made)


for _problem in PROBLEMS:
    for _name in algorithm_names(_problem):
        _made = _suite(_name, _problem)
        globals()[_made.__name__] = _made
