"""What a snapshot was made with: a command and its options, each explicit, as exact text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import click

from certify.commands.bound import bound_command
from certify.commands.energy.options import ENERGY, Shared
from certify.commands.run import run_command
from online import exact
from online.errors import InvalidInput, Problem
from online.speed.power_text import TABLE

COMMANDS: dict[str, Shared] = {"run": run_command, "bound": bound_command}
"""The commands whose results are recorded."""

WITHOUT = ("out", "as_json", "witness", "time_limit", "duals")
"""Their parameters that a snapshot does without: places, and what ends the work at another point on another machine."""


def recordable(command: click.Command) -> list[click.Option]:
    """The options of a command that a snapshot may hold."""
    return [one for one in command.params if isinstance(one, click.Option) and one.name not in WITHOUT]


def key(option: click.Option) -> str:
    """The name of an option on the command line, without its dashes."""
    return max(option.opts, key=len).removeprefix("--")


@dataclass(frozen=True)
class Settings:
    """A command, `run` or `bound`, and its options by name: text, or True for a flag.

    >>> Settings("run", {"epsilon": "1/4", "strict": True}).arguments()
    ['--epsilon=1/4', '--strict']
    """

    command: str
    options: Mapping[str, str | bool]

    @classmethod
    def of(cls, command: str, problem: str, values: Mapping[str, Any]) -> Settings:
        """The settings that parsed options say, defaults included; what is not given is left out.

        Raises: `InvalidInput` for options that a snapshot cannot hold, or that the command refuses.
        """
        options: dict[str, str | bool] = {"problem": problem}
        settings = cls(command, options)
        for option in recordable(settings._template):
            value = values.get(str(option.name))
            if value is not None and value is not False and key(option) != "problem":
                options[key(option)] = True if value is True else _text(value)
        settings.parsed("FILE", "options")
        return settings

    @property
    def problem(self) -> str:
        """The objective."""
        return str(self.options["problem"])

    @property
    def imports(self) -> str | None:
        """The class of somebody's own that these settings import, as `package.module:Class`, or None."""
        name = str(self.options.get("algorithm", ""))
        return name if ":" in name else None

    @property
    def words(self) -> str:
        """The options that are not as by default, in one line: the name of a record that got none."""
        usual = {key(one): one.default for one in recordable(self._template) if one.name != "problem"}
        given = {name: value for name, value in self.options.items() if str(usual.get(name)) != value}
        return " ".join([self.command, *Settings(self.command, given).arguments()]).replace("=", " ")

    @property
    def _template(self) -> click.Command:
        shared = COMMANDS[self.command]
        return shared.energy if self.problem == ENERGY else shared

    def arguments(self) -> list[str]:
        """The options as words of a command line."""
        return [f"--{name}" if value is True else f"--{name}={value}" for name, value in self.options.items()]

    def parsed(self, file: str, place: str) -> dict[str, Any]:
        """The parameters of the command for `file`, but for those that a snapshot does without.

        Raises: `InvalidInput` at `place` for an option that there is not, or a value that it does not take.
        """
        self._check_names(place)
        try:
            context = COMMANDS[self.command].make_context(self.command, [*self.arguments(), "--", file])
        except click.ClickException as refused:
            raise _unusable(place, refused.format_message()) from None
        return {name: value for name, value in context.params.items() if name not in WITHOUT}

    def _check_names(self, place: str) -> None:
        known = list(dict.fromkeys(["problem", *map(key, recordable(self._template))]))
        for name in self.options:
            if name not in known:
                raise _unusable(place, f"--{name}, expected one of {', '.join(known)}")
        if str(self.options.get("power", "")).startswith(TABLE):
            raise _unusable(place, "a power function in a table, which is no part of a snapshot")


def _text(value: object) -> str:
    return exact.text(value) if isinstance(value, Fraction) else str(value)


def _unusable(place: str, got: str) -> InvalidInput:
    fix = "give other options, or record the snapshot anew"
    return InvalidInput(Problem(place, "unusable options", got, "options of dualfit run or bound", fix))
