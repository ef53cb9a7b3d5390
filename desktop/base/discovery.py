"""Find modules of a package that each define an entry of a registry: an operator, a decoder, a panel."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable, Iterator
from types import ModuleType
from typing import Any


def module_names(package: str) -> tuple[str, ...]:
    """Return the names of a package's public modules and packages, sorted; imports none of them."""
    path = importlib.import_module(package).__path__
    names = (module.name for module in pkgutil.iter_modules(path))
    return tuple(sorted(name for name in names if not name.startswith("_")))


def modules_of(package: str) -> Iterator[ModuleType]:
    """Import a package's public modules and packages in the order of their names."""
    return (importlib.import_module(f"{package}.{name}") for name in module_names(package))


def registered(package: str, attribute: str) -> Iterator[Any]:
    """Yield an attribute of those public modules of a package that define it; see `modules_of`."""
    return (getattr(module, attribute) for module in modules_of(package) if hasattr(module, attribute))


def import_all(modules: Iterable[str]) -> None:
    """Import modules by name, on any thread."""
    for name in modules:
        importlib.import_module(name)
