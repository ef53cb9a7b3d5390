"""Every type of parameter, one file each: a file here that defines TYPE is found by itself."""

from __future__ import annotations

from typing import Final

from desktop.base.discovery import modules_of
from desktop.pipeline.filters.param import NumberParam, Param

# As a message lists them: numbers first, which most parameters are.
PARAM_TYPES: Final[dict[str, type[Param]]] = {
    kind.type: kind
    for kind in sorted(
        (module.TYPE for module in modules_of(__name__)),
        key=lambda kind: (not issubclass(kind, NumberParam), kind.type),
    )
}
"""By what a header calls them."""
