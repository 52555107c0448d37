"""The jobs of FILE as flow time plus energy sees them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from certify.commands.common import Input, load
from online.instance import Instance

UNUSED = "weights play no part in flow time plus energy; every job counts alike"


def load_jobs(file: str, size: str | None, strict: bool, chosen: dict[str, Any]) -> Input:
    """Read FILE as the options say; a note says so if its weights are not used.

    Raises: `InvalidInput` for anything wrong with the file or the options.
    """
    source = load(file, size, strict, chosen)
    if not _weighted(source.instance):
        return source
    return replace(source, reading=replace(source.reading, notes=(*source.reading.notes, UNUSED)))


def _weighted(instance: Instance) -> bool:
    columns = (instance.flow_weight, instance.rejection_weight)
    return any(weight * instance.weight_unit != 1 for column in columns for weight in set(column.tolist()))
