"""The chain's stages: passes, parameters and files of `FilterSource`, networks, and the mixing of results."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from desktop.media.conversion import WORKING_FORMAT
from desktop.pipeline.chain.spec import StageSpec
from desktop.pipeline.filters.description import Filter, NetworkUse, PassSpec
from desktop.pipeline.filters.param import FileParam, Param, Values
from desktop.pipeline.filters.source import FilterSource
from desktop.pipeline.setup.preset import plain_value
from desktop.web.dense import WebDense, write_dense
from desktop.web.mixing import WebStep, shapes_table
from desktop.web.pieces import Pieces, Write
from desktop.web.texts import Shaders, in_text, layout_table

_EDITORS: Final = ("number", "switch", "choice", "color", "point")
"""Types of parameters that the page can edit."""


@dataclass(frozen=True)
class WebStage:
    """A stage, ready to be written.

    Attributes:
        network: the network that its filter reads.
        mixing: the steps that mix its result in, last the composite.
        is_read: a mask of a later stage is its result.
    """

    spec: StageSpec
    filter: Filter
    values: Values
    network: WebDense | None
    mixing: tuple[WebStep, ...]
    is_read: bool = False


@dataclass
class SharedNetworks:
    """The networks of masks, which see the frame before the chain, each once; `tables` is in their order."""

    shaders: Shaders
    write: Write
    tables: list[dict[str, Any]] = field(default_factory=list)
    _numbers: dict[int, int] = field(default_factory=dict)

    def number(self, network: WebDense, use: NetworkUse) -> int:
        """Return the number of a network; write it on its first use."""
        if id(network) not in self._numbers:
            self._numbers[id(network)] = len(self.tables)
            self.tables.append(write_dense(network, use.output, self.shaders, self.write))
        return self._numbers[id(network)]


def write_stage(stage: WebStage, networks: SharedNetworks) -> dict[str, Any]:
    """Write the stage's files and weights and return its table.

    Raises FilterError if a declared file is missing or a table unreadable, SourceError if an image is.
    """
    item, shaders, write = stage.filter, networks.shaders, networks.write
    return {
        "id": item.id,
        "title": item.title,
        "help": item.help,
        "enabled": stage.spec.enabled,
        "params": list(_params(item, stage.values)),
        **_program(item, stage.values, shaders),
        "files": _files(item, stage.values, write),
        "network": _network(stage, shaders, write),
        "mixing": [_step(step, networks) for step in stage.mixing],
        "isRead": stage.is_read,
    }


def _step(step: WebStep, networks: SharedNetworks) -> dict[str, Any]:
    use, item = step.filter.network, step.filter
    network = None
    if use is not None and step.network is not None:
        network = {"shared": networks.number(step.network, use), "texture": use.texture, "seen": use.seen}
    return {
        "params": _mixing_params(item, step.values),
        **_program(item, step.values, networks.shaders),
        "files": [],
        "network": network,
        "given": item.given.texture if item.given is not None else "",
        "io": step.io,
        "drawn": None if step.drawn is None else shapes_table(step.drawn, networks.shaders),
    }


def _mixing_params(item: Filter, values: Values) -> list[dict[str, Any]]:
    """Return what the page knows of the composite: the opacity, which it edits, and the blend mode."""
    found = {param["name"]: param for param in _params(item, values)}
    if "opacity" not in found:
        return []
    return [found["opacity"], {**found["blend"], "editor": ""}]


def _program(item: Filter, values: Values, shaders: Shaders) -> dict[str, Any]:
    # Not every browser samples textures of 32-bit floats; where it does the same text runs.
    source = FilterSource(item, filters_floats=False)
    return {
        "uniform": in_text(item.pack(values)),
        "layout": layout_table(source.bindings),
        "textures": [asdict(texture) for texture in item.textures],
        "buffers": [{"name": b.name, "bytes": b.bytes, "clear": b.clear} for b in item.buffers],
        "passes": [_pass(source, step, shaders) for step in item.passes],
    }


def _pass(source: FilterSource, step: PassSpec, shaders: Shaders) -> dict[str, Any]:
    text = source.text(step)
    x, y = step.tile or step.workgroup
    return {
        "shader": shaders.add(f"filters/{source.spec.id}.wgsl", text.code, text.entry),
        "output": step.output,
        "result": layout_table(source.result_bindings(step)),
        "grid": step.grid,
        "cover": step.cover,
        "tile": (x, y),
    }


def _params(item: Filter, values: Values) -> Iterator[dict[str, Any]]:
    """Yield editable parameters: no files, and none that a network was compiled for."""
    fixed = item.network.params if item.network is not None else frozenset()
    at = 0
    for param in item.params:
        at += -at % param.alignment
        yield {
            **_editor(param, is_fixed=param.name in fixed or isinstance(param, FileParam)),
            "name": param.name,
            "label": param.label or param.name.replace("_", " ").capitalize(),
            "help": param.help,
            "at": at,
            "wgsl": param.wgsl,
            "value": plain_value(values[param.name]),
            "default": plain_value(param.default),
            "when": param.when,
        }
        at += len(param.pack(values[param.name]))


def _editor(param: Param, *, is_fixed: bool) -> dict[str, Any]:
    if is_fixed or not param.wgsl or param.editor not in _EDITORS:
        return {"editor": ""}
    if param.editor == "choice":
        return {"editor": "choice", "choices": param.choices}
    if param.editor == "number":
        bounds = {"min": param.min, "max": param.max, "step": param.step, "unit": param.unit}
        return {"editor": "number", **bounds}
    return {"editor": param.editor}


def _files(item: Filter, values: Values, write: Write) -> list[dict[str, Any]]:
    found = []
    for param in item.file_textures:
        carried = param.carried(str(values[param.name]))
        pieces = Pieces(write)
        pieces.add(carried.data)
        found.append(
            {
                "name": param.name,
                "dimension": param.dimension,
                "size": carried.size,
                "bytes": len(carried.data),
                "format": WORKING_FORMAT,
                "data": pieces.table(),
            }
        )
    return found


def _network(stage: WebStage, shaders: Shaders, write: Write) -> dict[str, Any] | None:
    use = stage.filter.network
    if use is None or stage.network is None:
        return None
    table = write_dense(stage.network, use.output, shaders, write)
    return {**table, "texture": use.texture, "seen": use.seen, "format": use.format}
