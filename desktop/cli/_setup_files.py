"""The files that a setup is made of."""

from __future__ import annotations

from pathlib import Path

from desktop.base.output_names import NamedFile
from desktop.cli._engine import model_files
from desktop.cli._layers import layer_files
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.setup.setup import Setup


def setup_files(setup: Setup, library: FilterLibrary) -> list[NamedFile]:
    """Return the files that a setup reads: those of its filters, masks, layers and networks."""
    inputs = layer_files(setup)
    chains = (setup.chain, *(layer.chain for layer in setup.layers.specs))
    for stage in (stage for chain in chains for stage in chain.stages):
        item = library.get(stage.filter)
        inputs.append(NamedFile(f"filter '{stage.filter}'", Path(item.path)))
        for param in item.files:
            if value := str(stage.values.get(param.name, "")):
                inputs += model_files(Path(value), f"{param.name} of '{stage.filter}'")
        for part in stage.mask.parts if stage.mask is not None else ():
            for param in library.mask(part.kind).files:
                if value := str(part.values.get(param.name, "")):
                    inputs += model_files(Path(value), f"{param.name} of the mask of '{stage.filter}'")
    if setup.network is not None:
        inputs += model_files(Path(setup.network.model), "network")
        if setup.network.second is not None:
            inputs += model_files(Path(setup.network.second.model), "second network")
    return inputs
