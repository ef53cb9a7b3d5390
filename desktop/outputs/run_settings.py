"""Settings of a run as JSON values, and where those of two runs differ: only an equal run may go on with another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, replace
from itertools import islice
from typing import Any, Final

from desktop.base.printable import printable
from desktop.pipeline.running.network_spec import NetworkSpec
from desktop.pipeline.setup.setup import Setup
from desktop.vision.tracking.scene import SceneSpec

_MOST: Final = 5
_LONGEST_KEY: Final = 40


def plain(value: Any) -> Any:
    """Return a value as JSON has it: texts for keys and for what is neither number, text nor list."""
    if isinstance(value, Mapping):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(each) for each in value]
    return value if isinstance(value, str | int | float | bool | None) else str(value)


def scene_json(scene: SceneSpec) -> dict[str, Any]:
    """Return a scene as JSON values, without the actions of its events, which affect no result and may hold a
    password, and without the consent to them.
    """
    events = tuple(replace(event, actions=()) for event in scene.events)
    described: dict[str, Any] = plain(asdict(replace(scene, events=events)))
    for event in described["events"]:
        del event["state"]
        event["enabled"] = True  # as records of earlier runs have it
    return described


def setup_json(setup: Setup) -> dict[str, Any]:
    """Return a setup as JSON values, with the scene of `scene_json`."""
    described: dict[str, Any] = plain(asdict(replace(setup, scene=SceneSpec())))
    described["scene"] = scene_json(setup.scene)
    if setup.network is not None:
        described["network"] = network_json(setup.network)
    return described


def network_json(spec: NetworkSpec) -> dict[str, Any]:
    """Return a network's choices as JSON values, without the orientation of the frames."""
    described: dict[str, Any] = plain(asdict(spec))
    for network in (described, described["second"]):
        if network is not None:
            del network["is_portrait"]
    return described


def differences(begun: Any, now: Any) -> tuple[str, ...]:
    """Return where two JSON values differ, as at most five paths such as 'network.settings.score'."""
    return tuple(islice(_differences(begun, now, ()), _MOST))


def _differences(begun: Any, now: Any, path: tuple[str, ...]) -> Iterator[str]:
    if begun == now:
        return
    if isinstance(begun, dict) and isinstance(now, dict):
        for key in sorted(begun.keys() | now.keys()):
            yield from _differences(begun.get(key), now.get(key), (*path, key))
    elif isinstance(begun, list) and isinstance(now, list) and len(begun) == len(now):
        for number, (one, other) in enumerate(zip(begun, now, strict=True), 1):
            yield from _differences(one, other, (*path, _named(other) or str(number)))
    else:
        yield ".".join(printable(part)[:_LONGEST_KEY] for part in path)


def _named(value: Any) -> str:
    """Return the name of a stage, zone or event, '' for other values."""
    found = (value.get("name") or value.get("filter")) if isinstance(value, dict) else ""
    return found if isinstance(found, str) else ""
