"""What every reader does, whatever the format."""

from __future__ import annotations

import gzip
import zlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reader_inputs import BAD_ROWS, CASES, SAMPLES, read_bytes, times

from online.errors import InvalidInput
from online.readers import ReadOptions

FORMATS = sorted(SAMPLES)
LINES = {"csv": 4, "swf": 2, "clf": 2}


@pytest.mark.parametrize("kind", FORMATS)
def test_the_content_tells_the_format(kind: str) -> None:
    """Without a telling name, each format is known by its content, and the same when asked for by name."""
    reading = read_bytes(SAMPLES[kind], "input")
    assert (reading.format, reading.read, reading.used) == (kind, 2, 2)
    assert read_bytes(SAMPLES[kind], "input", format=kind) == reading


@pytest.mark.parametrize("kind", FORMATS)
def test_jobs_stand_in_order_of_release(kind: str) -> None:
    """Jobs given out of order are sorted by release, and the reading says so."""
    reading = read_bytes(SAMPLES[kind])
    releases = [release for _, release, _ in times(reading.instance)]
    assert releases[0] < releases[1]
    assert "jobs not in order of release, sorted with ties as given; steps back: 1" in reading.notes


@pytest.mark.parametrize("kind", FORMATS)
@pytest.mark.parametrize(
    "change",
    [
        lambda data: b"\xef\xbb\xbf" + data,
        lambda data: data.replace(b"\n", b"\r\n"),
        lambda data: data.rstrip(b"\n"),
        lambda data: data + b"\n\n",
        gzip.compress,
        lambda data: gzip.compress(data[:20]) + gzip.compress(data[20:]) + b"\0" * 8,
        lambda data: gzip.compress(b"\xef\xbb\xbf" + data.replace(b"\n", b"\r\n")),
        lambda data: gzip.compress(gzip.compress(data)),
    ],
    ids=["bom", "crlf", "no last newline", "blank lines", "gzip", "gzip members", "all", "gzip twice"],
)
def test_wrapping_changes_nothing(kind: str, change: object) -> None:
    """Byte order mark, line ends and compression change no byte of the instance."""
    plain = SAMPLES[kind].encode()
    assert read_bytes(change(plain)).instance.canonical == read_bytes(plain).instance.canonical  # type: ignore[operator]


@pytest.mark.parametrize("kind", FORMATS)
def test_bad_jobs_are_dropped_with_place_when_asked(kind: str) -> None:
    """With invalid=drop the good job stays, the bad one is counted once, with its place; nothing else is lost."""
    reading = read_bytes(BAD_ROWS[kind], "bad", invalid="drop")
    (dropped,) = reading.dropped
    assert (reading.read, reading.used, dropped.count) == (2, 1, 1)
    place = f"bad:{LINES[kind]}: " if kind in LINES else "bad: $.jobs[1]: "
    assert dropped.places[0].startswith(place)
    assert len(dropped.ids) == 1


@pytest.mark.parametrize("kind", FORMATS)
def test_bad_jobs_are_refused_with_place_when_asked(kind: str) -> None:
    """With invalid=refuse the file is refused, and the message begins with the place of the bad job."""
    with pytest.raises(InvalidInput) as refused:
        read_bytes(BAD_ROWS[kind], "bad", invalid="refuse")
    place = f"bad:{LINES[kind]}: " if kind in LINES else "bad: $.jobs[1]: "
    assert str(refused.value).startswith(place)


@pytest.mark.parametrize(("kind", "lax"), [("json", 0), ("csv", 0), ("swf", 1), ("batsim", 1), ("clf", 1)])
def test_the_default_refuses_in_own_files_and_drops_in_logs(kind: str, lax: int) -> None:
    """Bad jobs refuse JSON and CSV files, and are dropped with a report in logs of real systems."""
    if lax:
        assert read_bytes(BAD_ROWS[kind]).used == 1
    else:
        with pytest.raises(InvalidInput):
            read_bytes(BAD_ROWS[kind])


