"""The setup that a user chose (chain, network, scene), as one immutable value."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from desktop.pipeline.chain.spec import ChainSpec, StageSpec
from desktop.pipeline.filters.param import Values
from desktop.pipeline.layers.spec import Layers
from desktop.pipeline.running.interpolation.spec import InterpolationSpec
from desktop.pipeline.running.network_spec import NetworkSpec
from desktop.vision.tracking.anonymize import AnonymizeSpec
from desktop.vision.tracking.scene import SceneSpec


@dataclass(frozen=True)
class Setup:
    """Everything that affects the frame: the chain, the analysis network, `scene` (processing of its results
    over time), redaction of its detections before the chain, frame interpolation, and layers over and under the
    chain's result. Immutable, for undo.

    `network_enabled` is False for a network that is kept but switched off; `analysis` is the one that runs.
    """

    chain: ChainSpec = field(default_factory=ChainSpec)
    network: NetworkSpec | None = None
    scene: SceneSpec = field(default_factory=SceneSpec)
    anonymize: AnonymizeSpec | None = None
    interpolation: InterpolationSpec | None = None
    network_enabled: bool = True
    layers: Layers = field(default_factory=Layers)

    @property
    def analysis(self) -> NetworkSpec | None:
        """The analysis network that runs; None without one, or while it is switched off."""
        return self.network if self.network_enabled else None


def named_models(setup: Setup) -> tuple[str, ...]:
    """Return all networks of a setup, its stages' included, as texts: paths, names, addresses."""
    network = setup.network
    specs: list[NetworkSpec | InterpolationSpec] = [
        s for s in (network, network and network.second, setup.interpolation) if s is not None
    ]
    chains = (setup.chain, *(layer.chain for layer in setup.layers.specs))
    stages = (stage for chain in chains for stage in chain.stages)
    values = (value for stage in stages for each in _values_of(stage) for value in each.values())
    return (*(spec.model for spec in specs), *(value for value in values if isinstance(value, str)))


def _values_of(stage: StageSpec) -> tuple[Values, ...]:
    """Return the values of a stage, and those of each part of its mask."""
    return (stage.values, *(part.values for part in (stage.mask.parts if stage.mask is not None else ())))


def without_actions(setup: Setup) -> Setup:
    """Return a setup without what its events' actions say, for a report: an address may hold a key."""
    scene = setup.scene
    events = tuple(
        replace(event, actions=tuple(replace(action, values={}) for action in event.actions))
        for event in scene.events
    )
    return replace(setup, scene=replace(scene, events=events))
