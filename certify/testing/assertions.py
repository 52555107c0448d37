"""Assertions about runs, bounds and certificates; when one fails, both sides and the difference are shown exactly."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, NoReturn

from certify import check
from certify.build import certify_bounds
from certify.claims.claim import Entry, Verdict
from certify.energy_build import certify_bracket
from certify.problems.registry import TRACKS
from certify.testing.arguments import checked_instance, without_options
from certify.testing.artifacts import brief
from certify.testing.choice import Patterns, chosen
from certify.testing.differ import run_differences, shortened
from certify.testing.runs import CertifiedRun, told
from certify.testing.speed_runs import CertifiedSpeedRun, power_of
from certify.testing.strategies import ENERGY, check_known
from lp.energy.bracket import energy_bracket
from online.exact import Number
from online.instance import Instance
from online.run import Run
from online.speed.power import Power
from online.validate import rational


def assert_accepted(document: Mapping[str, Any] | CertifiedRun | CertifiedSpeedRun) -> None:
    """The checker accepts this certificate.

    Raises: `AssertionError` with every failure and its place.
    """
    __tracebackhide__ = True
    made = document.certificate if isinstance(document, CertifiedRun | CertifiedSpeedRun) else document
    verdict = check.check_document(made)
    if verdict.verdict != "accepted":
        _fail(f"the certificate is {verdict.verdict}", *(f"failed: {one}" for one in verdict.failed))


def assert_bound(
    instance: Instance, problem: str, value: Number, *, method: str = "best", power: str | Power = "s^2"
) -> None:
    """T* is at least `value`, in the units of the input, and a certificate shows it; `power` is for energy.

    Raises: `AssertionError` if a schedule shows that it is not, or if nothing shows that it is; `InvalidInput` for a
    problem or a method that there is not.
    """
    __tracebackhide__ = True
    lower, upper = bracket(instance, problem, method, power)
    wanted = rational(value, "value")
    if lower < wanted:
        why = f"a schedule shows that it is false, by {wanted - upper}" if upper < wanted else "it is not shown"
        _fail(
            f"T* >= {wanted} for {problem}: {why}",
            f"shown: {lower} <= T* <= {upper}",
            f"missing: {wanted - lower}",
            f"instance {brief(instance)}",
        )


def assert_optimum(instance: Instance, value: Number, problem: str, *, method: str = "best") -> None:
    """T* is exactly `value`, in the units of the input, and a certificate shows it from both sides.

    Raises: `AssertionError` if it is another, or if the bracket does not close there; `InvalidInput` for a problem or a
    method that there is not.
    """
    __tracebackhide__ = True
    lower, upper = bracket(instance, problem, method)
    wanted = rational(value, "value")
    if not lower == wanted == upper:
        outside = "it is another" if not lower <= wanted <= upper else "it is not shown"
        _fail(
            f"T* = {wanted} for {problem}: {outside}", f"shown: {lower} <= T* <= {upper}", f"instance {brief(instance)}"
        )


def bracket(
    instance: Instance, problem: str, method: str = "best", power: str | Power = "s^2"
) -> tuple[Fraction, Fraction]:
    """Certified bounds on T* from below and above, in the units of the input.

    Raises: `AssertionError` if the checker does not accept their certificate; `InvalidInput` for a problem or a method
    that there is not.
    """
    checked_instance(instance)
    if problem == ENERGY:
        return _energy_bracket(instance, power_of(power))
    check_known("problem", problem, [*TRACKS, ENERGY])
    track = TRACKS[problem]
    with without_options():
        found = track.bracket(instance, method)
    assert_accepted(certify_bounds(instance, problem, [rung.bound for rung in found.rungs], found.upper))
    unit = track.unit(instance)
    lower = max((rung.bound.value for rung in found.rungs), default=Fraction(0))
    return Fraction(lower) * unit, Fraction(found.upper.value) * unit


def _energy_bracket(instance: Instance, power: Power) -> tuple[Fraction, Fraction]:
    found = energy_bracket(instance, power)
    assert_accepted(certify_bracket(instance, power, found))
    return found.lower * instance.tick, found.upper.cost * instance.tick


def assert_ratio_at_most(result: CertifiedRun | CertifiedSpeedRun, most: Number) -> None:
    """The objective is at most so many times the certified bound, hence at most so many times T*.

    Raises: `AssertionError` with both sides.
    """
    __tracebackhide__ = True
    wanted = rational(most, "most")
    if result.objective > wanted * result.bound:
        excess = result.objective - wanted * result.bound
        _fail(
            f"objective <= {wanted} * bound: {result.objective} <= {wanted * result.bound}, exceeded by {excess}",
            f"run: {result.heading()}",
            f"bound: {result.bound} <= T*, from {result.bound_from}",
            f"ratio: {'none, as the bound is 0' if result.ratio is None else result.ratio}",
            f"instance {brief(result.instance)}",
        )


def assert_same_run(left: Run | CertifiedRun, right: Run | CertifiedRun) -> None:
    """Two runs decided the same: dispatch, rejections, phases and times of completion.

    Raises: `AssertionError` with the first jobs that differ.
    """
    __tracebackhide__ = True
    one, other = (run.run if isinstance(run, CertifiedRun) else run for run in (left, right))
    found = list(run_differences(one, other))
    if found:
        _fail(f"the runs of {one.algorithm} and {other.algorithm} differ", *shortened(found))


def assert_holds(
    entries: Sequence[Entry] | CertifiedRun | CertifiedSpeedRun, claims: Patterns, *, vacuous: bool = False
) -> None:
    """These claims of a ledger say something on the run and hold; with `vacuous`, they need not say anything.

    Raises: `AssertionError` with both sides of each that does not; `InvalidInput` for an id that is not there.
    """
    __tracebackhide__ = True
    ledger = entries if isinstance(entries, Sequence) else entries.ledger
    silent = (Verdict.VACUOUS, Verdict.NOT_MET) if vacuous else ()
    wrong = [entry for entry in chosen(ledger, claims) if entry.verdict not in (Verdict.HOLDS, *silent)]
    if wrong:
        _fail("claims that do not hold here", *map(told, wrong))


def _fail(first: str, *lines: str) -> NoReturn:
    __tracebackhide__ = True
    raise AssertionError("\n  ".join([first, *lines]))
