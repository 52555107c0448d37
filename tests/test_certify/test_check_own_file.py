"""`--instance`: the checker reads the user's own file itself and compares canonical forms."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from certify import check
from online.instance import Instance
from online.rows import Row

Document = dict[str, Any]


def certificate(instance: Instance, **more: Any) -> Document:
    head = {"format": "dualfit-certificate", "version": 1, "problem": "max-flow", "evidence": []}
    goal = [{"claim": "lower-bound", "value": 0}]
    return {**head, "goal": goal, "sha256": instance.sha256, "instance": instance.to_document(), **more}


amount = (
    st.integers(0, 50)
    | st.decimals(0, 5, places=2).map(lambda d: check.Inexact(str(d)))
    | st.fractions(0, 9, max_denominator=6).map(str)
    | st.sampled_from([check.Inexact("1e-3"), check.Inexact("2.50E+1"), "0.125", " 7 ", "+.5", "3."])
)
above_zero = amount.filter(lambda text: Fraction(text) > 0)


@st.composite
def own_files(draw: st.DrawFn) -> Document:
    machines = draw(st.integers(1, 3))
    ids = draw(st.lists(st.integers(-3, 99) | st.text(min_size=1, max_size=3), max_size=6, unique_by=str))
    jobs = []
    for name in ids:
        job = {"id": name, "r": draw(amount), "p": draw(above_zero)}
        for key, values in {
            "w": above_zero,
            "v": above_zero,
            "eligible": st.lists(st.integers(1, machines), min_size=1, max_size=4),
        }.items():
            if draw(st.booleans()):
                job[key] = draw(values)
        jobs.append(job)
    return {"machines": machines, "jobs": jobs}


def by_rows(own: Document) -> Instance:
    rows = [
        Row(
            job["id"],
            str(job["r"]),
            str(job["p"]),
            [i - 1 for i in job["eligible"]] if "eligible" in job else None,
            str(job.get("w", 1)),
            str(job["v"]) if "v" in job else None,
        )
        for job in own["jobs"]
    ]
    return Instance.from_rows(own["machines"], rows)


def as_text(own: Document) -> str:
    """The file as a user writes it: decimals bare, without quotes."""
    marked = json.dumps(own, default=str)
    for job in own["jobs"]:
        for value in job.values():
            if isinstance(value, check.Inexact):
                marked = marked.replace(f'"{value}"', str(value))
    return marked


@settings(derandomize=True, deadline=None, max_examples=120)
@given(own_files())
def test_list_of_jobs_has_the_same_canonical_form(own: Document) -> None:
    """The checker's reading of a list of jobs has the hash of `Instance.from_rows`: ticks, order, sets, weights."""
    instance = by_rows(own)
    verdict = check.check_document(certificate(instance), check.read_json(as_text(own).encode()))
    assert verdict.verdict == "accepted", str(verdict)
    assert verdict.shown[1] == "the instance is the one in the file given with --instance (binding)"


@settings(derandomize=True, deadline=None, max_examples=60)
@given(own_files(), above_zero)
def test_unit_size_replaces_every_size(own: Document, size: str) -> None:
    """With `source.unit_size` the own file's sizes become that one, and the verdict says so."""
    unit = Fraction(size.strip() if isinstance(size, str) else size)
    instance = by_rows(own).with_unit_size(unit)
    document = certificate(instance, source={"file": "own.json", "unit_size": str(unit)})
    for file in (own, by_rows(own).to_document()):
        verdict = check.check_document(document, file)
        assert verdict.verdict == "accepted"
        assert f"with every size replaced by {check.show(unit)} (source.unit_size)" in verdict.shown[1]


@settings(derandomize=True, deadline=None, max_examples=60)
@given(own_files(), st.data())
def test_changed_own_file_is_noticed(own: Document, data: st.DataObject) -> None:
    """One release, size, weight, id or set changed in the own file fails the binding, naming column and job."""
    instance = by_rows(own)
    if not own["jobs"]:
        return
    job = data.draw(st.sampled_from(own["jobs"]))
    key = data.draw(st.sampled_from(["r", "p", "w", "v"]))
    default = {"w": "1", "v": job.get("w", "1")}.get(key)
    job[key] = str(Fraction(job.get(key, default)) + 1)
    verdict = check.check_document(certificate(instance), own)
    assert verdict.verdict == "rejected"
    assert [one.rule for one in verdict.failed] == ["binding"]
    assert verdict.failed[0].place.startswith("$.instance.")


