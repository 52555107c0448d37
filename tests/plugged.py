"""How a pytest inside a test gets the plugin: by its entry point, or by hand where dualfit was installed before it."""

from __future__ import annotations

from importlib.metadata import entry_points
from types import ModuleType

from certify.testing import plugin

PLUGINS: tuple[ModuleType, ...] = (
    () if any(one.value == plugin.__name__ for one in entry_points(group="pytest11")) else (plugin,)
)
