"""Flow time plus energy on the command line: what is certified, what is the same every time, what is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., tuple[int, str, str]]

SQUARE = ("--problem", "energy", "--alpha", "2")
JOBS = {
    "machines": 2,
    "jobs": [{"id": k, "r": f"{k // 3}.5", "p": f"{1 + k * k % 5}/2"} for k in range(7)],
}
RESTRICTED = {"machines": 2, "jobs": [{"id": "a", "r": 0, "p": 1, "eligible": [1]}]}
TABLE = "speed,power\n1,1\n2,4\n3,9.5\n"


@pytest.fixture
def dualfit(dualfit: Run, tmp_path: Path) -> Run:
    """Run a command line in a folder with instances: exit code, standard output, standard error."""
    for name, document in (("jobs", JOBS), ("restricted", RESTRICTED), ("none", {"machines": 3, "jobs": []})):
        (tmp_path / f"{name}.json").write_text(json.dumps(document))
    (tmp_path / "power.csv").write_text(TABLE)
    return dualfit


def _json(dualfit: Run, *arguments: str) -> Any:
    code, out, err = dualfit(*arguments, "--json")
    assert code == 0, err
    return json.loads(out)


def _shown(dualfit: Run, certificate: str) -> str:
    checked = _json(dualfit, "check", certificate)
    assert checked["verdict"] == "accepted"
    return "\n".join(checked["shown"])


# ------------------------------------------------------------------------- run
def test_a_run_is_certified_from_both_sides(dualfit: Run) -> None:
    """Cost is flow plus energy, bound <= upper <= cost, and the certificate binds the ratio to the file."""
    found = _json(dualfit, "run", "jobs.json", *SQUARE, "--out", "run.json")
    cost, bound, upper = (Fraction(found[key]) for key in ("objective", "bound", "upper"))
    assert cost == Fraction(found["flow"]) + Fraction(found["energy"])
    assert bound <= upper <= cost
    assert upper <= bound * Fraction(102, 100)
    assert Fraction(found["ratio"]) == cost / bound
    checked = _json(dualfit, "check", "run.json", "--instance", "jobs.json")
    assert checked["verdict"] == found["verdict"] == "accepted"
    for rule in ("C1", "C2", "C6", "C9", "C9-backlog"):
        assert any(f"rule {rule}" in line for line in checked["shown"]), rule


def test_the_ratio_stands_beside_the_theorems(dualfit: Run) -> None:
    """At s^2 on two servers T1 says 9, TD 5, and a table less than TD; the certificate shows each of them."""
    found = _json(dualfit, "run", "jobs.json", *SQUARE)
    claimed = {one["theorem"]: one for one in found["guarantees"]}
    grown = Fraction(found["rounding"]["guarantee_factor"])
    assert 1 < grown < 1 + Fraction(1, 10**5)
    assert [Fraction(claimed[name]["ratio"]) for name in ("T1", "TD")] == [9 * grown, 5 * grown]
    table = next(one for name, one in claimed.items() if name.startswith("c_"))
    assert 1 <= Fraction(table["ratio"]) < 5
    assert all(one["shown"] and one["met"] for one in claimed.values())


def test_the_loss_by_rounding_is_stated(dualfit: Run) -> None:
    """Fewer bits lose more: of the speeds, of the energy against the flow time, of the guarantee."""
    fine, coarse = (_json(dualfit, "run", "jobs.json", *SQUARE, "--bits", bits)["rounding"] for bits in ("20", "16"))
    for key, sign in (("speed_kept", 1), ("guarantee_factor", -1), ("flow_less_energy", -1)):
        assert sign * Fraction(fine[key]) > sign * Fraction(coarse[key]), key
    assert Fraction(fine["flow_less_energy"]) >= 0 == Fraction(fine["overshoot"])


@pytest.mark.parametrize("power", ["s^2+s", "table:power.csv", "0.2s^(3/2)"])
def test_other_power_functions_are_certified(dualfit: Run, power: str) -> None:
    """Polynomials, tables and factors: runs and bounds are accepted, and the ledger finds nothing false."""
    options = ("--problem", "energy", "--power", power)
    found = _json(dualfit, "run", "jobs.json", *options, "--out", "run.json")
    bound = _json(dualfit, "bound", "jobs.json", *options, "--out", "bound.json")
    assert Fraction(found["bound"]) >= Fraction(bound["lower"])
    assert "rule C9" in _shown(dualfit, "bound.json")
    assert dualfit("ledger", "run.json")[0] == 0


def test_a_table_has_no_theorems(dualfit: Run) -> None:
    """P with corners meets no assumption, so nothing is promised."""
    found = _json(dualfit, "run", "jobs.json", "--problem", "energy", "--power", "table:power.csv")
    assert found["guarantees"] == []


def test_on_many_servers_no_table_is_made_and_the_reason_is_shown(dualfit: Run, tmp_path: Path) -> None:
    """4000 servers are too many for a table of c_N: run and ledger end at once, and say that there is none."""
    (tmp_path / "many.json").write_text(json.dumps(JOBS | {"machines": 4000}))
    code, out, _ = dualfit("run", "many.json", *SQUARE, "--out", "many.cert.json")
    assert code == 0
    assert "no c_N: tables are for at most 64 servers" in out
    ledger = {row["id"]: row for row in _json(dualfit, "ledger", "many.cert.json")}
    assert ledger["c_N"]["verdict"] == "vacuous"


def test_another_rule_is_promised_nothing(dualfit: Run) -> None:
    """FIFO, another kappa and fixed speeds meet no hypothesis; what the numbers show is shown all the same."""
    for more in (("--algorithm", "fifo"), ("--kappa", "3"), ("--algorithm", "fixed-speed", "--speed", "1/2")):
        found = _json(dualfit, "run", "jobs.json", *SQUARE, *more)
        assert [one["met"] for one in found["guarantees"]] == [False] * len(found["guarantees"])
        ratio = Fraction(found["ratio"])
        assert all(one["shown"] for one in found["guarantees"] if ratio <= Fraction(one["ratio"]))


def test_a_run_bounds_the_optimum_by_itself(dualfit: Run) -> None:
    """Prices along the run need no search: at least mu0 times the total size, at most the searched bound."""
    alone = _json(dualfit, "run", "jobs.json", *SQUARE, "--bound", "run", "--out", "run.json")
    searched = _json(dualfit, "run", "jobs.json", *SQUARE)
    sizes = sum(Fraction(job["p"]) for job in JOBS["jobs"])  # type: ignore[attr-defined]
    assert 2 * sizes <= Fraction(alone["bound"]) <= Fraction(searched["bound"])
    assert alone["upper"] is None
    assert "rule C9)" in _shown(dualfit, "run.json")
    assert _json(dualfit, "run", "jobs.json", *SQUARE, "--bound", "none")["ratio"] is None


def test_one_job_alone_costs_mu0_times_its_size_at_the_best_speed(dualfit: Run) -> None:
    """At s^2 the best speed alone is 1: cost, bound and optimum are twice the size, in the unit of the file."""
    Path("one.json").write_text(json.dumps({"machines": 3, "jobs": [{"id": 1, "r": "1/3", "p": "7/10"}]}))
    found = _json(dualfit, "run", "one.json", *SQUARE)
    assert (found["objective"], found["bound"], found["ratio"]) == ("7/5", "7/5", "1")


def test_nobody_costs_nothing(dualfit: Run) -> None:
    """Without jobs every command ends well, with 0 and an accepted certificate."""
    found = _json(dualfit, "run", "none.json", *SQUARE, "--out", "run.json")
    assert (found["objective"], found["bound"], found["ratio"], found["verdict"]) == ("0", "0", None, "accepted")
    assert {one["verdict"] for one in _json(dualfit, "ledger", "run.json")} == {"vacuous"}
    assert _json(dualfit, "bound", "none.json", *SQUARE)["upper"] == "0"
    assert _json(dualfit, "drift", "none.json", "--alpha", "2", "--reference", "fifo")["pieces"] == 0
    assert _json(dualfit, "compare", "none.json", *SQUARE)["lower"] == "0"


def test_the_same_input_gives_the_same_bytes(dualfit: Run) -> None:
    """Output and certificate, search included."""
    texts = []
    for name in ("a.json", "b.json"):
        out = dualfit("run", "jobs.json", *SQUARE, "--out", name, "--json")[1]
        texts.append((out, Path(name).read_bytes()))
    assert texts[0] == texts[1]


# ------------------------------------------------------------------------- bound, compare
def test_the_ladder_climbs_to_the_gap(dualfit: Run) -> None:
    """Every rung is below the schedule and has its evidence in the certificate; the best one is within the gap."""
    found = _json(dualfit, "bound", "jobs.json", *SQUARE, "--gap", "1/50", "--out", "bound.json")
    rungs = [Fraction(one["lower"]) for one in found["ladder"]]
    assert [one["rung"] for one in found["ladder"]] == ["size", "schedule", "dual"]
    assert max(rungs) == Fraction(found["lower"]) <= Fraction(found["upper"])
    assert found["closed"]
    assert Fraction(found["ratio"]) <= Fraction(51, 50)
    assert _shown(dualfit, "bound.json").count("rule C9)") == 3
    assert dualfit("bound", "jobs.json", *SQUARE, "--gap", "-1")[0] == 2


def test_a_time_limit_cuts_the_work_short_with_what_is_valid(dualfit: Run) -> None:
    """A hundredth of a second is enough for some schedule and some bound."""
    found = _json(dualfit, "bound", "jobs.json", *SQUARE, "--time-limit", "0.01")
    assert 0 < Fraction(found["lower"]) <= Fraction(found["upper"])
    assert found["verdict"] == "accepted"


def test_a_time_limit_lets_grids_be_refined(dualfit: Run) -> None:
    """With time to spare the bracket closes to a fifty-thousandth, on more cells than without."""
    short = _json(dualfit, "bound", "jobs.json", *SQUARE)
    long = _json(dualfit, "bound", "jobs.json", *SQUARE, "--gap", "1/50000", "--time-limit", "300")
    assert long["closed"]
    assert Fraction(long["lower"]) >= Fraction(short["lower"])
    assert long["ladder"][-1]["grid"] > short["ladder"][-1]["grid"]


def test_all_policies_are_compared_with_one_bound(dualfit: Run) -> None:
    """Each has an accepted certificate of its own with the same bound; none costs less than the bound."""
    found = _json(dualfit, "compare", "jobs.json", *SQUARE, "--out-dir", "all")
    names = [row["name"] for row in found["rows"]]
    assert {"srpt", "fifo", "hdf", "fixed-speed", "round-robin", "least-loaded", "random", "staying-srpt"} <= set(names)
    for row in found["rows"]:
        assert Fraction(found["lower"]) * Fraction(row["ratio"]) == Fraction(row["objective"])
        assert Fraction(row["ratio"]) >= 1
        _shown(dualfit, f"all/{row['name']}.cert.json")
    _shown(dualfit, "all/bounds.cert.json")


def test_a_policy_that_fails_has_a_row(dualfit: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An own class that raises is shown as failed beside the others' results: exit code 2; alone it is refused."""
    (tmp_path / "broken_policy.py").write_text(
        "from online.speed.policy import SpeedPolicy\n"
        "class Broken(SpeedPolicy):\n    def order(self, job, left):\n        raise ValueError('no order')\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    both = ("compare", "jobs.json", *SQUARE, "--algorithms", "srpt,broken_policy:Broken")
    code, out, err = dualfit(*both)
    assert code == 2
    assert "failed: " in out
    assert "no order" in err
    found = json.loads(dualfit(*both, "--json")[1])
    assert [row["name"] for row in found["rows"]] == ["srpt"]
    assert [row["name"] for row in found["failed"]] == ["broken_policy:Broken"]
    assert dualfit("compare", "jobs.json", *SQUARE, "--algorithms", "broken_policy:Broken")[0] == 2


def test_constants_reach_the_policies_that_take_them(dualfit: Run) -> None:
    """--speed is for fixed-speed alone, and of no use without it; a policy twice is compared once."""
    found = _json(dualfit, "compare", "jobs.json", *SQUARE, "--algorithms", "fixed-speed,srpt,srpt", "--speed", "2")
    assert [row["constants"] for row in found["rows"]] == [{"speed": "2"}, {"kappa": "1"}]
    code, _, err = dualfit("compare", "jobs.json", *SQUARE, "--algorithms", "srpt", "--speed", "2")
    assert code == 2
    assert "--speed: of no use" in err


# ------------------------------------------------------------------------- drift
@pytest.mark.parametrize("reference", ["fifo", "srpt@1/2", "best", "random.cert.json", "bound.cert.json"])
def test_the_drift_has_a_least_ratio_that_is_certified(dualfit: Run, reference: str) -> None:
    """The least c is between the ratio of costs and the theorem's, and the certificate says so of this pair."""
    if reference == "random.cert.json":
        _json(dualfit, "run", "jobs.json", *SQUARE, "--algorithm", "random", "--out", reference)
    if reference == "bound.cert.json":
        _json(dualfit, "bound", "jobs.json", *SQUARE, "--out", reference)
    found = _json(dualfit, "drift", "jobs.json", "--alpha", "2", "--reference", reference, "--out", "drift.json")
    least = Fraction(found["least_ratio"])
    assert Fraction(found["costs_ratio"]) <= least <= Fraction(found["theorem_ratio"])
    assert "rule C9-drift" in _shown(dualfit, "drift.json")
    shown = _json(dualfit, "drift", "jobs.json", "--alpha", "2", "--reference", reference, "--ratio", str(least))
    assert shown["violation"] is None


def test_shortest_first_references_have_the_smaller_constant(dualfit: Run) -> None:
    """Against SRPT at half the power c = 3 at s^2, against FIFO, which leaves shorter jobs waiting, c = 5."""
    for reference, class_, constant in (("srpt@1/2", True, 3), ("fifo", False, 5)):
        found = _json(dualfit, "drift", "jobs.json", "--alpha", "2", "--reference", reference)
        assert found["serves_shortest"] is class_
        assert 0 < Fraction(found["theorem_ratio"]) - constant < Fraction(1, 10**4), "speeds are rounded"


def test_a_ratio_below_the_least_one_is_a_false_claim(dualfit: Run) -> None:
    """The violation names time, sides and order; nothing is written."""
    least = Fraction(_json(dualfit, "drift", "jobs.json", "--alpha", "2", "--reference", "fifo")["least_ratio"])
    lower = str(least * Fraction(999, 1000))
    arguments = ("drift", "jobs.json", "--alpha", "2", "--reference", "fifo", "--ratio", lower, "--out", "drift.json")
    code, _, err = dualfit(*arguments)
    assert code == 1
    assert "(7) fails from" in err
    assert not Path("drift.json").exists()


def test_the_drift_is_of_one_instance_and_one_power(dualfit: Run) -> None:
    """A certificate of another file or another P is refused as a reference."""
    _json(dualfit, "run", "none.json", *SQUARE, "--out", "none.cert.json")
    _json(dualfit, "run", "jobs.json", "--problem", "energy", "--alpha", "3", "--out", "cube.cert.json")
    for file, word in (("none.cert.json", "another instance"), ("cube.cert.json", "another power")):
        code, _, err = dualfit("drift", "jobs.json", "--alpha", "2", "--reference", file)
        assert code == 2
        assert word in err


def test_pictures_are_drawn(dualfit: Run) -> None:
    """The potential with both sides of (7), and the growth of a game."""
    pytest.importorskip("matplotlib")
    assert dualfit("drift", "jobs.json", "--alpha", "2", "--reference", "fifo", "--plot", "phi.svg")[0] == 0
    sweep = ("adversary", "round-robin", "--alpha", "2", "--sweep-machines", "2,4", "--plot", "growth.svg")
    assert dualfit(*sweep)[0] == 0
    assert all(Path(name).read_text().startswith("<?xml") for name in ("phi.svg", "growth.svg"))


# ------------------------------------------------------------------------- ledger
def test_the_ledger_of_a_run_holds(dualfit: Run) -> None:
    """Every claim of [S] that says something on SRPT at (5) holds, drift against three schedules included."""
    _json(dualfit, "run", "jobs.json", *SQUARE, "--out", "run.json")
    found = {one["id"]: one["verdict"] for one in _json(dualfit, "ledger", "run.json")}
    for claim in ("A1", "A2", "5", "5.cost", "5.energy", "P5.ends", "P5.jumps", "L9", "7.shortest", "7.any"):
        assert found[claim] == "holds", claim
    assert [found[claim] for claim in ("T1", "TD", "c_N", "T1-OS")] == ["holds"] * 4
    assert (found["T2"], found["T-m1"]) == ("vacuous", "hypothesis not met")


def test_the_ledger_of_unit_jobs_under_round_robin(dualfit: Run) -> None:
    """Policy U is at most twice as dear as the optimum without migration."""
    jobs = [{"id": k, "r": 0 if k < 3 else 1, "p": 1} for k in range(7)]
    Path("unit.json").write_text(json.dumps({"machines": 2, "jobs": jobs}))
    _json(dualfit, "run", "unit.json", *SQUARE, "--algorithm", "round-robin", "--out", "run.json")
    found = {one["id"]: one for one in _json(dualfit, "ledger", "run.json")}
    assert found["U.2"]["verdict"] == "holds"
    assert found["U.optimal"]["verdict"] == "fails"
    assert found["U.optimal"]["corrected_by"] == "U.2"


def test_a_run_under_another_name_has_no_ledger(dualfit: Run) -> None:
    """The certificate does not say who decided, so the ledger plays the policy again."""
    _json(dualfit, "run", "jobs.json", *SQUARE, "--algorithm", "fifo", "--out", "run.json")
    document = json.loads(Path("run.json").read_text())
    document["run"]["algorithm"] = "srpt"
    Path("run.json").write_text(json.dumps(document))
    assert _json(dualfit, "check", "run.json")["verdict"] == "accepted"
    code, _, err = dualfit("ledger", "run.json")
    assert code == 1
    assert "not one of srpt" in err


@pytest.mark.parametrize("parameters", [{}, {"bits": "many"}, {"bits": "1/2"}, {"bits": "20", "grid": "-1"}])
def test_a_run_that_does_not_say_how_it_came_about_has_no_ledger(dualfit: Run, parameters: dict[str, str]) -> None:
    """The checker does not read parameters; the ledger names the one that is missing or no number."""
    _json(dualfit, "run", "jobs.json", *SQUARE, "--out", "run.json")
    document = json.loads(Path("run.json").read_text())
    document["run"]["parameters"] = parameters
    Path("run.json").write_text(json.dumps(document))
    code, _, err = dualfit("ledger", "run.json")
    assert code == 2
    assert "$.run.parameters." in err


def test_a_policy_of_ones_own_runs_and_has_a_ledger_when_named(dualfit: Run, tmp_path: Path) -> None:
    """A class in a module beside the file; the ledger imports it only if it is named."""
    (tmp_path / "lifo_of_mine.py").write_text(
        "from online.speed.policy import SpeedPolicy\n\n\nclass Lifo(SpeedPolicy):\n"
        "    def order(self, job, left):\n        return -job.position\n"
    )
    name = "lifo_of_mine:Lifo"
    assert _json(dualfit, "run", "jobs.json", *SQUARE, "--algorithm", name, "--out", "run.json")["algorithm"] == name
    assert dualfit("ledger", "run.json")[0] == 0
    assert dualfit("ledger", "run.json", "--algorithm", name)[0] == 0


# ------------------------------------------------------------------------- games
@pytest.mark.parametrize("game", ["round-robin", "least-loaded", "historically-least-loaded", "non-migratory-srpt"])
def test_games_grow_as_the_theory_says(dualfit: Run, game: str) -> None:
    """On 4 to 32 servers at s^2 the fitted exponent is within 0.02 of 1/2, and every certificate is accepted."""
    found = _json(dualfit, "adversary", game, "--alpha", "2", "--sweep-machines", "4,8,16,32")
    assert abs(Fraction(found["exponent"]) - Fraction(found["theory"])) <= Fraction(2, 100)
    assert {row["verdict"] for row in found["rows"]} == {"accepted"}


def test_a_game_is_written_and_checked(dualfit: Run) -> None:
    """Its certificate shows both costs; a small game is also played job by job."""
    found = _json(dualfit, "adversary", "round-robin", "--alpha", "3/2", "--machines", "2", "--out", "game.json")
    assert found["replayed"]
    assert "rule C9-game" in _shown(dualfit, "game.json")
    assert Fraction(found["ratio"]) == Fraction(found["policy_lower"]) / Fraction(found["optimum_upper"])
    assert dualfit("ledger", "game.json")[0] == 2


# ------------------------------------------------------------------------- stochastic
def test_random_routing_is_simulated_beside_its_formula(dualfit: Run) -> None:
    """At s^2 and load 2 (13) is 4 at speed 3, the bound (12) is 2: the ratio 2 is tight; the interval contains 4."""
    found = _json(dualfit, "stochastic", "--alpha", "2", "--load", "2", "--machines", "3")
    assert (found["speed"], found["cost"], found["bound"], found["ratio"]) == ("3", "4", "2", "2")
    simulated = found["simulated"]
    assert simulated["meets"]
    assert abs(Fraction(simulated["mean"]) - 4) <= Fraction(simulated["half_width"]) < 1
    verdicts = {one["id"]: one["verdict"] for one in found["claims"]}
    assert verdicts.pop("13.argmin") == "fails"
    assert set(verdicts.values()) == {"holds"}
    assert dualfit("stochastic", "--alpha", "2", "--load", "1000000000")[0] == 3


def test_a_table_on_which_faster_is_always_cheaper_is_refused(dualfit: Run, tmp_path: Path) -> None:
    """With 1:1, 2:3 a job alone is cheapest at every speed over 2, and random routing at none; with 3:5.1 at one."""
    (tmp_path / "low.csv").write_text("speed,power\n1,1\n2,3\n")
    (tmp_path / "steep.csv").write_text("speed,power\n1,1\n2,3\n3,5.1\n")
    code, _, err = dualfit("stochastic", "--power", "table:low.csv", "--load", "2")
    assert code == 2
    assert "rises too slowly" in err
    assert dualfit("stochastic", "--power", "table:steep.csv", "--load", "2")[0] == 0
    assert dualfit("run", "jobs.json", "--problem", "energy", "--power", "table:low.csv")[0] == 0


# ------------------------------------------------------------------------- refused
REFUSED = [
    (("run", "restricted.json", *SQUARE), "identical servers"),
    (("bound", "restricted.json", *SQUARE), "identical servers"),
    (("compare", "restricted.json", *SQUARE), "identical servers"),
    (("run", "jobs.json", "--problem", "energy"), "--alpha: missing"),
    (("run", "jobs.json", *SQUARE, "--power", "s^2"), "--alpha too"),
    (("run", "jobs.json", "--problem=energy", "--alpha", "1"), "not strictly convex"),
    (("run", "jobs.json", "--problem=energy", "--power", "2^s"), "no power function"),
    (("run", "jobs.json", *SQUARE, "--algorithm", "max-flow"), "unknown policy"),
    (("run", "jobs.json", *SQUARE, "--algorithm", "fifo", "--seed", "1"), "bad option"),
    (("run", "jobs.json", *SQUARE, "--epsilon", "1/2"), "see dualfit run --problem energy --help"),
    (("run", "jobs.json", *SQUARE, "--witness"), "No such option '--witness' for problem energy"),
    (("bound", "jobs.json", "--alpha=2"), "No such option '--alpha' without --problem energy, which has it; see"),
    (("diagnose", "jobs.json", "--duals", "x", "--alpha", "2"), "see dualfit diagnose --problem energy --help"),
    (("run", "jobs.json", "--epsilon", "1", "--power", "s^2"), "No such option '--power' without --problem energy"),
    (("compare", "jobs.json", "--bits", "9"), "No such option '--bits' without --problem energy"),
    (("regress", "record", ".", "--bits", "9"), "see dualfit regress record --problem energy --help"),
    (("adversary", "section-4", "--rounds", "2"), "No such option '--rounds' for this game; it belongs to"),
    (("compare", "jobs.json", *SQUARE, "--guess=3"), "see dualfit compare --problem energy --help"),
    (("adversary", "round-robin", "--alpha", "2", "--epsilon", "1/4"), "see dualfit adversary round-robin --help"),
    (("adversary", "unit-migration", "--epsilon", "1/4"), "see dualfit adversary unit-migration --help"),
    (("run", "jobs.json", "--problem", "energy", "--problem", "load", "--alpha", "2"), "--epsilon"),
    (("bound", "jobs.json", *SQUARE, "--method", "lp"), "see dualfit bound --problem energy --help"),
    (("drift", "jobs.json", "--alpha", "2", "--reference", "nobody"), "unknown policy"),
    (("drift", "jobs.json", "--alpha", "2", "--reference", "srpt@fast"), "no kappa"),
    (("adversary", "round-robin", "--alpha", "2"), "--machines"),
    (("adversary", "round-robin", "--alpha", "1", "--machines", "3"), "not strictly convex"),
    (("adversary", "round-robin", "--alpha", "2", "--sweep-machines", "4,x"), "no numbers"),
    (("adversary", "round-robin", "--alpha", "2", "--machines", "2", "--plot", "x.svg"), "it draws a sweep"),
    (("stochastic", "--alpha", "2", "--load", "0"), "a load > 0"),
    (("lp", "jobs.json", "--problem", "energy"), "energy is no linear program"),
    (("export", "jobs.json", "--problem", "energy"), "energy is no linear program"),
    (("search", "--problem", "energy"), "no problem of this command"),
]


@pytest.mark.parametrize(("arguments", "word"), REFUSED, ids=lambda one: one if isinstance(one, str) else None)
def test_what_makes_no_sense_is_refused_by_name(dualfit: Run, arguments: tuple[str, ...], word: str) -> None:
    """Exit code 2, the reason on standard error, and with --json one object."""
    code, _, err = dualfit(*arguments)
    assert code == 2
    assert word in err
    code, out, _ = dualfit(*arguments, "--json")
    assert code == 2
    assert "error" in json.loads(out)


@pytest.mark.parametrize("game", ["least-loaded", "round-robin", "non-migratory-srpt"])
@pytest.mark.parametrize("size", [("2", "1000000000"), ("2", "316"), ("101/100", "3"), ("1001/1000", "2")])
def test_games_that_are_too_large_reach_a_limit(dualfit: Run, game: str, size: tuple[str, str]) -> None:
    """Nothing is played on 10^9 servers, nor at exponents that take long roots: exit code 3 at once."""
    code, _, err = dualfit("adversary", game, "--alpha", size[0], "--machines", size[1])
    assert code == 3
    assert "limit" in err


def test_exponents_that_are_too_fine_reach_a_limit(dualfit: Run) -> None:
    """1001/1000 would make exact values of thousands of digits."""
    code, _, err = dualfit("run", "jobs.json", "--problem", "energy", "--alpha", "1001/1000")
    assert code == 3
    assert "limit of the numerator" in err


def test_a_game_has_no_ledger(dualfit: Run) -> None:
    """A game is played in rounds: there is no run to measure the claims on, and the message says that."""
    assert dualfit("adversary", "round-robin", "--alpha", "2", "--machines", "3", "--out", "game.json")[0] == 0
    code, _, err = dualfit("ledger", "game.json")
    assert code == 2
    assert "a game, played in rounds" in err


def test_theorems_without_a_constant_show_no_numbers(dualfit: Run) -> None:
    """At s^3 Theorem 2 has no c, and for a table neither TD nor TF has one: these rows are vacuous."""
    for power, missing in (("s^3", {"T2", "7.theorem-2"}), ("table:power.csv", {"T2", "TD", "TF", "7.any"})):
        dualfit("run", "jobs.json", "--problem", "energy", "--power", power, "--out", "run.json")
        rows = {row["id"]: row for row in _json(dualfit, "ledger", "run.json")}
        assert {(rows[name]["verdict"], rows[name]["rhs"]) for name in missing} == {("vacuous", None)}
        assert rows["T1"]["rhs"] is not None


@pytest.mark.parametrize("command", [("run",), ("bound",), ("compare",), ("drift", "--reference", "fifo")])
def test_weights_are_said_to_play_no_part(dualfit: Run, tmp_path: Path, command: tuple[str, ...]) -> None:
    """A note says so if a job's weight is not 1, and costs are those without weights."""
    jobs = [job | {"w": 3} for job in JOBS["jobs"]]  # type: ignore[attr-defined]
    (tmp_path / "weighted.json").write_text(json.dumps(JOBS | {"jobs": jobs}))
    power = ("--alpha", "2") if command[0] == "drift" else SQUARE
    weighted, plain = (_json(dualfit, *command, file, *power) for file in ("weighted.json", "jobs.json"))
    notes = weighted.pop("reading")["notes"]
    assert ["weights play no part" in note for note in notes] == [True]
    assert plain.pop("reading")["notes"] == []
    assert weighted == plain


def test_a_certificate_of_a_bound_has_no_ledger(dualfit: Run) -> None:
    """There is no run in it."""
    _json(dualfit, "bound", "jobs.json", *SQUARE, "--out", "bound.json")
    code, _, err = dualfit("ledger", "bound.json")
    assert code == 2
    assert "no run with speeds" in err


def test_help_leads_to_the_options_of_energy(dualfit: Run) -> None:
    """The shared commands name it, and `--problem energy --help` shows what it takes."""
    assert "--problem energy --help" in " ".join(dualfit("run", "--help")[1].split())
    assert "--kappa" in dualfit("run", "--problem", "energy", "--help")[1]
