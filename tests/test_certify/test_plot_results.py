"""`dualfit plot ratio`, `growth` and `ladder`: the numbers of a result are drawn, impossible ones refused."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from plot_runs import JOBS, Run, certify, instance_text, plot, problem_of

matplotlib = pytest.importorskip("matplotlib")

from matplotlib.figure import Figure  # noqa: E402


def test_the_ladder_has_every_bound(dualfit: Run, figures: list[Figure]) -> None:
    """From the certificate and from the JSON: one mark a bound at its value, the upper bound too."""
    Path("j.json").write_text(instance_text("weighted", JOBS))
    code, out, _ = dualfit("bound", "j.json", "--problem", "weighted", "--json", "--out", "b.cert.json")
    assert code == 0
    Path("b.json").write_text(out)
    printed = json.loads(out)
    expected = sorted(float(Fraction(one)) for one in [*(r["lower"] for r in printed["ladder"]), printed["upper"]])
    for source in ("b.cert.json", "b.json"):
        result = plot(dualfit, "ladder", source, "--out", "l.svg")
        marks = [line.get_xdata()[0] for line in figures[-1].axes[0].lines if line.get_marker() not in ("", "None")]
        assert sorted(marks) == expected
        assert (result["lower"], result["upper"]) == (printed["lower"], printed["upper"])


def test_a_bound_that_nobody_shows_is_told_and_not_drawn(dualfit: Run, figures: list[Figure]) -> None:
    """`unproven` in the JSON of a bound stands in the title; the ladder has the two bounds that are shown."""
    result = {
        "problem": "load",
        "lower": "3",
        "upper": "9/2",
        "reading": {"file": "f"},
        "ladder": [{"rung": "size", "lower": "3", "bound_from": "the largest job"}],
        "unproven": {"lower": "4", "by": "a search"},
    }
    Path("b.json").write_text(json.dumps(result))
    assert plot(dualfit, "ladder", "b.json", "--out", "l.png")["rungs"] == {
        "lower": 1,
        "refuted": 0,
        "upper": 1,
        "run": 0,
    }
    assert "4 <= T* says a search, no certificate shows it" in figures[0].axes[0].get_title(loc="left")


def test_ratios_are_those_of_the_comparison_and_of_the_certificates(dualfit: Run, figures: list[Figure]) -> None:
    """One comparison as JSON, and its certificates, draw the same points."""
    Path("j.json").write_text(instance_text("weighted", JOBS))
    chosen = ["--problem", "weighted", "--algorithms", "hdf,hdf-reject", "--epsilon", "1/2,1/4"]
    code, out, _ = dualfit("compare", "j.json", *chosen, "--json", "--out-dir", "certs")
    assert code == 0
    Path("c.json").write_text(out)
    rows = json.loads(out)["rows"]
    assert plot(dualfit, "ratio", "c.json", "--out", "r.svg")["points"] == 4
    certificates = sorted(str(path) for path in Path("certs").glob("hdf*.json"))
    assert plot(dualfit, "ratio", *certificates, "--out", "s.svg")["points"] == 4
    expected = {(float(Fraction(row["epsilon"])), float(Fraction(row["ratio"]))) for row in rows}
    for figure in figures:
        lines = [line for line in figure.axes[0].lines if line.get_marker() not in ("", "None")]
        assert {tuple(point) for line in lines for point in line.get_xydata().tolist()} == expected


def test_growth_is_drawn_from_both_kinds_of_sweeps(dualfit: Run, figures: list[Figure]) -> None:
    """The measured ratios are those of the JSON."""
    code, out, _ = dualfit("adversary", "lemma-8.1", "--against", "load-unit", "--sweep", "1/4,1/8", "--json")
    assert code == 0
    Path("g.json").write_text(out)
    result = plot(dualfit, "growth", "g.json", "--out", "g.png")
    drawn = [line.get_ydata().tolist() for line in figures[0].axes[0].lines if line.get_marker() == "o"]
    assert drawn == [[float(Fraction(ratio)) for ratio in result["ratios"]]]
    code, out, _ = dualfit("adversary", "round-robin", "--alpha", "2", "--sweep-machines", "2,4", "--json")
    Path("h.json").write_text(out)
    assert plot(dualfit, "growth", "h.json", "--out", "h.png")["games"] == 2


WRONG: list[tuple[str, Any, str]] = [
    ("ratio", {"rows": []}, "$"),
    ("ratio", [1], "$"),
    (
        "ratio",
        {
            "problem": "load",
            "lower": "1",
            "upper": "x",
            "reading": {"file": "f"},
            "rows": [1],
        },
        "$.upper",
    ),
    (
        "ratio",
        {
            "problem": "load",
            "lower": "1",
            "upper": "1",
            "reading": {"file": "f"},
            "rows": [{"algorithm": "a", "epsilon": "1/2", "refused": None, "ratio": True}],
        },
        "$.rows[0].ratio",
    ),
    ("ladder", {"problem": "load"}, "$"),
    (
        "ladder",
        {"problem": "load", "lower": 0, "upper": 1, "reading": {"file": "f"}, "ladder": [{"rung": 3}]},
        "$.ladder[0].rung",
    ),
    ("growth", {"policy": "round-robin"}, "$"),
    ("growth", {"title": "t"}, "$"),
]


@pytest.mark.parametrize(("kind", "value", "place"), WRONG)
def test_another_kind_of_json_is_refused_with_its_place(kind: str, value: Any, place: str, dualfit: Run) -> None:
    """Exit code 2; the place in the file, what was got and expected, and which command prints the right kind."""
    Path("x.json").write_text(json.dumps(value))
    found = problem_of(dualfit("plot", kind, "x.json", "--out", "p.png", "--json"))
    assert found["place"].startswith(f"x.json: {place}")
    assert found["reason"] == "another kind of result"
    assert "dualfit" in found["fix"]


def _changed(document: dict[str, Any], path: list[Any], value: Any) -> dict[str, Any]:
    copy: dict[str, Any] = json.loads(json.dumps(document))
    inner: Any = copy
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    return copy


COMPARED = {
    "problem": "load",
    "lower": "1",
    "upper": "2",
    "reading": {"file": "f"},
    "rows": [{"algorithm": "a", "epsilon": "1/2", "refused": None, "ratio": "3/2"}],
}


GREW = {
    "title": "t",
    "algorithm": "a",
    "x": "x",
    "slope": None,
    "intercept": None,
    "rows": [{"x": 1, "ratio": "2", "opt_upper": 1, "promised": None, "guaranteed": None, "verdict": "reached"}],
}


MORE_SERVERS = {
    "policy": "p",
    "alpha": "2",
    "exponent": None,
    "theory": "1/2",
    "rows": [{"machines": 2, "order": "7/5", "ratio": "6/5"}],
}


BOUNDED = {
    "problem": "load",
    "lower": "1",
    "upper": "2",
    "reading": {"file": "f"},
    "ladder": [{"rung": "size", "lower": "1", "bound_from": "the largest job"}],
}


IMPOSSIBLE = [
    ("ratio", COMPARED, ["rows"], []),
    ("ratio", COMPARED, ["rows", 0, "ratio"], "-5"),
    ("ratio", COMPARED, ["rows", 0, "epsilon"], "0"),
    ("ratio", COMPARED, ["rows", 0, "epsilon"], "3/2"),
    ("ratio", COMPARED, ["lower"], "-1"),
    ("ratio", COMPARED, ["lower"], "3"),
    ("growth", GREW, ["rows"], []),
    ("growth", GREW, ["rows", 0, "ratio"], "-5"),
    ("growth", GREW, ["rows", 0, "opt_upper"], "0"),
    ("growth", GREW, ["rows", 0, "promised"], -1),
    ("growth", MORE_SERVERS, ["rows"], []),
    ("growth", MORE_SERVERS, ["rows", 0, "machines"], "5/2"),
    ("growth", MORE_SERVERS, ["rows", 0, "machines"], 0),
    ("growth", MORE_SERVERS, ["rows", 0, "order"], 0),
    ("growth", MORE_SERVERS, ["rows", 0, "ratio"], "-5"),
    ("growth", MORE_SERVERS, ["alpha"], "1"),
    ("ladder", BOUNDED, ["upper"], "-5"),
    ("ladder", BOUNDED, ["ladder", 0, "lower"], "-5"),
    ("ladder", BOUNDED, ["ladder", 0, "lower"], "3"),
]


@pytest.mark.parametrize(("kind", "document", "path", "value"), IMPOSSIBLE)
def test_impossible_results_are_refused(
    kind: str, document: dict[str, Any], path: list[Any], value: Any, dualfit: Run
) -> None:
    """No rows, negative ratios, budgets outside (0, 1], half a machine, a lower bound above the upper one."""
    Path("x.json").write_text(json.dumps(document))
    plot(dualfit, kind, "x.json", "--out", "p.png")
    Path("p.png").unlink()
    Path("x.json").write_text(json.dumps(_changed(document, path, value)))
    found = problem_of(dualfit("plot", kind, "x.json", "--out", "p.png", "--json"))
    place = "$" + "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in path)
    assert found["place"] == f"x.json: {place}"
    assert not Path("p.png").exists()


@pytest.mark.parametrize(("refused", "ratio"), [("needs unit sizes", None), (None, None)])
def test_a_comparison_without_a_ratio_is_no_picture(refused: str | None, ratio: None, dualfit: Run) -> None:
    """All runs refused, or the optimum is 0: there is no point to draw."""
    rows = [{"algorithm": "a", "epsilon": "1/2", "refused": refused, "ratio": ratio}]
    Path("x.json").write_text(json.dumps({**COMPARED, "rows": rows}))
    found = problem_of(dualfit("plot", "ratio", "x.json", "--out", "p.png", "--json"))
    assert (found["place"], found["reason"]) == ("x.json", "nothing to draw")
    assert not Path("p.png").exists()


def test_words_of_a_result_are_no_formulas(dualfit: Run, figures: list[Figure]) -> None:
    """Titles and axes from a file may have dollars and backslashes."""
    words = "$\\frac{"
    for kind, document, *keys in (("growth", GREW, "title", "x", "algorithm"), ("ratio", COMPARED, "problem")):
        Path("x.json").write_text(json.dumps({**document, **dict.fromkeys(keys, words)}))
        plot(dualfit, kind, "x.json", "--out", "p.png")
        assert figures[-1].axes[0].get_title(loc="left").startswith(r"\$\frac{")


def test_a_comparison_of_energy_has_no_epsilon(dualfit: Run) -> None:
    """The JSON of `dualfit compare --problem energy` is what it says, and still no such picture."""
    Path("e.json").write_text(instance_text("energy", JOBS[:3]))
    code, out, _ = dualfit("compare", "e.json", "--problem", "energy", "--alpha", "2", "--json")
    assert code == 0
    Path("c.json").write_text(out)
    found = problem_of(dualfit("plot", "ratio", "c.json", "--out", "p.png", "--json"))
    assert (found["place"], found["reason"]) == ("c.json", "no epsilon")
    assert "dualfit compare" not in found["fix"]


def test_exact_numbers_are_decimals_for_people(dualfit: Run) -> None:
    """The table has no fraction of 80 digits; the JSON has it; what there is not is "none"."""
    certificate = certify(dualfit, "energy", JOBS[:6])
    printed = plot(dualfit, "ladder", certificate, "--out", "l.png")
    assert len(printed["upper"]) > 60
    _, out, _ = dualfit("plot", "ladder", certificate, "--out", "l.png")
    assert printed["upper"] not in out
    assert "~" in out
    Path("j.json").write_text(instance_text("max-flow", JOBS))
    assert dualfit("bound", "j.json", "--method", "hall", "--out", "b.cert.json")[0] == 0
    document = json.loads(Path("b.cert.json").read_text())
    document["goal"] = [goal for goal in document["goal"] if goal["claim"] != "upper-bound"]
    Path("b.cert.json").write_text(json.dumps(document))
    assert "upper None" not in " ".join(dualfit("plot", "ladder", "b.cert.json", "--out", "l.png")[1].split())


def test_the_highest_marker_is_whole(dualfit: Run, figures: list[Figure]) -> None:
    """Every marker lies inside the axes with half its size around it, also a single one and one at ratio 1."""
    for ratios in (["1"], ["3/2", "3/2"], ["1", "100"]):
        rows = [
            {"algorithm": "a", "epsilon": f"1/{2 + k}", "refused": None, "ratio": one} for k, one in enumerate(ratios)
        ]
        Path("x.json").write_text(json.dumps({**COMPARED, "upper": "1", "rows": rows}))
        plot(dualfit, "ratio", "x.json", "--out", "p.png", "--dpi", "72")
        _inside(figures[-1])
    Path("x.json").write_text(json.dumps(GREW))
    plot(dualfit, "growth", "x.json", "--out", "p.png", "--dpi", "72")
    _inside(figures[-1])


def _inside(figure: Figure) -> None:
    figure.draw_without_rendering()
    axes = figure.axes[0]
    box, found = axes.get_window_extent(), 0
    for line in (line for line in axes.lines if line.get_marker() not in ("", "None")):
        half = line.get_markersize() / 2 * figure.dpi / 72
        for x, y in axes.transData.transform(line.get_xydata()):
            found += 1
            assert box.x0 <= x - half
            assert x + half <= box.x1
            assert y + half <= box.y1
    assert found


def test_ratios_that_are_close_have_several_ticks(dualfit: Run, figures: list[Figure]) -> None:
    """Ratios between 1.34 and 2 on a logarithmic axis have at least three numbers beside them."""
    rows = [{"machines": m, "order": order, "ratio": r} for m, order, r in ((2, "7/5", "27/20"), (4, "2", "39/20"))]
    Path("x.json").write_text(json.dumps({**MORE_SERVERS, "rows": rows}))
    plot(dualfit, "growth", "x.json", "--out", "p.png")
    figures[0].draw_without_rendering()
    axes = figures[0].axes[0]
    low, high = axes.get_ylim()
    shown = [one for one in axes.yaxis.get_ticklabels() if low <= one.get_position()[1] <= high and one.get_text()]
    assert len(shown) > 2


def test_certificates_of_two_instances_are_not_compared(dualfit: Run) -> None:
    """A ratio needs one bound: another instance, another problem, or a bound alone is refused by name."""
    one = certify(dualfit, "weighted", name="one")
    two = certify(dualfit, "weighted", JOBS[:5], name="two")
    assert problem_of(dualfit("plot", "ratio", one, two, "--out", "p.png", "--json"))["reason"] == "another instance"
    speeds = certify(dualfit, "energy", JOBS[:5], name="speeds")
    assert problem_of(dualfit("plot", "ratio", speeds, "--out", "p.png", "--json"))["reason"] == "no epsilon"
    Path("c.json").write_text("{}")
    assert (
        problem_of(dualfit("plot", "ratio", "c.json", one, "--out", "p.png", "--json"))["reason"] == "several results"
    )
