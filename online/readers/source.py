"""The bytes of an input and their text: standard input, gzip, byte order marks, encodings, line ends."""

from __future__ import annotations

import sys
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from online.errors import InvalidInput, Problem

GZIP = b"\x1f\x8b"
UTF8_MARK = b"\xef\xbb\xbf"
KINDS = {
    b"\xff\xfe\x00\x00": "UTF-32 text",
    b"\x00\x00\xfe\xff": "UTF-32 text",
    b"\xff\xfe": "UTF-16 text",
    b"\xfe\xff": "UTF-16 text",
    b"BZh": "bzip2 data",
    b"\xfd7zXZ": "xz data",
    b"\x28\xb5\x2f\xfd": "zstd data",
    b"PK\x03\x04": "a zip archive",
}
"""First bytes of what is recognised and refused by name."""


@dataclass(frozen=True)
class Source:
    """An input: the name under which places are reported, and its bytes, no longer compressed."""

    name: str
    data: bytes

    @classmethod
    def open(cls, source: str | Path) -> Source:
        """Read a file, or standard input for `-`. Raises: `InvalidInput`, as `of` does, or if it cannot be read."""
        return cls.of(*_bytes(source))

    @classmethod
    def of(cls, name: str, data: bytes) -> Source:
        """Take the bytes of a file; gzip is known by its first two bytes, whatever the name.

        Raises: `InvalidInput` when there is nothing to read, the compressed data end early or are damaged,
        or the bytes are of another kind (UTF-16, xz, zip, ...).
        """
        while data.startswith(GZIP):
            data = _gunzip(data, name)
        for start, kind in KINDS.items():
            if data.startswith(start):
                _refuse(name, "unreadable data", kind, "plain or gzipped UTF-8 text", "convert the file first")
        if b"\0" in data:
            kind = "UTF-16 text" if data[1:2] == b"\0" or data[:1] == b"\0" else "binary data"
            _refuse(name, "unreadable data", kind, "plain or gzipped UTF-8 text", "convert the file first")
        if not data.removeprefix(UTF8_MARK).strip():
            _refuse(name, "empty file", "no data", "at least a header", "check that the file is complete")
        return cls(name, data)

    def suffix(self) -> str:
        """The last part of the name, in lower case, `.gz` set aside."""
        return self.name.lower().removesuffix(".gz").rpartition(".")[2]

    def text(self, *, latin: bool = False) -> str:
        r"""The text without byte order mark, lines ended by `\n`; with `latin`, Latin-1 where it is no UTF-8.

        Raises: `InvalidInput` naming the line of the first byte that is no UTF-8.
        """
        try:
            text = self.data.decode("utf-8-sig")
        except UnicodeDecodeError as bad:
            if not latin:
                line = self.data.count(b"\n", 0, bad.start) + 1
                byte = f"byte 0x{self.data[bad.start]:02x} at offset {bad.start}"
                _refuse(f"{self.name}:{line}", "not UTF-8", byte, "UTF-8 text", "save the file as UTF-8")
            text = self.data.removeprefix(UTF8_MARK).decode("latin-1")
        return text.replace("\r\n", "\n").replace("\r", "\n")

    def lines(self) -> list[str]:
        """The lines of a log, from line 1 on, in UTF-8 or Latin-1."""
        return self.text(latin=True).split("\n")


def _bytes(source: str | Path) -> tuple[str, bytes]:
    if source == "-":
        return "stdin", sys.stdin.buffer.read()
    path = Path(source)
    try:
        return path.name, path.read_bytes()
    except (OSError, ValueError) as failed:
        why = failed.strerror if isinstance(failed, OSError) and failed.strerror else str(failed)
        _refuse(str(source), "cannot be read", why, "a readable file", "check the path")


def _gunzip(data: bytes, name: str) -> bytes:
    parts: list[bytes] = []
    while data:
        member = zlib.decompressobj(wbits=31)
        try:
            parts.append(member.decompress(data))
        except zlib.error as bad:
            fix = "fetch the file again"
            _refuse(name, "damaged gzip data", f"{bad}, {_whole_rows(parts)}", "intact gzip data", fix)
        if not member.eof:
            fix = "fetch the file again; nothing was loaded"
            _refuse(name, "truncated gzip data", _whole_rows(parts), "the whole compressed file", fix)
        data = member.unused_data.lstrip(b"\0")
    return b"".join(parts)


def _whole_rows(parts: list[bytes]) -> str:
    lines = b"".join(parts).removeprefix(UTF8_MARK).split(b"\n")[:-1]
    rows = sum(1 for line in lines if line.strip() and line.lstrip()[:1] not in (b";", b"#"))
    return f"{rows} whole rows before the end"


def _refuse(place: str, reason: str, got: str, expected: str, fix: str) -> NoReturn:
    raise InvalidInput(Problem(place, reason, got, expected, fix))
