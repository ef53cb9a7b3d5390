"""Presets: TOML that names filters, files and a network."""

from __future__ import annotations

import contextlib
from dataclasses import replace
from pathlib import Path

from desktop.base.errors import PresetError
from desktop.outputs.events import event_actions
from desktop.pipeline.automation.source import Moment, automation_source, automation_sources
from desktop.pipeline.automation.spec import Automation
from desktop.pipeline.chain.automating import automated, targets_of
from desktop.pipeline.chain.spec import ChainSpec
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.masks.spec import MOST_PARTS, Attachment, MaskPart, MaskSpec
from desktop.pipeline.running.network_spec import NetworkSpec
from desktop.pipeline.setup.automation import automation_fault
from desktop.pipeline.setup.masks import mask_fault
from desktop.pipeline.setup.preset import load_preset, save_preset
from desktop.pipeline.setup.setup import Setup
from desktop.pipeline.setup.zones import load_zones
from desktop.vision.tracking.events import ActionSpec, EventSpec
from desktop.vision.tracking.scene import Scene, SceneSpec
from desktop.vision.tracking.track import TrackSpec
from desktop.vision.tracking.zones import LineSpec, ZoneSpec
from fuzz.harness import Harness
from fuzz.material import ROOT, shared, written

_LIBRARY = FilterLibrary(None)


def _read(data: bytes, folder: Path) -> None:
    path = written(folder / "p.toml", data)
    for name in ("z.json", "p.toml"):
        with contextlib.suppress(PresetError):
            load_zones(written(folder / name, data))
    loaded = load_preset(path, _LIBRARY).setup
    found = loaded.scene
    assert not any(event.actions and event.enabled for event in found.events), "nobody has consented"
    Scene(found)
    for mask in (stage.mask for stage in loaded.chain.stages if stage.mask is not None):
        assert len(mask.parts) <= MOST_PARTS
        for part in mask.parts:
            _LIBRARY.mask(part.kind).check(part.values)
    for stage in loaded.chain.stages:
        for name, automation in stage.automation.items():
            automation_source(automation.source).check(automation.values)
            assert name in targets_of(stage, _LIBRARY)
            automated(stage, Moment(1.0), _LIBRARY)
    mask_fault(loaded, _LIBRARY)
    automation_fault(loaded, _LIBRARY)


def _masked() -> ChainSpec:
    """A chain whose stages have masks of all kinds."""
    chain = ChainSpec()
    kinds = list(_LIBRARY.masks.values())
    for number in range(3):
        chain = chain.added("sepia", {})
        parts = tuple(MaskPart(kind.id, kind.defaults) for kind in kinds[5 * number : 5 * number + 5])
        first = replace(parts[0], join="subtract", attachment=Attachment(3, (0.1, 0.2, 0.3, 0.4)))
        mask = MaskSpec((first, *parts[1:]), True, 1.0, 2.0, True, "black")
        chain = chain.with_mixing(number + 1, opacity=0.5, blend="screen", mask=mask)
        for source, name in zip(automation_sources().values(), ("opacity", "mask.feather"), strict=False):
            automation = Automation(source.id, source.check({}), 0.1, 0.9)
            chain = chain.with_automation(number + 1, name, automation)
    return chain


def _seeds(folder: Path) -> list[bytes]:
    chain = ChainSpec()
    for item in list(_LIBRARY.filters.values())[:12]:
        chain = chain.added(item.id, item.defaults)
    made = []
    network = NetworkSpec(
        "classifier",
        settings={"score": 0.5, "classes": ("a", "b")},
        preprocess={"colors": "BGR", "mean": [1.0, 2.0, 3.0]},
    )
    corners = ((0.1, 0.1), (0.9, 0.1), (0.5, 0.9))
    zones = (ZoneSpec("Room", corners, ("a",), "center"), LineSpec("Door", corners[:2]))
    actions = tuple(ActionSpec(action.id, action.checked({})) for action in event_actions().values())
    events = (
        EventSpec("In", "Room", "above", above=3, actions=actions),
        EventSpec("Through", "Door", "crosses", "forward", actions=actions[:1]),
        EventSpec("Long", "Room", "stays", seconds=5.0),
    )
    scene = SceneSpec(TrackSpec(), zones, events, heat_map=True)
    for setup in (
        *(Setup(), Setup(chain), Setup(chain, network), Setup(network=network)),
        Setup(network=network, scene=scene),
        Setup(_masked(), network, scene),
    ):
        save_preset(setup, _LIBRARY, folder / "seed.toml")
        made.append((folder / "seed.toml").read_bytes())
    made.append(
        b'lightloom = 1\na.b.c = 1\n[filter.x.y]\nz = { q = [1, [2, [3]]], "r.s".t = 1979-05-27T07:32:00Z }\n'
    )
    return (
        made
        + [path.read_bytes() for path in sorted((ROOT / "examples").rglob("*.toml"))]
        + shared("repro/*.toml")
    )


TOML_TOKENS = (
    b"a.",
    b"a.a.",
    b"[a.b]\n",
    b"[[a]]\n",
    b"[[filter]]\n",
    b"[",
    b"{",
    b"{a=",
    b"a = [",
    b'"""',
    b"'''",
    b"\\u0000",
    b"\\U0010FFFF",
    b"= inf\n",
    b"= nan\n",
    b"= true\n",
    b"= {}\n",
    b"= []\n",
    b"= 1\n",
    b'= "x"\n',
    b"1979-05-27",
    b"00:00:00",
    b"#",
    b'"',
    b"'",
    b"\\",
    b"[network]\n",
    b"[[scene.zones]]\n",
    b"[[scene.events]]\n",
    b"[[scene.events.actions]]\n",
    b"points = ",
    b"[network.preprocess]\n",
    b"[[filter.automation]]\n",
    b'of = "opacity"\nsource = "key_frames"\nvalues = { frames = "0=1 2=0.5:ease" }\n',
    b"[filter.mask]\n",
    b"[[filter.mask.part]]\n",
    b"kind = ",
    b"attachment = { identity = 1, extents = [0, 0, 1, 1] }\n",
    b"a1=1\n",
)

HARNESS = Harness(_read, _seeds, (*TOML_TOKENS, b"lightloom = ", b"values = ", b"name = "), memory_mb=400)
