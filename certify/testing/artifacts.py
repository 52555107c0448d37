"""What a failing test leaves behind: the instance and the certificate, to run and to check again."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path

from certify.build import to_text
from certify.evidence import Document
from online.errors import InvalidInput, Problem
from online.instance import Instance
from online.readers.writer import write_json

SHOWN_JOBS = 12
"""Instances of up to so many jobs are printed whole."""


def brief(instance: Instance) -> str:
    """A small instance as dualfit's own JSON on one line, of a large one its size and hash.

    >>> from online.rows import Row
    >>> brief(Instance.from_rows(1, [Row("a", 0, 2)]))
    '{"machines": 1, "jobs": [{"id": "a", "r": 0, "p": 2}]}'
    >>> print(brief(Instance.from_rows(1, [Row("\\u00fc\\u202e", 0, 2)])))
    {"machines": 1, "jobs": [{"id": "ü\\u202e", "r": 0, "p": 2}]}
    """
    if instance.n > SHOWN_JOBS:
        return f"{instance.n} jobs on {instance.machines} machines, SHA-256 {instance.sha256}"
    text = json.dumps(json.loads(write_json(instance)), ensure_ascii=False)
    return "".join(one if one.isprintable() else json.dumps(one)[1:-1] for one in text)


def keep(folder: str, test: str, instance: Instance, certificate: Document | None) -> list[str]:
    """Write them into the folder under the name of the test; the paths.

    Claim: tests with different names never share a file; of several failures of one test the last one stays.

    Raises: `InvalidInput` if the folder cannot be written to.
    """
    digest = hashlib.sha256(test.encode()).hexdigest()[:8]
    stem = re.sub(r"[^A-Za-z0-9]+", "-", test).strip("-")[-80:]
    texts = {"instance": write_json(instance)} | ({"cert": to_text(certificate)} if certificate else {})
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
        paths = [Path(folder) / f"{stem}-{digest}.{kind}.json" for kind in texts]
        for path, text in zip(paths, texts.values(), strict=True):
            path.write_text(text, encoding="utf-8")
    except OSError as failed:
        expected, fix = "a folder that can be written to", "choose another one"
        got = f"{folder} ({failed.strerror or failed})"
        raise InvalidInput(Problem("--dualfit-artifacts", "cannot be written", got, expected, fix)) from failed
    return [str(path) for path in paths]
