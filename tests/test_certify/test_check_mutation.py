"""Every number, type and member of every accepted certificate changed: noticed, or harmless for a stated reason."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from direct_evaluation import Document, true

from certify import check

ACCEPT = Path(__file__).parents[1] / "corpus" / "accept"


def accepted_documents() -> dict[str, Document]:
    documents = {path.name: json.loads(path.read_bytes()) for path in sorted(ACCEPT.glob("*.json"))}
    return {name: document for name, document in documents.items() if "file" not in document["instance"]}


def numbers(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Every number of a document (integers, and texts that are numbers) with its path."""
    if isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from numbers(inner, (*path, key))
    elif type(value) is int or (isinstance(value, str) and value.replace("/", "").isdigit()):
        yield path, value


def with_number(document: Document, path: tuple[Any, ...], value: Any) -> Document:
    out = copy.deepcopy(document)
    inner = out
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    return out


WEAKER_IF_LARGER = {
    ("budget", "epsilon"),
    ("ratio", "value"),
    ("game", "opt"),
    ("drift", "value"),
    ("competitive", "value"),
}


def reason(document: Document, path: tuple[Any, ...], old: Fraction, new: Fraction) -> str:
    """Why a certificate with one number changed may still be accepted; empty if it may not."""
    if path[0] == "goal":
        claim, key = document["goal"][path[1]]["claim"], path[2]
        if (claim, key) in WEAKER_IF_LARGER:
            return "a weaker claim" if new > old else ""
        if (claim, key) == ("game", "cost"):
            return "a weaker claim" if new < old else ""
        if key in ("evidence", "phase"):
            return "another evidence that shows it too, or another guess that it refutes"
        weaker = (claim == "lower-bound" and new < old) or (claim == "upper-bound" and new > old)
        return "a weaker claim" if key == "value" and weaker else ""
    if path[0] == "power":
        return "another power for which it shows enough too"
    if path[0] == "evidence":
        return "another family, set of jobs, case distinction, schedule or phase that shows it too"
    if path[:2] == ("run", "phases") and path[-1] == "choice":
        return "what a phase that was given up would have done, which nothing rests on"
    if path[:2] == ("run", "phases") and path[-1] == "guess":
        return "a guess that no goal is about, or a smaller one"
    return "another run with the same properties" if path[0] == "run" and path[1] != "phases" else ""


@pytest.mark.parametrize("name", accepted_documents())
def test_nudged_number_is_noticed_or_harmless(name: str) -> None:
    """A number changed by one, or in sign, is accepted only for a stated reason, and only if all goals stay true."""
    document = accepted_documents()[name]
    assert true(document)
    for path, value in numbers(document):
        if path[0] in ("sha256", "source"):
            continue
        old = Fraction(value)
        for new in dict.fromkeys((old - 1, old + 1, -old, old * 2, 2**70 * old + 1)):
            changed = with_number(document, path, str(new) if isinstance(value, str) else int(new))
            if new == old or check.check_document(changed).verdict != "accepted":
                continue
            assert reason(document, path, old, new), f"{path}: {old} -> {new} went unnoticed"
            assert true(changed), f"{path}: {old} -> {new} is accepted but false"


@pytest.mark.parametrize("name", accepted_documents())
def test_number_of_another_type_is_malformed(name: str) -> None:
    """A float, boolean, null, list or object in place of any number is malformed, at exactly that place."""
    document = accepted_documents()[name]
    for path, value in numbers(document):
        if path[0] in ("sha256", "source") or "ids" in path or "parameters" in path:
            continue
        place = "$" + "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in path)
        for other in (float(Fraction(value)) if abs(Fraction(value)) < 10**9 else 0.5, True, None, [], {}, "x", b"1"):
            verdict = check.check_document(with_number(document, path, other))
            assert (verdict.verdict, verdict.failed[0].place) == ("malformed", place), other


@pytest.mark.parametrize("name", accepted_documents())
def test_missing_member_is_never_accepted_in_silence(name: str) -> None:
    """A certificate without one of its members is accepted only if that member is optional, and then true."""
    document = accepted_documents()[name]
    optional = {"source", "parameters", "phases", "late", "multiplicity", "alpha", "beta", "guess", "evidence", "file"}
    optional |= {"format", "options", "invalid", "machines", "names", "epsilon", "origin", "choice", "round", "parts"}
    optional |= {"class"}

    def members(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield (*path, key)
            if isinstance(inner, dict | list):
                yield from members(inner, (*path, key))

    for path in members(document):
        changed = copy.deepcopy(document)
        inner = changed
        for key in path[:-1]:
            inner = inner[key]
        del inner[path[-1]]
        if check.check_document(changed).verdict == "accepted":
            fewer = path[0] == "evidence" and path[-2] in ("job", "machine", "weights", "phases")
            known = path[-1] in optional or fewer or path[0] in ("goal", "source")
            assert known or path[1:2] == ("phases",), path
            assert true(changed), path
