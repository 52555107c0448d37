"""Bad and hostile input ends as a verdict with a place: never in a traceback, never in a large amount of memory."""

from __future__ import annotations

import copy
import json
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from certify import check

ROOT = Path(__file__).parents[2]
ACCEPT = ROOT / "tests" / "corpus" / "accept"
TEXTS = {path.name: path.read_text(encoding="utf-8") for path in sorted(ACCEPT.glob("*.json"))}
DOCUMENTS: dict[str, Any] = {name: json.loads(text) for name, text in TEXTS.items()}

json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.sampled_from(
        [
            0,
            -1,
            1,
            2,
            2**64,
            10**999,
            10**1000,
            -(10**1200),
            "1/0",
            "0",
            "-1/3",
            "fifo",
            "assignment",
            "load",
            "weighted",
            "stretch",
            "C3",
            "C4",
            "C5",
            "C6",
            "C8",
            "game",
            "C9",
            "C9-drift",
            "C9-game",
            "C10",
            "energy",
            "routing",
            "srpt",
            "",
        ]
    )
    | st.floats()
    | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=8,
)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    if not isinstance(value, dict | list):
        return [path]
    pairs = value.items() if isinstance(value, dict) else enumerate(value)
    return [path, *(deeper for key, inner in pairs for deeper in places(inner, (*path, key)))]


def graft(document: Any, path: tuple[Any, ...], value: Any) -> Any:
    if not path:
        return value
    out = copy.deepcopy(document)
    inner = out
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    return out


def well_formed(verdict: check.Verdict) -> bool:
    """A verdict with its reasons, in printable ASCII."""
    reasons = {"accepted": bool(verdict.shown), "rejected": bool(verdict.failed or verdict.assumed)}
    text = str(verdict)
    assert json.loads(verdict.to_json())["verdict"] == verdict.verdict
    assert text.isascii()
    assert text.replace("\n", "").isprintable()
    assert len(text) < 20_000
    return reasons.get(verdict.verdict, len(verdict.failed) == 1 and not verdict.shown)


@settings(derandomize=True, deadline=None, max_examples=500)
@given(st.data())
def test_any_value_anywhere_gives_a_verdict(data: st.DataObject) -> None:
    """An arbitrary JSON value in place of any part of an accepted certificate gives a verdict with reasons."""
    document = DOCUMENTS[data.draw(st.sampled_from(sorted(DOCUMENTS)))]
    value = data.draw(json_values)
    grafted = graft(document, data.draw(st.sampled_from(places(document))), value)
    assert well_formed(check.check_document(grafted))


@settings(derandomize=True, deadline=None, max_examples=150)
@given(st.data())
def test_two_values_anywhere_give_a_verdict(data: st.DataObject) -> None:
    """A part of one place put in another, twice, gives a verdict with reasons."""
    document = DOCUMENTS[data.draw(st.sampled_from(sorted(DOCUMENTS)))]
    for _ in range(2):
        target, origin = (data.draw(st.sampled_from(places(document))) for _ in range(2))
        part = document
        for key in origin:
            part = part[key]
        document = graft(document, target, copy.deepcopy(part))
    assert well_formed(check.check_document(document))


