"""dualfit's own JSON: both forms, the schema and the writer."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reader_inputs import CASES, SAMPLES, read_bytes, times

from online.errors import InvalidInput
from online.instance import Instance
from online.readers import schema_text, write_json
from online.rows import Row

SCHEMA = json.loads(schema_text())
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)
EXACT = st.fractions(0, 50, max_denominator=12)


def document(**job: object) -> str:
    """A file of one job on two machines, with these keys changed or, for None, left out."""
    keys = {"id": "a", "r": 0, "p": 1, **job}
    return json.dumps({"machines": 2, "jobs": [{key: value for key, value in keys.items() if value is not None}]})


@st.composite
def instances(draw: st.DrawFn) -> Instance:
    machines = draw(st.integers(1, 4))
    sets = st.lists(st.integers(0, machines - 1), min_size=1, max_size=4)
    ids = draw(st.lists(st.one_of(st.integers(-3, 30), st.text(min_size=1, max_size=3)), max_size=6, unique_by=str))
    ids = [job for job in ids if not isinstance(job, str) or job.isprintable()]
    positive = EXACT.filter(lambda x: x > 0)
    rows = [Row(job, draw(EXACT), draw(positive), draw(sets), draw(positive), draw(positive)) for job in ids]
    names = draw(st.none() | st.just([f"machine {i}" for i in range(machines)]))
    return Instance.from_rows(machines, rows, machine_names=names)


@settings(max_examples=150, derandomize=True, deadline=None)
@given(instance=instances(), parts=st.sampled_from([1, 1, 2]), factor=st.sampled_from([1, 1, Fraction(7, 2)]))
def test_what_is_written_reads_back_identical(instance: Instance, parts: int, factor: Fraction) -> None:
    """Any instance, its tick chosen by the reader or not, reads back byte for byte, and its text fits the schema."""
    changed = instance.refined(parts).scaled(factor)
    text = write_json(changed, planted={"optimum": "7/2"})
    assert read_bytes(text).instance.canonical == changed.canonical
    VALIDATOR.validate(json.loads(text))


@settings(max_examples=50, derandomize=True, deadline=None)
@given(instance=instances())
def test_columns_and_list_of_jobs_agree(instance: Instance) -> None:
    """The columnar document and the list of jobs of one instance are read to the same instance."""
    columns = read_bytes(json.dumps(instance.to_document()))
    assert columns.instance.canonical == read_bytes(write_json(instance)).instance.canonical
    assert (columns.read, columns.used) == (instance.n, instance.n)
    VALIDATOR.validate(instance.to_document())


def test_files_are_written_as_the_text_says(tmp_path: Path) -> None:
    """The file holds the returned text; a file that cannot be written is refused, no traceback."""
    instance = Instance.from_rows(1, [Row("é", 0, 1)])
    text = write_json(instance, tmp_path / "one.json")
    assert (tmp_path / "one.json").read_bytes() == text.encode("ascii")
    with pytest.raises(InvalidInput, match="cannot be written"):
        write_json(instance, tmp_path / "no" / "one.json")


def test_numbers_are_exact() -> None:
    """Decimals, ratios and large integers are read exactly: 0.1 is one tenth, 2^70 is 2^70."""
    reading = read_bytes(document(r="1/3", p=0.1, w=2**70))
    assert times(reading.instance) == [("a", Fraction(1, 3), Fraction(1, 10))]
    assert reading.instance.flow_weight[0] * reading.instance.weight_unit == 2**70


def test_rejection_weight_defaults_to_the_flow_weight() -> None:
    """`v` is `w` where missing, and `w` is 1."""
    both = read_bytes(document(w=3)).instance, read_bytes(document(v=3)).instance
    assert [(i.flow_weight[0], i.rejection_weight[0]) for i in both] == [(3, 3), (1, 3)]


BAD = {
    "unknown job key": (document(weight=3), r'\$\.jobs\[0\]: unknown key: got "weight".*id, r, p, w, v, eligible'),
    "null set": (document().replace("}]", ', "eligible": null}]'), "wrong type: got null, expected a list"),
    "text set": (document(eligible="1"), "wrong type: got a text, expected a list"),
    "boolean machine": (document(eligible=[True]), "wrong type: got true"),
    "fractional machine": (document(eligible=[1.0]), r"wrong type: got 1\.0"),
    "list in set": (document(eligible=[[1]]), r"wrong type: got \[1\]"),
    "no id": (document(id=None), 'no "id"'),
    "no size": (document(p=None), 'no "p"'),
    "null weight": (document().replace("}]", ', "w": null}]'), "wrong type: got null"),
    "boolean size": (document(p=True), "the boolean True"),
    "empty id": (document(id=""), "bad id"),
    "decimal id": (document(id=1.5), "bad id"),
    "zero size": (document(p=0), "zero size"),
    "negative release": (document(r=-1), "negative release"),
    "zero weight": (document(w=0), "flow weight must be positive"),
    "machine 3 of 2": (document(eligible=[3]), r"machine 3 .*expected machines 1\.\.2"),
    "machine 0": (document(eligible=[0]), "machine 0 "),
    "empty set": (document(eligible=[]), "empty eligible set"),
    "long exponent": (document(p=7).replace("7", "1e99999999999999999999"), "number too long"),
    "large exponent": (document(p=7).replace("7", "1e5000"), "exponent"),
    "long number": (document(p=7).replace("7", "7" * 5000), "number too long: got a number of 5000 characters"),
    "NaN": (document(p=7).replace("7", "NaN"), "not a finite number: got NaN"),
    "infinity": (document(p=7).replace("7", "-Infinity"), "not a finite number: got -Infinity"),
    "key twice": (
        document(p=7).replace('"p"', '"p": 6, "p"'),
        'duplicate key: got "p" twice in the object with id "a"',
    ),
    "deep": ('{"machines": 1, "jobs": ' + "[" * 200000 + "]" * 200000 + "}", "nested too deep"),
    "half a pair": (document(id="x").replace('"x"', '"\\ud800"'), "surrogate"),
    "syntax": ('{"machines": 2,\n "jobs": [}', "input:2: not JSON"),
    "not an object": ("[]", "not an object: got a list"),
    "no jobs": ('{"machines": 2}', r"\$\.jobs: missing or wrong type: got nothing"),
    "unknown key": ('{"machines": 2, "jobs": [], "generate": {}}', 'unknown key: got "generate".*planted'),
    "no machines": ('{"jobs": []}', "unknown number of machines"),
    "fractional machines": ('{"machines": 2.0, "jobs": []}', "machines must be at least 1"),
    "names not a list": ('{"machines": 2, "jobs": [], "machine_names": 3}', "machine_names: missing or wrong type"),
    "names not distinct": ('{"machines": 2, "jobs": [], "machine_names": ["a", "a"]}', "bad machine names"),
    "planted not an object": ('{"machines": 2, "jobs": [], "planted": 3}', "planted: missing or wrong type"),
}


@pytest.mark.parametrize("name", BAD)
def test_faulty_files_are_refused(name: str) -> None:
    """Each fault is refused with its place and what stood there."""
    text, message = BAD[name]
    with pytest.raises(InvalidInput, match=message):
        read_bytes(text, "input", format="json")


BEYOND_SCHEMA = ("key twice", "names not distinct", "machine 3 of 2", "zero size", "no machines", "large exponent")
BEYOND_SCHEMA += (
    "NaN",
    "infinity",
    "deep",
    "half a pair",
    "syntax",
    "long exponent",
    "long number",
    "fractional machines",
)
BEYOND_SCHEMA += ("fractional machine",)


@pytest.mark.parametrize("name", [name for name in BAD if name not in BEYOND_SCHEMA])
def test_the_schema_rejects_what_the_reader_refuses(name: str) -> None:
    """Faults of form, which a schema can express, are rejected by the schema too."""
    with pytest.raises(jsonschema.ValidationError):
        VALIDATOR.validate(json.loads(BAD[name][0]))


@pytest.mark.parametrize("path", ["json-ties-in-release.json", "json-no-jobs.json", "json-machine-names.json"])
def test_the_schema_accepts_what_the_reader_reads(path: str) -> None:
    """Files that are read fit the schema, and the schema itself is well formed."""
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    VALIDATOR.validate(json.loads((CASES / path).read_text()))
    VALIDATOR.validate(json.loads(SAMPLES["json"]))


def columnar(**changes: object) -> str:
    """A columnar document of one job, with these keys changed."""
    return json.dumps({**Instance.from_rows(1, [Row("a", 0, 1)]).to_document(), **changes})


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"release": 5}, r"\$\.release: missing or wrong type: got a number"),
        ({"eligible_sets": [0]}, r"\$\.eligible_sets\[0\]: wrong type"),
        ({"eligible_sets": [[1]]}, "bad eligible set"),
        ({"version": 2}, "version"),
        ({"machines": 10**9}, "too many machines"),
        ({"speed": 1}, 'unknown key: got "speed"'),
        ({"size": [0]}, r"\$\.size\[0\]: zero size"),
        ({"size": [0.5]}, "not an integer"),
        ({"tick": "0"}, "tick"),
    ],
)
def test_faulty_columns_are_refused(changes: dict[str, object], message: str) -> None:
    """Columns of the wrong kind, bad sets and zero sizes are refused with their path."""
    with pytest.raises(InvalidInput, match=message):
        read_bytes(columnar(**changes))


def test_zero_sizes_in_columns_follow_the_option() -> None:
    """Size 0 in a column is kept or dropped as asked, and what is dropped is counted."""
    assert read_bytes(columnar(size=[0]), zero_size="keep").used == 1
    dropped = read_bytes(columnar(size=[0]), zero_size="drop", invalid="drop")
    assert (dropped.read, dropped.used, dropped.dropped[0].ids) == (1, 0, ("a",))


def test_an_id_rejected_at_the_door_is_not_given_twice() -> None:
    """A job that is rejected at the door and another of the same id are a duplicate id, in either order."""
    bad, good = {"id": 7, "r": 0, "p": 1, "eligible": []}, {"id": "7", "r": 0, "p": 1}
    for jobs in ([bad, good], [good, bad], [bad, bad]):
        with pytest.raises(InvalidInput, match="duplicate id"):
            read_bytes(json.dumps({"machines": 1, "jobs": jobs}), unplaceable="reject")


def test_rejection_weights_at_the_door_are_exact() -> None:
    """What is rejected at the door costs `v`, else `w`, exactly; a weight that is not positive is a bad job."""
    jobs = [{"id": k, "r": 0, "p": 1, "eligible": [], **extra} for k, extra in enumerate(({"v": "1/3"}, {"w": 0.5}))]
    reading = read_bytes(json.dumps({"machines": 1, "jobs": jobs}), unplaceable="reject")
    assert reading.rejected_at_the_door.weight == Fraction(5, 6)
    jobs[0]["v"] = -1
    with pytest.raises(InvalidInput, match="weight must be positive"):
        read_bytes(json.dumps({"machines": 1, "jobs": jobs}), unplaceable="reject")
