"""The pytest plugin: the fixture `certify_run`, the marker `dualfit`, and where failing certificates are kept.

It is loaded in every pytest run where dualfit is installed, so it imports nothing of size before it is used.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NoReturn

import pytest

if TYPE_CHECKING:
    from certify.testing.runs import CertifiedRun, Named
    from certify.testing.speed_runs import CertifiedSpeedRun
    from online.instance import Instance

SETTINGS = ("epsilon", "problem", "guess", "claims", "bound", "options", "speed", "power")
"""What `certify_run` takes by keyword, and the marker too."""

WITH_SPEEDS = ("power", "claims", "bound", "options")
"""Those of a marker that are for the problem `energy` too; `power` is for that one alone."""

MARKER = (
    f"dualfit({', '.join(f'{name}=...' for name in SETTINGS)}): settings of the fixture certify_run in this test, "
    "class or module; what the call itself gives comes first."
)

CHANGE = "certify.regress.difference.Difference"

ITEM = pytest.StashKey[pytest.Item]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """One option, which changes nothing unless it is given."""
    parser.getgroup("dualfit").addoption(
        "--dualfit-artifacts",
        metavar="DIR",
        default=None,
        help="Keep the instance and the certificate of every failing certify_run in this folder.",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Make the marker known."""
    config.addinivalue_line("markers", MARKER)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Note which test is under way; a marker that says nothing ends it at once."""
    item.config.stash[ITEM] = item
    for mark in item.iter_markers("dualfit"):
        unknown = [repr(one) for one in mark.args] + [name for name in mark.kwargs if name not in SETTINGS]
        if unknown:
            known = ", ".join(SETTINGS)
            message = f"@pytest.mark.dualfit: got {', '.join(unknown)}, expected keywords among {known}"
            pytest.fail(message, pytrace=False)


def pytest_assertrepr_compare(op: str, left: object, right: object) -> list[str] | None:
    """Say where two runs, instances or certificates differ, or what regress found, in exact numbers."""
    if op == "==" and (_changes(left) or _changes(right)):
        from certify.testing.differ import changed

        return changed([*_listed(left), *_listed(right)])
    if op != "==" or not (_ours(left) and _ours(right)):
        return None
    from certify.testing.differ import explained

    return explained(left, right)


def _listed(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _ours(value: object) -> bool:
    kind = type(value)
    name = f"{kind.__module__}.{kind.__qualname__}"
    certificate = kind is dict and isinstance(value, dict) and value.get("format") == "dualfit-certificate"
    return certificate or name in ("online.run.Run", "online.instance.Instance")


def _changes(value: object) -> bool:
    """A list of what dualfit regress found."""
    return type(value) is list and any(f"{type(one).__module__}.{type(one).__qualname__}" == CHANGE for one in value)


class CertifyRun:
    """What the fixture gives: call it with an algorithm and an instance."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config

    def __call__(self, algorithm: Named | type, instance: Instance, **given: Any) -> CertifiedRun | CertifiedSpeedRun:
        """Play, certify, check and measure; the test fails unless everything is as it should be.

        Keywords are those of `certify.testing.certified`, or with `problem="energy"` of `certified_speeds`; they may
        come from `@pytest.mark.dualfit`. The test fails if the certificate is not accepted, if more than the budget was
        rejected at some prefix, or if a claim that is asked for fails (by default all but printed ones that are known
        to be false).

        Raises: `InvalidInput` as those two do; `TypeError` without an epsilon.
        """
        __tracebackhide__ = True
        from online.errors import DualfitError, FalseClaim
        from online.instance import Instance

        try:
            found = self._made(algorithm, instance, given)
        except FalseClaim as false:
            self._fail(instance, None, [str(algorithm), f"false witness: {false}"])
        except DualfitError as refused:
            if isinstance(instance, Instance):
                self._keep(instance, None)
            raise refused.with_traceback(None)  # noqa: B904 - what it says is whole, and its cause stays
        faults = list(found.faults())
        if faults:
            known = f"objective {found.objective}, bound {found.bound} (from {found.bound_from})"
            self._fail(instance, found.certificate, [found.heading(), *faults, known])
        return found

    def _made(self, algorithm: Any, instance: Instance, given: Mapping[str, Any]) -> CertifiedRun | CertifiedSpeedRun:
        __tracebackhide__ = True
        marked = self._marked()
        if given.get("problem", marked.get("problem")) == "energy":
            from certify.testing.speed_runs import certified_speeds

            chosen = {key: value for key, value in marked.items() if key in WITH_SPEEDS} | dict(given)
            chosen.pop("problem", None)
            return certified_speeds(algorithm, instance, **chosen)
        from certify.testing.runs import certified

        chosen = {**marked, **given}
        if "epsilon" not in chosen:
            raise TypeError("certify_run: no epsilon: give epsilon='1/4', or @pytest.mark.dualfit(epsilon='1/4')")
        if "power" not in given:
            chosen.pop("power", None)
        return certified(algorithm, instance, **chosen)

    def _marked(self) -> Mapping[str, Any]:
        item = self._config.stash.get(ITEM, None)
        marks = [] if item is None else list(item.iter_markers("dualfit"))
        return {key: value for mark in reversed(marks) for key, value in mark.kwargs.items()}

    def _fail(self, instance: Instance, certificate: dict[str, Any] | None, faults: list[str]) -> NoReturn:
        __tracebackhide__ = True
        from certify.testing.artifacts import brief

        kept = self._keep(instance, certificate)
        lines = [f"certify_run: {faults[0]}", *faults[1:], f"instance {brief(instance)}", *kept]
        raise AssertionError("\n  ".join(lines)) from None

    def _keep(self, instance: Instance, certificate: dict[str, Any] | None) -> list[str]:
        folder = self._config.getoption("--dualfit-artifacts")
        if folder is None:
            return []
        from certify.testing.artifacts import keep
        from online.errors import InvalidInput

        try:
            return [f"kept {path}" for path in keep(folder, self._config.stash[ITEM].nodeid, instance, certificate)]
        except InvalidInput as refused:
            return [f"not kept: {refused}"]


@pytest.fixture(scope="session")
def certify_run(pytestconfig: pytest.Config) -> CertifyRun:
    """Run an algorithm on an instance and certify it: certify_run(Mine, instance, epsilon="1/4").

    It has the scope of the session, so that tests with `@given` may call it again and again.
    """
    return CertifyRun(pytestconfig)
