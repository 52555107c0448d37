"""The bounds of the density classes of a phase: no family that has an interval is left out."""

from __future__ import annotations

from naive_weighted import cases

from lp.density_classes import FAMILIES, class_bounds
from online.weighted.doubling import decide
from online.weighted.trail import Trail
from online.weighted.witness import density_witness


def test_every_family_with_an_interval_gives_a_bound() -> None:
    """On all phases of 150 random runs: just the classes and marks for which Figure 4 finds an interval."""
    found = empty = 0
    for case in cases(150, 11, two=True):
        decisions = decide(*case)
        for number in range(len(decisions.phases)):
            trail = Trail(decisions, number)
            wanted = [
                (low, marks)
                for low in trail.classes
                for marks in dict.fromkeys(rule(trail.alpha, trail.guess) for rule in FAMILIES)
                if len(density_witness(trail, low, marks).family)
            ]
            assert [(one.low, one.marks) for one in class_bounds(trail, trail.classes)] == wanted
            found += len(wanted)
            empty += not wanted
    assert min(found, empty) > 50
