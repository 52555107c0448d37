"""What an audit is asked to do, and the version of the code that does it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any

from certify.audit.case import Task
from certify.audit.corpus import CORPORA, claims_of, tasks
from online.errors import InvalidInput, Problem

CHUNK = 16
"""Tasks that a worker is given at once, unless they are long."""


@dataclass(frozen=True)
class Plan:
    """An audit: which claims (patterns of ids, or of problem/id), on how many instances, from which seed.

    Claim: the tasks, and what each of them finds, are functions of the plan and of the code.
    """

    claims: tuple[str, ...]
    instances: int
    seed: int

    def wanted(self, problem: str) -> frozenset[str]:
        """Ids of the claims of a problem that are asked for."""
        ids = (claim.id for claim in claims_of(problem))
        return frozenset(id for id in ids for name in (id, f"{problem}/{id}") if self._asks_for(name))

    def _asks_for(self, name: str) -> bool:
        return any(fnmatchcase(name, pattern) for pattern in self.claims)

    @property
    def problems(self) -> list[str]:
        """The problems with such claims, in their order.

        Raises: `InvalidInput` if there is none.
        """
        found = [problem for problem in CORPORA if self.wanted(problem)]
        if not found:
            got = ", ".join(one or repr(one) for one in self.claims)
            raise InvalidInput(
                Problem("--claims", "no such claim", got, "an id such as 6.10, or a pattern", "see --help")
            )
        return found

    def tasks(self) -> list[Task]:
        """All tasks in order."""
        return tasks(self.problems, self.instances)

    def to_document(self) -> dict[str, Any]:
        """The plan, and the version of the code, as one JSON object."""
        return {
            "claims": list(self.claims),
            "instances": self.instances,
            "seed": self.seed,
            "problems": self.problems,
            "code": fingerprint(),
        }


def chunks(todo: Sequence[Task]) -> list[tuple[str, ...]]:
    """Names of the tasks: long ones first and alone, the others `CHUNK` at a time."""
    long = {(problem, one.name) for problem, of in CORPORA.items() for one in of.families if one.long}
    alone = [(str(task),) for task in todo if (task.problem, task.family) in long]
    others = [str(task) for task in todo if (task.problem, task.family) not in long]
    return alone + [tuple(others[k : k + CHUNK]) for k in range(0, len(others), CHUNK)]


@cache
def fingerprint() -> str:
    """SHA-256 over all source and data files of the three packages."""
    digest = hashlib.sha256()
    for package in ("online", "lp", "certify"):
        for path, file in _files(package, resources.files(package)):
            digest.update(f"{path}\0".encode() + hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()


def _files(path: str, folder: Traversable) -> Iterator[tuple[str, Traversable]]:
    for one in sorted(folder.iterdir(), key=lambda one: one.name):
        name = f"{path}/{one.name}"
        if one.is_dir() and one.name != "__pycache__":
            yield from _files(name, one)
        elif one.name.endswith((".py", ".csv", ".json")):
            yield name, one
