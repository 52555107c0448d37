"""`dualfit lp --problem weighted`: the programs of Lemma 6.6, exact, to read, with the optimal duals."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

Run = Callable[..., tuple[int, str, str]]

JOBS = [
    {"id": "long", "r": "0", "p": "3", "w": "1/2"},
    {"id": "short", "r": "0.5", "p": "2", "w": "2", "eligible": [1]},
    {"id": "late", "r": "1", "p": "1.5", "w": "2"},
]


@pytest.fixture
def dualfit(dualfit: Run, tmp_path: Path) -> Run:
    """Run a command line in a folder with the instance `three.json`: exit code, standard output, standard error."""
    (tmp_path / "three.json").write_text(json.dumps({"machines": 2, "jobs": JOBS}))
    return dualfit


def test_the_duals_prove_the_value_in_the_units_of_the_input(dualfit: Run) -> None:
    """sum alpha p - sum beta length is the value, and sum beta/weight is 1: what anybody can add up from the JSON."""
    code, out, _ = dualfit("lp", "three.json", "--problem", "weighted", "--json")
    result = json.loads(out)
    size = {job["id"]: Fraction(job["p"]) for job in JOBS}
    beta = result["beta"]["optimal"]
    paid = sum(Fraction(row["optimal"]) * size[row["job"]] for row in result["alpha"])
    length = sum(Fraction(one["beta"]) * (Fraction(one["end"]) - Fraction(one["start"])) for one in beta)
    assert code == 0
    assert Fraction(result["lp_lower"]) == Fraction(result["lp_upper"]) == paid - length
    assert sum(Fraction(one["beta"]) / Fraction(one["weight"]) for one in beta) == 1
    own = result["beta"]["own"]
    assert sum(Fraction(one["beta"]) / Fraction(one["weight"]) for one in own) == 1
    assert 0 < Fraction(result["own_bound"]) <= Fraction(result["lp_lower"])


def test_every_alpha_is_covered_on_every_machine(dualfit: Run) -> None:
    """alpha_j is at most the beta of the intervals that contain r_j and are for weights up to w_j, on each machine."""
    result = json.loads(dualfit("lp", "three.json", "--problem", "weighted", "--json")[1])
    alpha = {row["job"]: Fraction(row["optimal"]) for row in result["alpha"]}
    assert any(alpha.values())
    for job in JOBS:
        release, weight = Fraction(job["r"]), Fraction(job["w"])
        for machine in job.get("eligible", [1, 2]):
            counting = (
                Fraction(one["beta"])
                for one in result["beta"]["optimal"]
                if one["machine"] == str(machine)
                and Fraction(one["start"]) <= release <= Fraction(one["end"])
                and Fraction(one["weight"]) <= weight
            )
            assert alpha[job["id"]] <= sum(counting)


def test_rows_name_their_weight_and_the_units(dualfit: Run) -> None:
    """Half a time unit is a tick and 1/2 a weight unit; each row says from which weight on it counts."""
    code, out, _ = dualfit("lp", "three.json", "--problem", "weighted")
    assert code == 0
    assert "a tick is 1/2 of the time unit" in out
    assert "Weights of the program are in units of 1/2." in out
    assert "T/4 >= 4 x[short,1] + 3 x[late,1] - 1" in out
    assert "on machine 1, weight 4 or more" in out
    assert "1/4 b[1..2,1,4]" in out


def test_latex_of_the_weighted_programs_is_one_document(dualfit: Run) -> None:
    """Both programs in one document, with T over the weight, and no table."""
    latex = dualfit("lp", "three.json", "--problem", "weighted", "--latex")[1]
    assert latex.count("\\begin{document}") == latex.count("\\end{document}") == 1
    assert r"& T/4 \ge 4 x_{\text{short, 1}} + 3 x_{\text{late, 1}} - 1 &&" in latex
    assert latex.rstrip().endswith("\\end{document}")


def test_equal_weights_are_maximum_flow_time(dualfit: Run, tmp_path: Path) -> None:
    """With all weights w the value is w times that of max-flow."""
    equal = [{**job, "w": "7/3"} for job in JOBS]
    (tmp_path / "equal.json").write_text(json.dumps({"machines": 2, "jobs": equal}))
    weighted, plain = (
        json.loads(dualfit("lp", "equal.json", "--problem", problem, "--json")[1])
        for problem in ("weighted", "max-flow")
    )
    assert Fraction(weighted["lp_lower"]) == Fraction(7, 3) * Fraction(plain["lp_lower"])


def test_stretch_has_no_unit(dualfit: Run, tmp_path: Path) -> None:
    """Stretch is flow time over size: two jobs of size 3 at once cost 2 on one machine, in any unit of time."""
    for scale in (1, 5):
        jobs = [{"id": k, "r": 0, "p": f"{3 * scale}"} for k in range(2)]
        (tmp_path / "pair.json").write_text(json.dumps({"machines": 1, "jobs": jobs}))
        result = json.loads(dualfit("lp", "pair.json", "--problem", "stretch", "--json")[1])
        assert result["lp_lower"] == result["lp_upper"] == "2"


def test_an_instance_without_jobs_has_the_value_zero(dualfit: Run, tmp_path: Path) -> None:
    """Nothing to price, no error."""
    (tmp_path / "empty.json").write_text('{"machines": 2, "jobs": []}')
    code, out, _ = dualfit("lp", "empty.json", "--problem", "weighted", "--json")
    assert (code, json.loads(out)["lp_lower"], json.loads(out)["lp_upper"]) == (0, "0", "0")


def test_too_many_rows_to_read_are_refused(dualfit: Run, tmp_path: Path) -> None:
    """Every release pair of every weight is a row: 100 jobs of two weights are too many; exit 3."""
    jobs = [{"id": k, "r": k, "p": 1, "w": 1 + k % 2} for k in range(100)]
    (tmp_path / "many.json").write_text(json.dumps({"machines": 1, "jobs": jobs}))
    code, _, err = dualfit("lp", "many.json", "--problem", "weighted")
    assert code == 3
    assert "interval rows, over the limit" in err
