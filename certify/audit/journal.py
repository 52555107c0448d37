"""What has been found so far, on disk, so that an audit that was ended can go on."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from certify.audit.plan import Plan
from certify.audit.tally import Tally
from online.errors import InvalidInput, Problem

FORMAT = "dualfit-audit-journal"


class Journal:
    """A file of one JSON value a line: the plan first, then finished tasks with what they found.

    Claim: a line is on disk before its tasks count as finished. A last line that was torn is taken off, and its tasks
    are done again.
    """

    def __init__(self, path: Path, plan: Plan) -> None:
        self.path, self.plan = path, plan
        self.finished: set[str] = set()
        self.tally = Tally()

    @classmethod
    def begin(cls, path: Path, plan: Plan) -> Journal:
        """A new journal. Raises: `InvalidInput` if there is one already, or it cannot be written."""
        if path.exists():
            fix = "give --resume to go on with it, or delete it"
            raise InvalidInput(Problem(str(path), "an unfinished audit", "a journal", "none", fix))
        journal = cls(path, plan)
        journal._write({"format": FORMAT, **plan.to_document()})
        return journal

    @classmethod
    def resume(cls, path: Path, plan: Plan) -> Journal:
        """The journal of an unfinished audit.

        Raises: `InvalidInput` if there is none, for a journal of another plan or of another version of the code, or one
        that was changed.
        """
        if not path.exists():
            expected, fix = "the journal of an audit that was ended", "omit --resume to begin, or correct --out"
            raise InvalidInput(Problem(str(path), "nothing to resume", "no journal", expected, fix))
        data = path.read_bytes()
        whole = data[: data.rfind(b"\n") + 1]
        journal = cls(path, plan)
        journal._replay(whole.decode("utf-8", errors="replace").splitlines())
        if len(whole) < len(data):
            with path.open("r+b") as file:
                file.truncate(len(whole))
        return journal

    def record(self, names: Sequence[str], found: Tally) -> None:
        """The tasks are finished, and this is what they found."""
        self._write({"tasks": list(names), "found": found.to_document()})
        self._count(names, found)

    def close(self) -> None:
        """The audit is finished: the journal is of no more use."""
        self.path.unlink()

    def _count(self, names: Sequence[str], found: Tally) -> None:
        self.finished.update(names)
        self.tally.add(found)

    def _replay(self, lines: list[str]) -> None:
        if not lines:
            self._write({"format": FORMAT, **self.plan.to_document()})
            return
        head, *rest = [self._parsed(number, line) for number, line in enumerate(lines, 1)]
        self._check_head(head)
        for number, one in enumerate(rest, 2):
            try:
                self._count(one["tasks"], Tally.from_document(one["found"]))
            except (KeyError, TypeError, ValueError, AttributeError):
                raise self._refused(f"line {number} is none of ours") from None

    def _parsed(self, number: int, line: str) -> Any:
        try:
            return json.loads(line)
        except ValueError:
            raise self._refused(f"line {number} is no JSON") from None

    def _check_head(self, head: Any) -> None:
        wanted = {"format": FORMAT, **self.plan.to_document()}
        if head == wanted:
            return
        known = isinstance(head, dict) and head.get("format") == FORMAT
        other = [name for name in wanted if not isinstance(head, dict) or head.get(name) != wanted[name]]
        raise self._refused(f"a journal with other {', '.join(other)}" if known else "another file")

    def _refused(self, got: str) -> InvalidInput:
        fix = "resume with the same options and the same version of dualfit, or delete the journal"
        return InvalidInput(Problem(str(self.path), "not the journal of this audit", got, "its journal", fix))

    def _write(self, document: dict[str, Any]) -> None:
        try:
            with self.path.open("ab") as file:
                file.write(json.dumps(document, separators=(",", ":")).encode() + b"\n")
                file.flush()
                os.fsync(file.fileno())
        except OSError as failed:
            why = failed.strerror or str(failed)
            raise InvalidInput(
                Problem(str(self.path), "cannot be written", why, "a writable file", "choose another --out")
            ) from failed
