"""`dualfit check`: hand a certificate to the trusted checker."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from certify import check
from certify.commands.common import JSON, present
from certify.commands.places import one_standard_input
from certify.show import check_tables
from online import exact
from online.errors import FalseClaim, InvalidInput, Problem
from online.instance import Instance
from online.readers import ReadOptions, read


@click.command("check")
@click.argument("certificate", type=click.Path(path_type=str))
@click.option(
    "--instance",
    "file",
    type=click.Path(path_type=str),
    help="Bind the certificate to this file: re-read it and compare every job.",
)
@JSON
def check_command(certificate: str, file: str | None, as_json: bool) -> None:
    """Check CERTIFICATE (`-` for standard input) in exact arithmetic.

    The checker is one file, certify/check.py, which uses the standard library only and trusts nothing that the
    certificate says: `python -I -S certify/check.py FILE` does the same without dualfit.
    """
    verdict, read_as = check_certificate(certificate, file)
    present(
        json.loads(verdict.to_json()) | ({} if read_as is None else {"read_as": read_as}),
        lambda: check_tables(verdict, called(certificate), read_as),
        as_json,
    )
    click.get_current_context().exit(verdict.exit_code)


def conclude(verdict: check.Verdict, certificate: str) -> None:
    """Raises: `InvalidInput` for a malformed certificate, `FalseClaim` for a rejected one; both name its file."""
    if verdict.verdict == "malformed":
        reason, expected, fix = "malformed certificate", "a certificate as certify/FORMAT.md says", "write it anew"
        with naming(certificate):
            raise InvalidInput(
                [Problem(one.place, reason, one.message.removeprefix("got "), expected, fix) for one in verdict.failed]
            )
    if verdict.verdict != "accepted":
        reasons = [str(one) for one in verdict.failed] + [f"assumed only: {line}" for line in verdict.assumed]
        raise FalseClaim(f"the certificate is rejected: {called(certificate)}: " + "; ".join(reasons))


def called(certificate: str) -> str:
    """How messages call a certificate."""
    return "standard input" if certificate == "-" else certificate


@contextmanager
def naming(certificate: str) -> Iterator[None]:
    """Say of what is wrong inside a certificate which file that is: its place is `$...`, line:column or `certificate`.

    >>> with naming("a.cert.json"):
    ...     raise InvalidInput(Problem("$.run", "no run", "a bound", "a run", "use another"))
    Traceback (most recent call last):
    online.errors.InvalidInput: a.cert.json: $.run: no run: got a bound, expected a run; to fix: use another
    """
    try:
        yield
    except InvalidInput as bad:
        raise InvalidInput([replace(one, place=_place(one.place, certificate)) for one in bad.problems]) from bad


INSIDE = re.compile(r"\$|\d+:\d+$")
"""Places inside a file: in its JSON value, or a line and column."""


def _place(place: str, certificate: str) -> str:
    if place == "certificate":
        return called(certificate)
    return f"{called(certificate)}: {place}" if INSIDE.match(place) else place


def accepted(certificate: str, file: str | None = None) -> tuple[dict[str, Any], check.Verdict]:
    """The certificate and the verdict, once the checker accepts; with `file`, of that file. Raises: as `conclude`."""
    one_standard_input({"CERTIFICATE": certificate, "--instance": file})
    document = open_certificate(certificate)
    if isinstance(document, check.Verdict):
        conclude(document, certificate)
    own = None if file is None else reread(document, file).to_document()
    verdict = check.check_document(document, own, folder_of(certificate))
    conclude(verdict, certificate)
    assert isinstance(document, dict)
    return document, verdict


def accepted_document(certificate: str, file: str | None = None) -> dict[str, Any]:
    """The certificate, once the checker accepts it; with `file`, of that instance. Raises: as `conclude`."""
    return accepted(certificate, file)[0]


def check_certificate(certificate: str, file: str | None) -> tuple[check.Verdict, str | None]:
    """The checker's verdict; with `file`, that is read again as the certificate says, and the second says how."""
    if file is None:
        return check.check_file(certificate), None
    one_standard_input({"CERTIFICATE": certificate, "--instance": file})
    document = open_certificate(certificate)
    if isinstance(document, check.Verdict):
        return document, None
    own = reread(document, file).to_document()
    return check.check_document(document, own, folder_of(certificate)), read_as_said(document)


def folder_of(certificate: str) -> str | None:
    """Where a certificate lies, and with it the file that it may name for its instance; None for standard input."""
    return None if certificate == "-" else str(Path(certificate).parent)


def open_certificate(path: str) -> object:
    """The parsed certificate, or the verdict `malformed` if it is no JSON."""
    try:
        return check.read_json(sys.stdin.buffer.read() if path == "-" else _bytes(path))
    except check.Malformed as bad:
        return check.Verdict("malformed", failed=[bad.failure])


def reread(document: object, file: str) -> Instance:
    """The user's own file, read as the certificate's `source` says."""
    source: Any = document.get("source", {}) if isinstance(document, dict) else {}
    options = source.get("options", {}) if isinstance(source, dict) else {}
    instance = read(file, ReadOptions.from_document(options)).instance
    unit = source.get("unit_size") if isinstance(source, dict) else None
    return instance if unit is None else instance.with_unit_size(exact.rational(unit))


def read_as_said(document: object) -> str | None:
    """How the certificate says that the user's file was read, where that is not the format's own way."""
    source: Any = document.get("source") if isinstance(document, dict) else None
    options = source.get("options") if isinstance(source, dict) else None
    if not isinstance(options, dict):
        return None
    chosen = [f"{name.replace('_', '-')} {value}" for name, value in options.items()]
    unit = source.get("unit_size")
    chosen += [] if unit is None else [f"every size {unit}"]
    return f"as the certificate says: {', '.join(chosen)}" if chosen else None


def _bytes(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError as failed:
        raise InvalidInput(
            Problem(path, "cannot be read", failed.strerror or str(failed), "a readable file", "check the name")
        ) from failed
