"""Algorithms A and B where A may use the whole budget, so that a smaller alpha is proven."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from online.weighted.algorithms import TwoWeights
from online.weighted.parameters import Parameters

NAME = "certify.audit.whole_budget:WholeBudget"


class WholeBudget(TwoWeights):
    """What Theorems 6.13, 6.18 and 7.1 say about A alone, at as few jobs as can be."""

    @classmethod
    def constants(cls, epsilon: Fraction, options: Mapping[str, Fraction]) -> Parameters:
        """Those of section 7, with all of epsilon for A."""
        return Parameters.two_weights(epsilon, alpha=int(options["alpha"]))
