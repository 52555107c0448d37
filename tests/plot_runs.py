"""Runs of every problem, certified once, and what `dualfit plot` makes of them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from certify.reopen import reopen_run

if TYPE_CHECKING:
    from matplotlib.collections import PolyCollection

Run = Callable[..., tuple[int, str, str]]

KINDS = {
    "max-flow": ["--size", "one", "--epsilon", "1/3"],
    "load": ["--problem", "load", "--epsilon", "1/2", "--guess", "1", "--algorithm", "load", "--alpha", "3"],
    "weighted": ["--problem", "weighted", "--epsilon", "1/4", "--alpha", "1"],
    "two-weights": ["--problem", "two-weights", "--epsilon", "1/2", "--alpha", "1"],
    "stretch": ["--problem", "stretch", "--epsilon", "1/2", "--alpha", "1"],
    "energy": ["--problem", "energy", "--alpha", "2"],
}
"""A run of every problem, with some rejections where there can be any."""

JOBS = [{"id": k, "r": k // 4, "p": 1 + k % 4, "w": 1 + k % 3, "eligible": [1] if k % 2 else [1, 2]} for k in range(24)]


def instance_text(problem: str, jobs: list[dict[str, Any]], **more: Any) -> str:
    """Jobs on two machines as a file; servers with speeds may all run every job."""
    if problem == "energy":
        jobs = [{key: value for key, value in job.items() if key != "eligible"} for job in jobs]
    return json.dumps({"machines": 2, "jobs": jobs, **more})


MADE: dict[tuple[Any, ...], str] = {}


def certify(dualfit: Run, problem: str, jobs: list[dict[str, Any]] = JOBS, *more: str, name: str = "jobs") -> str:
    """Certify a run; the same one is not made twice."""
    file, certificate, text = f"{name}.json", f"{name}.cert.json", instance_text(problem, jobs)
    Path(file).write_text(text)
    key = (problem, text, more, name)
    if key not in MADE:
        code, _, err = dualfit("run", file, *KINDS[problem], *more, "--out", certificate)
        assert code == 0 or "the certificate claims no budget" in err, err
        MADE[key] = Path(certificate).read_text()
    Path(certificate).write_text(MADE[key])
    return certificate


def plot(dualfit: Run, *arguments: str) -> dict[str, Any]:
    """What `dualfit plot` says it drew, once it did."""
    code, out, err = dualfit("plot", *arguments, "--json")
    assert (code, err) == (0, "")
    result: dict[str, Any] = json.loads(out)
    assert Path(result["out"]).stat().st_size
    return result


def run_of(certificate: str) -> Any:
    """The run in a certificate."""
    return reopen_run(json.loads(Path(certificate).read_text()))


def bars_of(axes: Any) -> Iterator[tuple[float, float, float, float]]:
    """Start, end, bottom and top of every bar."""
    from matplotlib.collections import PolyCollection

    for collection in axes.collections:
        if isinstance(collection, PolyCollection) and collection.get_label() != "load":
            yield from boxes(collection)


def boxes(collection: PolyCollection) -> Iterator[tuple[float, float, float, float]]:
    """The same of the parts of one collection."""
    for path in collection.get_paths():
        (low, bottom), (high, top) = path.vertices.min(axis=0), path.vertices.max(axis=0)
        yield low, high, bottom, top


def problem_of(answer: tuple[int, str, str], code: int = 2) -> dict[str, str]:
    """The first problem that a refused command names."""
    assert answer[0] == code, answer
    found: dict[str, str] = json.loads(answer[1])["problems"][0]
    return found
