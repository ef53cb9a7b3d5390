"""Plug-ins: other packages add tasks, decoders, backends, sources, result formats, filters, panels and
commands.

A package offers one by an entry point of the group `lightloom.plugins`, whose value names a `Plugin`:

    [project.entry-points."lightloom.plugins"]
    blobs = "lightloom_blobs:PLUGIN"

A plug-in is code, so it is imported only after the user has allowed its name and package (`lightloom
plugins`); `plugins.json` of the configuration stores the decision. While nothing is allowed, plug-ins are not
searched for. The packages in `desktop/plugins/` come with Lightloom and are used without a question.
"""

from __future__ import annotations

import json
import logging
import os
import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal

from desktop.base.discovery import module_names
from desktop.base.errors import LightloomError, UsageError
from desktop.base.files import read_regular, reason, replace_file
from desktop.base.paths import user_config_folder
from desktop.base.printable import printable
from desktop.base.version import version as own_version

log = logging.getLogger(__name__)

GROUP: Final = "lightloom.plugins"
VARIABLE: Final = "LIGHTLOOM_PLUGINS"
"""Environment variable; 'off' leaves out the plug-ins of other packages."""
BUILT_IN: Final = "desktop.plugins"
"""The package of built-in plug-ins."""
_PACKAGE: Final = "lightloom"
_MOST_BYTES: Final = 1 << 20

Kind = Literal["tasks", "decoders", "backends", "filters", "panels"]
NamedKind = Literal["sources", "outputs", "commands"]
Decision = Literal["new", "allowed", "refused"]


@dataclass(frozen=True)
class PluginCommand:
    """Command `lightloom <name>` of a plug-in; `text` is a sentence for --help.

    Attributes:
        run: runs it with the parsed options (an `argparse.Namespace`); returns the exit status.
        add_options: adds options to an `argparse.ArgumentParser`.
    """

    text: str
    run: Callable[[Any], int]
    add_options: Callable[[Any], None] = lambda parser: None


@dataclass(frozen=True, kw_only=True)
class Plugin:
    """Parts that a package adds; each is used like those that come with Lightloom.

    Attributes:
        tasks: of networks (`desktop.vision.tasks.task.Task`).
        decoders: of detectors and of key points (the `Decoder` of either).
        filters: .wgsl files; tried like a user's own before they run.
        panels: of the window (`PanelSpec`).
        features: locations of a `Feature` each, 'module:name'; only the window imports them.
        sources: by name (`SourceKind`), as are `outputs` (`ResultFormat`) and `commands`.
    """

    title: str
    tasks: tuple[Any, ...] = ()
    decoders: tuple[Any, ...] = ()
    backends: tuple[Any, ...] = ()
    filters: tuple[Path, ...] = ()
    panels: tuple[Any, ...] = ()
    features: tuple[str, ...] = ()
    sources: Mapping[str, Any] = field(default_factory=dict)
    outputs: Mapping[str, Any] = field(default_factory=dict)
    commands: Mapping[str, PluginCommand] = field(default_factory=dict)


@dataclass(frozen=True)
class Offer:
    """Plug-in of an installed package, or built-in one, without importing it.

    `value` is the location of its `Plugin`, 'module:name'; a built-in plug-in's decision is never new.
    """

    name: str
    package: str
    version: str
    value: str
    decision: Decision = "new"

    @property
    def is_built_in(self) -> bool:
        """Whether it comes with Lightloom."""
        return self.package == _PACKAGE

    def __str__(self) -> str:
        return printable(f"{self.name} ({self.package} {self.version})")


@dataclass(frozen=True)
class Loaded:
    """The plug-ins in use, by their names, and why others that are allowed are not."""

    plugins: dict[str, Plugin]
    failures: dict[str, str]

    def add_failure(self, name: str, error: Exception) -> None:
        """Note why a plug-in is not used, or not completely."""
        if name not in self.failures:
            log.error("importing the plug-in %s", name, exc_info=error)
            text = str(error) if isinstance(error, LightloomError) else f"{type(error).__name__}: {error}"
            self.failures[name] = printable(text)