@settings(derandomize=True, deadline=None, max_examples=200)
@given(data=st.data())
def test_any_edit_of_the_text_gives_a_verdict(data: st.DataObject, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Bytes cut out of a certificate's file and others put in give a verdict, with line and column if it is no JSON."""
    text = TEXTS[data.draw(st.sampled_from(sorted(TEXTS)))].encode()
    a = data.draw(st.integers(0, len(text)))
    b = data.draw(st.integers(a, min(len(text), a + 20)))
    put = data.draw(st.binary(max_size=4) | st.sampled_from([b"NaN", b"1e999", b"[", b'"', b"\xef\xbb\xbf", b"-"]))
    path = tmp_path_factory.getbasetemp() / "edited.json"
    path.write_bytes(text[:a] + put + text[b:])
    assert well_formed(check.check_file(str(path)))


@settings(derandomize=True, deadline=None, max_examples=150)
@given(json_values)
def test_any_own_file_gives_a_verdict(value: Any) -> None:
    """An arbitrary JSON value as the user's own file, or in the place of its jobs, gives a verdict."""
    document = DOCUMENTS["burst-first-in-first-out.json"]
    for own in (value, {"machines": 2, "jobs": value}, {"machines": 2, "jobs": [value]}):
        assert own is None or check.check_document(document, own).verdict in ("malformed", "rejected")
    job = {"id": 1, "r": value, "p": value, "w": value, "eligible": value}
    assert check.check_document(document, {"machines": 2, "jobs": [job]}).verdict in ("malformed", "rejected")


HUGE = "9" * 999
HOSTILE = {
    "a million brackets": "[" * 1_000_000,
    "a million objects": '{"format":' * 1_000_000,
    "an integer of a million digits": '{"version": ' + "7" * 1_000_000 + "}",
    "an exponent": '{"version": 1e999999999}',
    "many repeated keys": "{" + ",".join(f'"k{k}": 0' for k in range(100_000)) + ', "k0": 1}',
    "an endless text": '{"format": "' + "x" * 1_000_000,
}


def limited(path: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The checker in a process of its own, with 1 GB of memory and 20 s of processor time."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
        resource.setrlimit(resource.RLIMIT_CPU, (20, 20))

    command = [sys.executable, "-I", "-S", str(ROOT / "certify" / "check.py"), str(path), *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, preexec_fn=limit)


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_is_malformed_cheaply(name: str, tmp_path: Path) -> None:
    """A small file made to exhaust the parser is malformed, within one gigabyte and without a traceback."""
    path = tmp_path / "hostile.json"
    path.write_text(HOSTILE[name])
    done = limited(path)
    assert (done.returncode, done.stderr) == (2, "")
    assert done.stdout.startswith("malformed")


def test_huge_numbers_in_small_files_cost_little(tmp_path: Path) -> None:
    """Numbers of 999 digits for machines, times, sizes and multipliers are only numbers: a verdict within 1 GB."""
    document = copy.deepcopy(DOCUMENTS["burst-first-in-first-out.json"])
    document["instance"]["machines"] = int(HUGE)
    document["instance"]["tick"] = f"{HUGE}/7"
    document["evidence"][0] |= {"per_tick": int(HUGE), "multiplicity": [int(HUGE)], "machine": [int(HUGE) - 1]}
    document["goal"][3]["value"] = f"{HUGE}/{HUGE[:-1]}1"
    loads = copy.deepcopy(DOCUMENTS["load-of-unit-jobs.json"])
    loads["instance"] |= {"machines": int(HUGE), "size": [int(HUGE)] * 8}
    loads["evidence"][1] = {"rule": "C4", "machine": [0, int(HUGE) - 1], "beta": [int(HUGE), 1]}
    fast = copy.deepcopy(DOCUMENTS["game-at-a-speed-with-late-rejections.json"])
    fast["instance"] |= {"machines": int(HUGE), "size": [int(HUGE)] * 5}
    fast["run"]["speed"] = f"{HUGE}/{HUGE[:-1]}1"
    fast["run"]["schedule"]["per_tick"] = int(HUGE)
    fast["evidence"][0]["phases"][2] |= {"machine": [int(HUGE) - 1, 0], "load": [f"1/{HUGE}", HUGE]}
    path = tmp_path / "huge.json"
    for one in (document, loads, fast):
        path.write_text(json.dumps(one))
        done = limited(path)
        assert (done.returncode, done.stderr) == (1, "")
        assert "binding" in done.stdout


def many_jobs(n: int, flow_weight: list[int], goal: dict[str, Any], evidence: dict[str, Any]) -> dict[str, Any]:
    """A weighted problem of n jobs of size 1 at time 0 that two machines may run."""
    ones = [1] * n
    instance = {"format": "dualfit-instance", "version": 1, "machines": 2, "tick": "1", "weight_unit": "1"}
    instance |= {"ids": list(range(n)), "release": [0] * n, "size": ones, "flow_weight": flow_weight}
    instance |= {"rejection_weight": ones, "eligible_sets": [[0, 1]], "eligible": [0] * n}
    head = {"format": "dualfit-certificate", "version": 1, "problem": "weighted", "goal": [goal]}
    sha = check.read_columns(check.Node(instance)).sha256
    return {**head, "sha256": sha, "instance": instance, "evidence": [evidence]}


CHAIN = 30_000
LEAF = {"leaf": {"rule": "C0", "job": 0}}
COMPLETE = [*(node for j in range(CHAIN) for node in ({"split": j}, LEAF)), LEAF]
DEEP = {
    "without a leaf": ([{"split": j} for j in range(CHAIN)], 2),
    "with all its leaves": (COMPLETE, 0),
    "with a leaf too many": ([*COMPLETE, LEAF], 2),
    "of one job again and again": ([{"split": 0}] * CHAIN, 2),
    "of nothing but leaves": ([LEAF] * CHAIN, 2),
}


@pytest.mark.parametrize("name", DEEP)
def test_case_distinction_of_great_depth_costs_little(name: str, tmp_path: Path) -> None:
    """A chain of 30,000 splits, complete or not, is judged without recursion, in linear time and little memory."""
    tree, code = DEEP[name]
    goal = {"claim": "lower-bound", "value": 1, "evidence": 0}
    document = many_jobs(CHAIN, [1] * CHAIN, goal, {"rule": "C10", "value": 1, "tree": tree})
    path = tmp_path / "deep.json"
    path.write_text(json.dumps(document))
    done = limited(path)
    assert (done.returncode, done.stderr) == (code, "")


def test_weights_without_a_short_common_multiple_cost_little(tmp_path: Path) -> None:
    """A thousand different weights of 999 digits, as thresholds and of jobs, are judged within 1 GB; more no longer."""
    weights = [10**998 + 2 * k + 1 for k in range(1000)]
    n, path = len(weights), tmp_path / "weights.json"
    family = {"rule": "C3", "per_tick": 1, "machine": [0, 1] * n, "start": [0] * 2 * n, "end": [0] * 2 * n}
    family |= {"weights": weights, "class": [k // 2 for k in range(2 * n)]}
    hall = {"rule": "C5", "job": list(range(n)), "value": weights[0]}
    for evidence, place, code in (
        (family, None, 0),
        (hall, None, 0),
        ({**hall, "round": True}, None, 0),
        ({**family, "weights": [*weights, 10**999 - 1]}, "$.evidence[0].weights", 2),
    ):
        goal = {"claim": "lower-bound", "value": weights[0], "evidence": 0}
        path.write_text(json.dumps(many_jobs(n, weights, goal, evidence)))
        done = limited(path)
        assert (done.returncode, done.stderr) == (code, "")
        assert place is None or f" {place}:" in done.stdout


def test_game_with_many_false_loads_in_long_numbers_costs_little(tmp_path: Path) -> None:
    """Of 50,000 loads in numbers of 999 digits each is judged, and rejected, in linear time and little memory."""
    n, phases, digits = 500, 500, int(HUGE)
    document = many_jobs(n, [1] * n, {"claim": "game", "opt": n, "cost": 0, "evidence": 0}, {})
    long = {"per_tick": digits, "job": [], "machine": [], "start": [], "end": []}
    late = {"job": list(range(n)), "time": [0] * n}
    speed = f"{digits - 1}/{digits}"
    document["run"] = {"algorithm": "x", "dispatch": [0] * n, "speed": speed, "schedule": long, "late": late}
    document["instance"]["machines"] = 100
    document["sha256"] = check.read_columns(check.Node(document["instance"])).sha256
    one = {"machine": list(range(100)), "load": [f"1/{digits}"] * 100}
    listed = [{"last": k, **one} for k in range(phases)]
    document["evidence"] = [{"rule": "C8", "dispatch": [0] * n, "schedule": "fifo", "phases": listed}]
    path = tmp_path / "loads.json"
    path.write_text(json.dumps(document))
    done = limited(path)
    assert (done.returncode, done.stderr) == (1, "")
    assert "holds 0 ticks" in done.stdout


@pytest.mark.parametrize(
    ("own", "place"),
    [
        ({"machines": 10**12, "jobs": [{"id": 1, "r": 0, "p": 1}]}, "--instance $.machines"),
        ({"machines": 1, "jobs": [{"id": 1, "r": "1e1001", "p": 1}]}, "--instance $.jobs[0].r"),
        (
            {"machines": 1, "jobs": [{"id": k, "r": 0, "p": f"1/{10**400 + k}"} for k in range(4)]},
            "--instance $.jobs",
        ),
    ],
)
def test_hostile_own_file_is_malformed_cheaply(own: dict[str, Any], place: str, tmp_path: Path) -> None:
    """A user's own file with huge machine counts, exponents or denominators is malformed at its place."""
    path = tmp_path / "own.json"
    path.write_text(json.dumps(own))
    done = limited(ACCEPT / "burst-first-in-first-out.json", "--instance", str(path))
    assert (done.returncode, done.stderr) == (2, "")
    assert f" {place}:" in done.stdout


def test_text_in_messages_is_escaped() -> None:
    """Control characters and lone surrogates of a file reach the terminal only escaped."""
    document = copy.deepcopy(DOCUMENTS["burst-first-in-first-out.json"])
    document["problem"] = "\x1b[2J\ud800é"
    verdict = check.check_document(document)
    assert "\\x1b[2J\\ud800\\xe9" in str(verdict)
    assert well_formed(check.check_document({**document, "\x1b\ud800": 1}))
