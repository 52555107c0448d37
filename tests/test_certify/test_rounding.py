"""No decimal that is shown as a bound says more than is proven."""

import json
import re
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from report_scenes import NAMES, corpus_scene, text_of

from certify.cli import run as dualfit
from certify.energy_show import bound_tables
from certify.report.page import sections
from online import exact

NUMBER = r"(?:\S+ \()?~?(-?\d+(?:\.\d+)?)(?![\d./]| /)\)?"
BELOW = (rf"(?:T\*|OPT) (?:>=|≥) {NUMBER}", rf"{NUMBER} +(?:<=|≤) (?:T\*|OPT)")
ABOVE = (rf"(?:T\*|OPT) (?:<=|≤) {NUMBER}", rf"{NUMBER} +(?:>=|≥) (?:T\*|OPT)")


def stated(patterns, text):
    """The decimals that a text states as bounds."""
    return [Fraction(found) for pattern in patterns for found in re.findall(pattern, text)]


@settings(derandomize=True, deadline=None)
@given(st.fractions(-1000, 1000), st.integers(1, 8))
def test_down_is_never_more_and_up_never_less(value, digits):
    """Rounded down a decimal is at most the number, up at least, by less than a unit of the last place; ~ if either."""
    down, up = (exact.decimal(value, digits, toward) for toward in ("down", "up"))
    low, high = Fraction(down.lstrip("~")), Fraction(up.lstrip("~"))
    assert low <= value <= high < low + Fraction(2, 10**digits)
    assert (low == value) == (not down.startswith("~")) == (not up.startswith("~"))


@pytest.mark.parametrize("name", [name for name in NAMES if not name.startswith(("load-in-huge", "routing"))])
def test_a_page_states_no_more_than_its_certificate(name):
    """Beside the proofs, which have more, whatever decimal stands as a bound on the optimum is one."""
    scene = corpus_scene(name)
    if scene.instance is None:
        return
    values = {"lower-bound": [Fraction(0)], "upper-bound": []}
    for goal in scene.goals:
        if goal["claim"] in values:
            values[goal["claim"]].append(exact.rational(goal["value"]) * scene.unit)
    for section in sections(scene):
        text = text_of(section.html) if section.id != "summary" else rows_of(section.html)
        text += section.title
        if section.id not in ("duality", "proof", "prices"):
            assert [one for one in stated(BELOW, text) if one > max(values["lower-bound"])] == []
        if values["upper-bound"] and section.id == "summary":
            assert all(value >= min(values["upper-bound"]) for value in stated(ABOVE, text))


def rows_of(html):
    """The numbers of the head, without the checker's own words."""
    return text_of(html).split("The checker")[0]


def test_the_tables_state_no_more_than_the_json(tmp_path, capsys):
    """Of a bracket on flow time plus energy: a lower bound whose seventh decimal would round up is rounded down."""
    jobs = [(0, "1/3"), (0, 2), ("1/7", 1), (1, 3)]
    (tmp_path / "jobs.csv").write_text("id,r,p\n" + "".join(f"{k},{r},{p}\n" for k, (r, p) in enumerate(jobs)))
    command = ["bound", str(tmp_path / "jobs.csv"), "--problem", "energy", "--machines", "2", "--alpha", "5/2"]
    assert dualfit([*command, "--gap", "1/20"]) == 0
    table = capsys.readouterr().out
    assert dualfit([*command, "--gap", "1/20", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert stated(BELOW, table)
    assert stated(ABOVE, table)
    assert all(value <= Fraction(found["lower"]) for value in stated(BELOW, table))
    assert all(value >= Fraction(found["upper"]) for value in stated(ABOVE, table))


def test_a_ratio_of_bounds_is_rounded_up():
    """What an upper bound is over a lower one is at most what is shown: here 1.0000005 as 1.000001."""
    from rich.console import Console

    big = "161666065569/1000000000"
    reading = {"file": "f", "format": "csv", "read": 0, "used": 0, "dropped": [], "notes": [], "unit_size": None}
    reading["rejected_at_the_door"] = {"count": 0, "weight": "0"}
    result = {"ladder": [], "ratio": "20000001/20000000", "closed": True, "gap": "1/1000", "reading": reading}
    result |= {"machines": 1, "power": "s^2", "lower": big, "upper": big, "bound_from": "prices", "verdict": "accepted"}
    console = Console(width=120)
    with console.capture() as captured:
        for table in bound_tables(result, None):
            console.print(table)
    text = captured.get()
    assert "upper / lower = ~1.000001" in text
    assert "~161.666065" in text.split("upper")[0]
    assert "~161.666066" in text.split("upper")[1]