class Decisions:
    """The file `plugins.json` of the configuration: {name: {"package": ..., "use": true or false}}."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path or user_config_folder() / "plugins.json"

    def _read(self) -> dict[str, Any]:
        """Read the file; one that cannot be read allows nothing."""
        try:
            found = json.loads(read_regular(self._path, _MOST_BYTES))
        except (OSError, ValueError, RecursionError):
            return {}
        return found if isinstance(found, dict) else {}

    @property
    def allows_any(self) -> bool:
        """Whether a plug-in of another package is allowed at all."""
        entries = (each for each in self._read().values() if isinstance(each, dict))
        return any(each.get("use") is True and each.get("package") != _PACKAGE for each in entries)

    def of(self, name: str, package: str) -> Decision:
        """Return the user's decision about a plug-in of a package."""
        said = self._read().get(name)
        if not isinstance(said, dict) or said.get("package") != package:
            return "new"
        return "allowed" if said.get("use") is True else "refused"

    def decide(self, offer: Offer, *, use: bool) -> None:
        """Store the user's decision for the next start; raise UsageError if the file cannot be written."""
        found = {**self._read(), offer.name: {"package": offer.package, "use": use}}
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            replace_file(self._path, [json.dumps(found, indent=1).encode()])
        except OSError as error:
            raise UsageError(
                f"The list of plug-ins {self._path} cannot be written: {reason(error)}; check that its "
                "folder can be written to."
            ) from error


def is_off() -> bool:
    """Return whether plug-ins of other packages are disabled in this process."""
    return os.environ.get(VARIABLE, "").lower() == "off"


def offers() -> tuple[Offer, ...]:
    """Return the built-in plug-ins and those of installed packages, by name. Takes some ten milliseconds."""
    from importlib.metadata import entry_points

    decisions, found = Decisions(), {}
    for name in module_names(BUILT_IN):
        decision: Decision = "refused" if decisions.of(name, _PACKAGE) == "refused" else "allowed"
        found[name] = Offer(name, _PACKAGE, own_version(), _built_in(name), decision)
    for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
        package, version = (point.dist.name, point.dist.version) if point.dist is not None else ("?", "?")
        if point.name not in found:  # of one name the package that Python finds first
            found[point.name] = Offer(
                point.name, package, version, point.value, decisions.of(point.name, package)
            )
    return tuple(sorted(found.values(), key=lambda offer: offer.name))


def _built_in(name: str) -> str:
    return f"{BUILT_IN}.{name}:PLUGIN"


@cache
def loaded() -> Loaded:
    """Return the plug-ins that are allowed; imports them, once in a process."""
    decisions, made = Decisions(), Loaded({}, {})
    names = (name for name in module_names(BUILT_IN) if decisions.of(name, _PACKAGE) != "refused")
    locations = {name: _built_in(name) for name in names}
    if not is_off() and decisions.allows_any:
        locations |= {offer.name: offer.value for offer in offers() if offer.decision == "allowed"}
    for name, location in locations.items():
        try:
            made.plugins[name] = _imported(location)
        except Exception as error:  # foreign code: whatever it raises, the program goes on without it
            made.add_failure(name, error)
    return made


def _imported(location: str) -> Plugin:
    # An entry point may name extras behind it.
    found = pkgutil.resolve_name(location.partition("[")[0].strip())
    if not isinstance(found, Plugin):
        raise UsageError(f"'{location}' is {type(found).__name__} and no lightloom.plugins.Plugin")
    return found


def plugin_features() -> tuple[Any, ...]:
    """Import the features of the plug-ins in use; failures are left out and put into `loaded().failures`."""
    found = []
    for name, plugin in loaded().plugins.items():
        for location in plugin.features:
            try:
                found.append(pkgutil.resolve_name(location))
            except Exception as error:  # foreign code
                loaded().add_failure(name, error)
    return tuple(found)


def provided(kind: Kind) -> tuple[Any, ...]:
    """Return what the plug-ins in use provide of a kind."""
    return tuple(each for plugin in loaded().plugins.values() for each in getattr(plugin, kind))


def provided_by_name(kind: NamedKind) -> dict[str, Any]:
    """Return what the plug-ins in use provide of a kind, by name; the first plug-in wins for a name."""
    found: dict[str, Any] = {}
    for plugin in loaded().plugins.values():
        for name, each in getattr(plugin, kind).items():
            found.setdefault(name, each)
    return found
