"""Tests of online algorithms: a pytest plugin, Hypothesis strategies, assertions, and laws to inherit.

Everything here is imported when it is first asked for: `pip install 'dualfit[testing]'` brings what it needs.

pytest finds the plugin, and Hypothesis its hook, under the name `certify.testing`. Where tests run with a top-level
package `certify` of their own in front of it, that package hides dualfit's, and neither can be loaded: turn them off
with `pytest -p no:dualfit`, and `HYPOTHESIS_NO_PLUGINS=1` in the environment.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from certify.testing.assertions import (
        assert_accepted,
        assert_bound,
        assert_holds,
        assert_optimum,
        assert_ratio_at_most,
        assert_same_run,
    )
    from certify.testing.conformance import AlgorithmConformance
    from certify.testing.laws import LawBroken
    from certify.testing.optima import planted
    from certify.testing.policy_conformance import PolicyConformance
    from certify.testing.runs import CertifiedRun, certified
    from certify.testing.speed_runs import CertifiedSpeedRun, certified_speeds
    from certify.testing.stateful import ArrivalMachine
    from certify.testing.strategies import algorithms, epsilons, instances, powers

PLACES = {
    "assert_accepted": "assertions",
    "assert_bound": "assertions",
    "assert_holds": "assertions",
    "assert_optimum": "assertions",
    "assert_ratio_at_most": "assertions",
    "assert_same_run": "assertions",
    "AlgorithmConformance": "conformance",
    "LawBroken": "laws",
    "PolicyConformance": "policy_conformance",
    "ArrivalMachine": "stateful",
    "CertifiedSpeedRun": "speed_runs",
    "certified_speeds": "speed_runs",
    "CertifiedRun": "runs",
    "certified": "runs",
    "planted": "optima",
    "algorithms": "strategies",
    "epsilons": "strategies",
    "instances": "strategies",
    "powers": "strategies",
}
"""The module of each public name."""

__all__ = [  # noqa: RUF022 - by module
    "assert_accepted",
    "assert_bound",
    "assert_holds",
    "assert_optimum",
    "assert_ratio_at_most",
    "assert_same_run",
    "AlgorithmConformance",
    "LawBroken",
    "PolicyConformance",
    "ArrivalMachine",
    "CertifiedSpeedRun",
    "certified_speeds",
    "CertifiedRun",
    "certified",
    "planted",
    "algorithms",
    "epsilons",
    "instances",
    "powers",
]


def __getattr__(name: str) -> Any:
    if name not in PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        return getattr(import_module(f"{__name__}.{PLACES[name]}"), name)
    except ModuleNotFoundError as missing:
        extra = (missing.name or "").split(".")[0]
        if extra not in ("hypothesis", "pytest"):
            raise
        raise ModuleNotFoundError(f"{name} needs {extra}: pip install 'dualfit[testing]'", name=extra) from missing
