"""What suites for algorithms and for policies share: who is tried, with which options, and whether that is meant."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cached_property
from typing import ClassVar

from certify.testing.laws import Fault, fault_of
from certify.testing.settings import called
from online.errors import InvalidInput
from online.exact import Number
from online.validate import rational


class Subject:
    """Somebody's class, which stands in the attribute `role`, and the options that it is tried with."""

    role: ClassVar[str]
    options: ClassVar[Mapping[str, Number]] = {}

    def heading(self) -> str:
        """Who is tried, and how."""
        if self.misdeclared:
            return called(getattr(self, self.role, type(self)))
        return self._title() + "".join(f", {key} {value}" for key, value in sorted(self._known.items()))

    def _title(self) -> str:
        raise NotImplementedError

    @cached_property
    def misdeclared(self) -> Fault | None:
        """What is wrong with the settings, whoever made the class."""
        try:
            self._check_settings()
        except InvalidInput as refused:
            return fault_of(refused)
        return None

    def _check_settings(self) -> None:
        """Raises: `InvalidInput` naming the attribute."""
        raise NotImplementedError

    @property
    def _known(self) -> dict[str, Fraction]:
        return {key: rational(value, f"option {key}") for key, value in self.options.items()}
