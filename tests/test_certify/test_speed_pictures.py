"""Small counterexamples and pictures of the drift."""

from __future__ import annotations

import sys
from fractions import Fraction
from pathlib import Path

import pytest
from speed_schedules import burst, fifo, paper_dials, play, srpt

from certify.speed.drift import Drift, drift
from certify.speed.plots import curves, draw
from certify.speed.shrink import first_violation, shrink
from online.errors import InvalidInput
from online.generate import Dice
from online.instance import Instance
from online.speed.power import power_law

SQUARE = power_law(2)


def _slow_against_paper(instance: Instance) -> Drift:
    """SRPT at a quarter of the speed, against the paper's run."""
    slow = play(instance, SQUARE, srpt, paper_dials(SQUARE, instance.machines, Fraction(1, 16)))
    return drift(slow, play(instance, SQUARE, srpt, paper_dials(SQUARE, instance.machines)))


def test_a_violation_is_shrunk_to_a_small_state() -> None:
    """The first violation keeps served jobs and as few waiting ones as still violate (7)."""
    one = _slow_against_paper(burst(Dice(3), 2, 6))
    found = first_violation(one, Fraction(3, 2))
    assert found is not None
    assert found.left > found.right
    assert len(found.order) <= one.violations(Fraction(3, 2))[0].algorithm.alive + 6
    assert str(found).startswith("(7) fails from")
    assert first_violation(one, Fraction(1000)) is None or one.ratio is None


def test_an_instance_is_shrunk_to_one_job() -> None:
    """At a quarter of the speed one job of size 1 is enough to violate (7) with 3/2."""
    small = shrink(burst(Dice(3), 2, 6), lambda one: bool(_slow_against_paper(one).violations(Fraction(3, 2))))
    assert small.size.tolist() == [1]
    assert small.release.tolist() == [0]


def _good() -> Drift:
    instance = burst(Dice(5), 1, 6)
    paper = paper_dials(SQUARE, 1)
    return drift(play(instance, SQUARE, srpt, paper), play(instance, SQUARE, fifo, paper, decided=True))


def test_the_curves_are_the_drift() -> None:
    """The area between left and own is the change of the potential, and left is below right."""
    shown = curves(_good(), Fraction(5))
    lengths = [b - a for a, b in zip(shown.times, shown.times[1:], strict=False)]
    changes = [b - a for a, b in zip(shown.phi, shown.phi[1:], strict=False)]
    rates = [left - own for left, own in zip(shown.left, shown.own, strict=True)]
    assert changes == [rate * length for rate, length in zip(rates, lengths, strict=True)]
    assert all(left <= right for left, right in zip(shown.left, shown.right, strict=True))


def test_the_picture_is_written(tmp_path: Path) -> None:
    """A PNG of some size; violated pieces are drawn too."""
    pytest.importorskip("matplotlib")
    draw(_good(), Fraction(5), str(tmp_path / "good.png"))
    draw(_slow_against_paper(burst(Dice(3), 2, 6)), Fraction(3, 2), str(tmp_path / "bad.png"), "slow")
    assert all((tmp_path / name).read_bytes().startswith(b"\x89PNG") for name in ("good.png", "bad.png"))


def test_the_same_drift_gives_the_same_bytes(tmp_path: Path) -> None:
    """No clock and no chance in a file: drawn twice, the SVG is the same and has no date."""
    pytest.importorskip("matplotlib")
    for name in ("one.svg", "two.svg"):
        draw(_good(), Fraction(5), str(tmp_path / name))
    first = (tmp_path / "one.svg").read_bytes()
    assert first == (tmp_path / "two.svg").read_bytes()
    assert b"<dc:date>" not in first


def test_without_matplotlib_the_message_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pictures are an extra."""
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(InvalidInput, match=r"dualfit\[plot\]"):
        draw(_good(), Fraction(5), "nowhere.png")


def test_no_jobs_give_an_empty_picture_and_no_place_is_named(tmp_path: Path) -> None:
    """Without jobs the picture has no curve; a file that cannot be written is refused with --plot and its name."""
    nobody = burst(Dice(1), 2, 0)
    none = drift(play(nobody, SQUARE, srpt, paper_dials(SQUARE, 2)), play(nobody, SQUARE, srpt, paper_dials(SQUARE, 2)))
    draw(none, Fraction(2), str(tmp_path / "none.png"))
    assert (tmp_path / "none.png").stat().st_size
    with pytest.raises(InvalidInput, match=r"--plot.*cannot be written.*nowhere"):
        draw(_good(), Fraction(2), str(tmp_path / "nowhere" / "one.png"))
