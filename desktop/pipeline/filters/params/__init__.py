"""Every type of parameter, one file each: a file here that defines TYPE is found by itself."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from typing import Final

from desktop.pipeline.filters.param import NumberParam, Param


def _types() -> Iterator[type[Param]]:
    for module in pkgutil.iter_modules(__path__, f"{__name__}."):
        yield importlib.import_module(module.name).TYPE


# As a message lists them: numbers first, which most parameters are.
PARAM_TYPES: Final[dict[str, type[Param]]] = {
    kind.type: kind
    for kind in sorted(_types(), key=lambda kind: (not issubclass(kind, NumberParam), kind.type))
}
"""By what a header calls them."""
