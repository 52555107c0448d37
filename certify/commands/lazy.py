"""A group whose commands are imported when they are asked for, so that each starts with what it needs alone."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

import click


class LazyGroup(click.Group):
    """Commands by name: `lazy` says the module of each, which holds it as `NAME_command`."""

    def __init__(self, *arguments: Any, lazy: Mapping[str, str], **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self.lazy = lazy

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All names, sorted."""
        return sorted({*self.commands, *self.lazy})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of this name, imported now; None if there is none."""
        if cmd_name not in self.lazy:
            return super().get_command(ctx, cmd_name)
        found = getattr(import_module(self.lazy[cmd_name]), f"{cmd_name}_command")
        assert isinstance(found, click.Command)
        return found
