"""What Hypothesis loads when it is imported: `st.from_type(Instance)` draws instances.

Nothing of size is imported: an instance is registered once somebody imports `online.instance`. A module of that name
that is somebody else's is left alone.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

MODULE = "online.instance"

HOME = Path(__file__).resolve().parents[2]
"""Where dualfit's packages lie side by side."""


def setup() -> None:
    """Register now if the module is there, else as soon as it is."""
    if MODULE in sys.modules:
        _register(sys.modules[MODULE])
    elif not any(type(one).__name__ == _Expecting.__name__ for one in sys.meta_path):
        sys.meta_path.insert(0, _Expecting())


def _ours(file: str | None) -> bool:
    """Whether the module lies beside this package, so that it is dualfit's."""
    return file is not None and Path(file).resolve() == HOME / "online" / "instance.py"


def _register(module: ModuleType) -> None:
    from hypothesis import strategies as st

    kind = getattr(module, "Instance", None)
    if _ours(getattr(module, "__file__", None)) and isinstance(kind, type):
        st.register_type_strategy(kind, _drawn)


def _drawn(kind: type) -> Any:
    from certify.testing.strategies import instances

    return instances()


class _Expecting(MetaPathFinder):
    """Steps aside at once; others find the module."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != MODULE:
            return None
        with suppress(ValueError):
            sys.meta_path.remove(self)
        spec = find_spec(fullname)
        if spec is not None and spec.loader is not None and _ours(spec.origin):
            spec.loader = _AndThen(spec.loader)
        return spec


class _AndThen(Loader):
    """Loads the module as its own loader does, then registers."""

    def __init__(self, loader: Loader) -> None:
        self._loader = loader

    def __getattr__(self, name: str) -> Any:
        return getattr(self._loader, name)

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self._loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        if module.__spec__ is not None:
            module.__spec__.loader = module.__loader__ = self._loader
        self._loader.exec_module(module)
        _register(module)
