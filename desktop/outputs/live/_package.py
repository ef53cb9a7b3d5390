"""A package that some output needs and no installer carries: users install it, and it is imported when its output is switched on."""

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
    """One of them.

    Attributes:
        module: what is imported.
        extra: Lightloom's extra that brings it.
        title: what needs it, as users call that.
        find: tells whether there is a module of a name, without importing it: None for no.
        load: imports a module by its name.
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
        """What installs it."""
        return extra_command(self.extra)

    def get(self, module: str = "") -> Any:
        """Import it, or another module that it brings.

        Raises:
            ExportError: it is not installed, or cannot be imported, whatever it raises at that: libraries of the system may be missing.
        """
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
