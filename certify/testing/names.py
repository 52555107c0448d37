"""The same jobs under other ids."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from online.instance import Instance


def renamed(instance: Instance) -> Iterator[Instance]:
    """With the same ids the other way round, and with ids of another kind.

    >>> from online.rows import Row
    >>> [one.ids for one in renamed(Instance.from_rows(1, [Row(1, 0, 1), Row(2, 0, 1)]))]
    [(2, 1), ('job 1', 'job 2')]
    """
    yield replace(instance, ids=tuple(reversed(instance.ids)))
    yield replace(instance, ids=tuple(f"job {one}" for one in instance.ids))


def listed_ids(instance: Instance) -> str:
    """The ids, in order of arrival."""
    return ", ".join(map(repr, instance.ids))
