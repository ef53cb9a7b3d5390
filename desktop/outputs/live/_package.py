"""Optional packages of outputs: installed by users, imported when their output is switched on."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from desktop.base.errors import ExportError
from desktop.base.printable import printable
from desktop.base.version import extra_command
from desktop.base.wording import sentence


@dataclass(frozen=True)
class Package:
    """An optional package.

    Attributes:
        extra: Lightloom's extra that installs it.
        title: the name of the output for users.
        find: looks up a module by name without importing it; None if missing.
    """

    module: str
    extra: str
    title: str
    find: Callable[[str], object] = importlib.util.find_spec
    load: Callable[[str], Any] = importlib.import_module

    @property
    def is_there(self) -> bool:
        """True where it is installed."""
        return self.find(self.module) is not None

    @property
    def lack(self) -> str:
        """A sentence on what has to be installed, '' where it is."""
        if self.is_there:
            return ""
        return sentence(
            "{title} needs a package that no installer of Lightloom carries: {command}",
            title=self.title,
            command=self.command,
        )

    @property
    def command(self) -> str:
        """Command that installs it."""
        return extra_command(self.extra)

    def get(self, module: str = "") -> Any:
        """Import the package, or another module of it; ExportError if it is missing or cannot be imported."""
        if lack := self.lack:
            raise ExportError(lack)
        try:
            return self.load(module or self.module)
        except Exception as error:
            raise ExportError(
                sentence(
                    "The package {name} cannot be loaded: {reason}; install it anew: {command}",
                    name=self.module,
                    reason=printable(str(error)),
                    command=self.command,
                )
            ) from error
