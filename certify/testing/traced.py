"""The line of somebody's own code at which it failed."""

from __future__ import annotations

from pathlib import Path
from traceback import extract_tb

OURS = tuple(str(Path(__file__).resolve().parents[2] / name) for name in ("online", "lp", "certify"))
"""Where dualfit's own code lies."""


def own_line(failed: BaseException) -> str | None:
    """File, line, function and text of the last frame in the first file that is not dualfit's; None without a frame."""
    frames = extract_tb(failed.__traceback__)
    theirs = [frame for frame in frames if not str(Path(frame.filename).resolve()).startswith(OURS)]
    if not frames:
        return None
    file = theirs[0].filename if theirs else frames[-1].filename
    last = [frame for frame in frames if frame.filename == file][-1]
    return f"{last.filename}:{last.lineno}, in {last.name}: {last.line}"