@pytest.mark.parametrize("kind", ["swf", "clf"])
def test_a_log_of_bad_lines_only_is_refused(kind: str) -> None:
    """A log of which nothing is usable is no empty instance: it is refused, naming what was wrong first."""
    with pytest.raises(InvalidInput, match="input:1: no usable job"):
        read_bytes("some words\nthat are no log\n", format=kind)


@pytest.mark.parametrize("kind", FORMATS)
def test_too_many_machines_are_refused(kind: str) -> None:
    """A machine count that memory cannot hold is refused at once, from the file or from the options."""
    text = SAMPLES[kind].replace("machines: 2", "machines: 999999999").replace('s": 2', 's": 999999999')
    options = {"machines": 999999999} if text == SAMPLES[kind] else {}
    with pytest.raises(InvalidInput, match="too many machines"):
        read_bytes(text.replace("machines=2", ""), **options)


@pytest.mark.parametrize("kind", ["json", "csv", "batsim"])
def test_machines_asked_for_must_not_contradict_the_file(kind: str) -> None:
    """`machines` fills a gap; it never overrules the file in silence."""
    with pytest.raises(InvalidInput, match="2 in the file, 3 asked for"):
        read_bytes(SAMPLES[kind], machines=3)


@pytest.mark.parametrize(("kind", "option"), [("json", {"swf_size": "work"}), ("swf", {"clf_size": "bytes"})])
def test_options_of_another_format_are_refused(kind: str, option: dict[str, str]) -> None:
    """An option that means nothing for the format is refused rather than passed over."""
    with pytest.raises(InvalidInput, match="no such option"):
        read_bytes(SAMPLES[kind], **option)


PATCHES = [
    "",
    "0",
    "-1",
    "9",
    "1e9999",
    "1e400",
    "1/3",
    "nan",
    "null",
    "[]",
    "{}",
    "true",
    "[0]",
    "1-9",
    "é",
    "٣",
    "\0",
]
PATCHES += ['"', ",", "{", "]", "|", "-", "\n", "\\ud800", " ", "_", "#", ";"]


@pytest.mark.parametrize("kind", FORMATS)
@settings(max_examples=200, derandomize=True, deadline=None)
@given(
    cuts=st.lists(st.tuples(st.floats(0, 1), st.integers(0, 12), st.sampled_from(PATCHES)), min_size=1, max_size=4),
    invalid=st.sampled_from(["default", "refuse", "drop"]),
    unplaceable=st.sampled_from(["default", "reject"]),
)
def test_damaged_files_are_read_or_refused(
    kind: str, cuts: list[tuple[float, int, str]], invalid: str, unplaceable: str
) -> None:
    """A damaged file ends in a reading whose account adds up, or in `InvalidInput`; never in another error."""
    text = SAMPLES[kind]
    for where, length, put in cuts:
        at = int(where * len(text))
        text = text[:at] + put + text[at + length :]
    try:
        reading = read_bytes(text, f"input.{kind}", invalid=invalid, unplaceable=unplaceable)
    except InvalidInput:
        return
    assert reading.read == reading.used + sum(dropped.count for dropped in reading.dropped)
    assert reading.rejected_at_the_door.count == 0 or unplaceable == "reject"


@settings(max_examples=100, derandomize=True, deadline=None)
@given(keep=st.integers(2, 1364))
def test_gzip_cut_anywhere_is_refused(keep: int) -> None:
    """No proper beginning of a gzip file is read as a whole file."""
    data = (CASES / "swf-gzip.swf.gz").read_bytes()
    with pytest.raises(InvalidInput, match=r"truncated gzip data: got \d+ whole rows"):
        read_bytes(data[:keep], "cut.swf.gz")