JOBS = [{"id": "a", "r": 0, "p": 1}, {"id": "b", "r": 2, "p": 3, "eligible": [1]}]
TWO = Instance.from_rows(2, [Row("a", 0, 1), Row("b", 2, 3, [0])])


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"machines": 3}, "$.instance.machines"),
        ({"jobs": JOBS[:1]}, "$.instance.ids"),
        ({"jobs": [JOBS[0], {**JOBS[1], "id": "c"}]}, "$.instance.ids[1]"),
        ({"jobs": [JOBS[0], {**JOBS[1], "r": 3}]}, "$.instance.release[1]"),
        ({"jobs": [JOBS[0], {**JOBS[1], "p": "7/2"}]}, "$.instance.tick"),
        ({"jobs": [{**JOBS[0], "v": 2}, JOBS[1]]}, "$.instance.rejection_weight[0]"),
        ({"jobs": [{**JOBS[0], "w": "1/2"}, JOBS[1]]}, "$.instance.weight_unit"),
        ({"jobs": [JOBS[0], {**JOBS[1], "eligible": [2]}]}, "$.instance.eligible[1]"),
        ({"machine_names": ["x", "y"]}, "$.instance.machine_names"),
    ],
)
def test_first_difference_names_column_and_job(change: Document, place: str) -> None:
    """Where the own file is another instance, the failure names the first differing column, and the job in it."""
    verdict = check.check_document(certificate(TWO), {"machines": 2, "jobs": JOBS, **change})
    assert [(one.rule, one.place) for one in verdict.failed] == [("binding", place)]


@pytest.mark.parametrize(
    ("own", "place"),
    [
        ({"machines": 2, "jobs": [{"id": "a", "r": 0, "p": 0}]}, "$.jobs[0].p"),
        ({"machines": 2, "jobs": [{"id": "a", "r": "-1", "p": 1}]}, "$.jobs[0].r"),
        ({"machines": 2, "jobs": [{"id": "a", "r": 0.5, "p": 1}]}, "$.jobs[0].r"),
        ({"machines": 2, "jobs": [{"id": "a", "r": "1/0", "p": 1}]}, "$.jobs[0].r"),
        ({"machines": 2, "jobs": [{"id": "a", "r": True, "p": 1}]}, "$.jobs[0].r"),
        ({"machines": 2, "jobs": [{"id": "a", "r": 0, "p": 1, "v": 0}]}, "$.jobs[0].v"),
        ({"machines": 2, "jobs": [{"id": "a", "r": 0, "p": 1, "eligible": [0]}]}, "$.jobs[0].eligible[0]"),
        ({"machines": 2, "jobs": [{"id": "a", "r": 0, "p": 1, "eligible": []}]}, "$.jobs[0].eligible"),
        ({"machines": 2, "jobs": [{"id": "a", "r": 0}]}, "$.jobs[0].p"),
        ({"machines": 2, "jobs": [{"id": "", "r": 0, "p": 1}]}, "$.jobs[0].id"),
        ({"machines": 2, "jobs": [{"id": 1, "r": 0, "p": 1}, {"id": "1", "r": 0, "p": 1}]}, "$.jobs.id[1]"),
        ({"machines": 2, "jobs": [], "speed": 1}, "$.speed"),
        ({"machines": 0, "jobs": []}, "$.machines"),
        ({"nb_res": 4, "jobs": [], "profiles": {}}, "$"),
        (TWO.to_document() | {"version": 2}, "$.version"),
        (TWO.to_document() | {"size": [0, 1]}, "$.size[0]"),
    ],
)
def test_bad_own_file_is_malformed_at_its_place(own: Document, place: str) -> None:
    """An own file that breaks a rule of instances is malformed, at its place in that file."""
    verdict = check.check_document(certificate(TWO), own)
    assert (verdict.verdict, verdict.failed[0].place) == ("malformed", f"--instance {place}")


@pytest.mark.parametrize("data", [b"; SWF\n1 0 0 1\n", b"", b"null", b"\x1f\x8b\x08", b"[]", b'{"nb_res": 4}'])
def test_other_formats_are_refused_with_a_hint(data: bytes, tmp_path: Path) -> None:
    """A file that is not dualfit's own JSON never passes for an instance; text and JSON of others get the hint."""
    certified, own = tmp_path / "certificate.json", tmp_path / "own"
    certified.write_text(json.dumps(certificate(TWO)))
    own.write_bytes(data)
    verdict = check.check_file(str(certified), str(own))
    assert verdict.verdict == "malformed"
    assert verdict.failed[0].place.startswith("--instance ")
    if data not in (b"null", b"[]"):
        assert "dualfit check --instance" in verdict.failed[0].message


def test_zero_size_passes_only_where_unit_size_replaces_it() -> None:
    """A size of 0 in the own file is refused, unless every size is replaced by the certificate's unit size."""
    own = {"machines": 1, "jobs": [{"id": "a", "r": 0, "p": 0}]}
    instance = Instance.from_rows(1, [Row("a", 0, 5)])
    assert check.check_document(certificate(instance), own).verdict == "malformed"
    assert check.check_document(certificate(instance, source={"unit_size": 5}), own).verdict == "accepted"


@settings(derandomize=True, deadline=None, max_examples=60)
@given(own_files(), st.randoms(use_true_random=False))
def test_columns_in_any_numbering_have_one_hash(own: Document, random: Any) -> None:
    """Eligible sets renumbered, and a set that no job uses, do not change the hash that the checker computes."""
    instance = by_rows(own)
    document = instance.to_document()
    sets = [*document["eligible_sets"], [0]]
    order = list(range(len(sets)))
    random.shuffle(order)
    document["eligible_sets"] = [sets[k] for k in order]
    document["eligible"] = [order.index(k) for k in document["eligible"]]
    assert check.check_document(certificate(instance) | {"instance": document}).verdict == "accepted"
    assert Instance.from_document(document).sha256 == instance.sha256