def test_damaged_gzip_is_refused() -> None:
    """A wrong check sum and garbage behind the data are damage, not data."""
    data = bytearray(gzip.compress(SAMPLES["swf"].encode()))
    with pytest.raises(InvalidInput, match="damaged gzip data"):
        read_bytes(bytes(data) + b"garbage")
    data[-6] ^= 1
    assert zlib.decompress(bytes(data[10:-8]), wbits=-15) == SAMPLES["swf"].encode()
    with pytest.raises(InvalidInput, match="damaged gzip data"):
        read_bytes(bytes(data))


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (SAMPLES["csv"].encode("utf-16"), "UTF-16"),
        (SAMPLES["csv"].encode("utf-16-le"), "UTF-16"),
        (SAMPLES["csv"].encode("utf-32"), "UTF-32"),
        (b"\xfd7zXZ\0\0", "xz"),
        (b"PK\x03\x04....", "zip"),
        (b"job,r,p\0\n", "binary"),
    ],
)
def test_other_bytes_are_refused_by_name(data: bytes, kind: str) -> None:
    """UTF-16, UTF-32, archives and binary data are refused by name."""
    with pytest.raises(InvalidInput, match=kind):
        read_bytes(data, "input.csv")


def test_bytes_that_are_no_utf8() -> None:
    """In JSON and CSV they are refused with their line; in logs they are read as Latin-1."""
    with pytest.raises(InvalidInput, match=r"input\.csv:3: not UTF-8: got byte 0xe9"):
        read_bytes(b"# machines: 1\njob,r,p\n\xe9,0,1\n", "input.csv")
    reading = read_bytes(b"; Note: \xe9\n" + SAMPLES["swf"].encode(), "input.swf")
    assert reading.used == 2


@pytest.mark.parametrize("data", [b"", b"\n \n", b"\xef\xbb\xbf", gzip.compress(b"", mtime=0)])
def test_empty_files_are_refused(data: bytes) -> None:
    """A file without content is no instance, whatever its name."""
    with pytest.raises(InvalidInput, match="empty file"):
        read_bytes(data, "input.swf")


def test_undecidable_content_lists_the_formats() -> None:
    """Content that tells nothing under a name that tells nothing ends in the list of formats and the option."""
    with pytest.raises(InvalidInput, match=r"json, csv, swf, batsim, clf.*--format"):
        read_bytes("hello\n", "input")


def test_at_most_twenty_problems_are_shown() -> None:
    """All bad rows are reported together; the message shows twenty and counts the rest."""
    text = "# machines: 1\njob,r,p\n" + "".join(f"{k},-1,1\n" for k in range(25))
    with pytest.raises(InvalidInput) as refused:
        read_bytes(text)
    assert len(refused.value.problems) == 25
    assert str(refused.value).endswith("... and 5 more problems of this input")


@pytest.mark.parametrize("kind", ["json", "csv"])
def test_numbers_without_a_common_unit_are_refused(kind: str) -> None:
    """Times whose common denominator has over a thousand digits are refused before they fill the memory."""
    odd = [f"1/{10**9 + 2 * k + 1}" for k in range(500)]
    rows = [f'{{"id": {k}, "r": "{r}", "p": 1}}' for k, r in enumerate(odd)]
    text = f'{{"machines": 1, "jobs": [{", ".join(rows)}]}}'
    if kind == "csv":
        text = "# machines: 1\njob,r,p\n" + "".join(f"{k},{r},1\n" for k, r in enumerate(odd))
    with pytest.raises(InvalidInput, match="no common unit"):
        read_bytes(text)


def test_options_survive_a_document() -> None:
    """Options go through their document unchanged; only what differs from the defaults is written."""
    options = ReadOptions(format="swf", eligible_by="queue", machines_per=3, bytes_per_second="1/3")
    assert ReadOptions.from_document(options.to_document()) == options
    assert ReadOptions().to_document() == {}


@pytest.mark.parametrize(
    "document",
    [{"format": "xml"}, {"machines": 0}, {"machines": True}, {"speed": 1}, {"bytes_per_second": "0"},
     {"bytes_per_second": 1.5}, {"machines_per": 2}],
)  # fmt: skip
def test_bad_options_are_refused(document: dict[str, object]) -> None:
    """Unknown options and values out of range are refused by name."""
    with pytest.raises(InvalidInput, match=next(iter(document))):
        ReadOptions.from_document(document)
