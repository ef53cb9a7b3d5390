"""Setup of a source of `watch`: look, network, tracking, zones and events, each fault at its key."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from desktop.base.errors import LightloomError, SourceNotFoundError, UsageError
from desktop.base.fields import File, Folder, Secret
from desktop.base.files import check_folder_writable, exists, reason, remedy
from desktop.base.nearest import suggestion
from desktop.base.toml_text import KeyPath
from desktop.base.version import extra_command
from desktop.cli._engine import model_path
from desktop.cli._setup_files import setup_files
from desktop.compute.gpu.device import Gpu
from desktop.media.sources.opening import open_source
from desktop.metrics.server import is_free
from desktop.outputs.events import event_actions
from desktop.outputs.events.action import Refused
from desktop.outputs.events.home_assistant import ACTION as HOME_ASSISTANT
from desktop.outputs.events.home_assistant import device_key
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.running.network_spec import NetworkSpec
from desktop.pipeline.running.one.examining import Examined, examine
from desktop.pipeline.setup.bundle import open_preset
from desktop.pipeline.setup.class_names import unknown_classes
from desktop.pipeline.setup.known import require_preset
from desktop.pipeline.setup.setup import Setup
from desktop.pipeline.setup.zones import ZoneTables, load_zones, read_zone_tables
from desktop.vision.backends import backend_choices
from desktop.vision.tasks import is_analysis_task, result_tasks, settings_named
from desktop.vision.tasks.task import Word
from desktop.vision.tracking.events import ActionSpec
from desktop.vision.tracking.scene import SceneSpec
from desktop.vision.tracking.track import TrackSpec, with_track_value
from desktop.watch.announced_devices import AnnouncedDevice
from desktop.watch.config import Config, Faults, FileState, ReadConfig, SourceSpec, file_state, path_in
from desktop.watch.secrets import Secrets

_PRECISIONS: Final = ("auto", "fp32", "fp16")
_MOST_NAMED: Final = 12
_OF_NETWORK: Final = ("track", "zones", "events", "overlay", "every_frame")
"""Keys of a source that are about what a network finds."""


def check_sources(read: ReadConfig, secrets: Secrets, *, is_thorough: bool = False) -> Config:
    """Check all sources, adding their faults to `read`: missing files, addresses and passwords, wrong settings.

    No source is opened, and nothing is sent.

    Args:
        read: the configuration and its faults.
        secrets: fills in passwords.
        is_thorough: also check what may change while the service runs: folders that can be written, actions of
            events, and what the network's files tell; and note the events that do nothing.

    Returns:
        The configuration with a digest of the passwords of each source and the state of its files, by which a
        reload detects a changed one, and with the devices that each announces to Home Assistant.
    """
    if is_thorough:
        _check_service(read.config, read.faults)
    # Each look adds shaders of its own to one.
    plain = FilterLibrary(None)
    sources: list[SourceSpec] = []
    for source in read.config.sources:
        builder = SetupBuilder(source, read.folder, read.faults, secrets)
        builder.check_address()
        library = FilterLibrary(None) if "look" in source.table else plain
        setup = builder.setup(library)
        if is_thorough:
            builder.check_folder()
            builder.check_actions(setup)
            builder.check_network(setup)
        sources.append(
            replace(
                source,
                secrets=secrets.digest(builder.table),
                devices=tuple(builder.devices(setup)),
                files=(*source.files, *builder.files(setup, library)),
            )
        )
    if is_thorough:
        _check_devices(sources, read.faults)
    return replace(read.config, sources=tuple(sources))


@dataclass
class SetupBuilder:
    """Builds the setup of a source from its table; relative paths begin in `folder`."""

    source: SourceSpec
    folder: Path
    faults: Faults
    secrets: Secrets
    _left_out: set[KeyPath] = field(default_factory=set)

    def __post_init__(self) -> None:
        """Fill in the passwords; keys that have a fault already are left out."""
        self.table: Mapping[str, Any] = {
            key: self._filled(value, self._at(key), key)
            for key, value in self.source.table.items()
            if not self.faults.has(self._at(key))
        }

    def _filled(self, value: Any, place: KeyPath, key: str) -> Any:
        """Return a value with its `${NAME}` placeholders filled in; one without a value is a fault, and stays."""
        if isinstance(value, dict):
            return {name: self._filled(each, (*place, name), name) for name, each in value.items()}
        if isinstance(value, list):
            return [self._filled(each, (*place, number), key) for number, each in enumerate(value)]
        return self.faults.read(place, lambda: self.secrets.filled(value, key), value)

    def _at(self, key: str, *more: str | int) -> KeyPath:
        return (*self.source.place, key, *more)

    @property
    def address(self) -> str:
        """The address with its password, never to be printed."""
        return str(self.table.get("address", ""))

    def check_address(self) -> None:
        """Add a fault if the address is not that of a live source."""
        if self.faults.has(self._at("address")) or not self.address:
            return
        try:
            source = open_source(self.address)
        except SourceNotFoundError:
            self.faults.add(
                self._at("address"),
                "It is no camera, screen or stream; write one such as camera, screen: or "
                "rtsp://192.168.1.20/stream1.",
            )
        except LightloomError as error:
            self.faults.add(self._at("address"), str(error))
        else:
            if not source.info.live:
                self.faults.add(
                    self._at("address"),
                    "It is a file or the sample; 'watch' is for cameras, screens and streams: use 'process' or "
                    "'analyze'.",
                )

    def check_folder(self) -> None:
        """Add a fault if no file can be written to the folder of the recording, or to what it will be made in."""
        if self.source.record is None:
            return
        folder = self.source.record.target.parent
        try:
            check_folder_writable(folder)
        except OSError as error:
            self.faults.add(
                self._at("record", "folder"),
                f"{folder} cannot be written by this user: {reason(error)}; {remedy(error, 'folder')}.",
            )

    def devices(self, setup: Setup) -> Iterator[AnnouncedDevice]:
        """Yield the devices that the setup's events announce to Home Assistant, without passwords."""
        for event in setup.scene.events if not self.faults.has_below(self.source.place) else ():
            # An event of a zone file or look has no table here, and so no placeholders. Without faults each table of
            # the others has become an action, in their order.
            tables = _action_tables(self.source.table, event.name) or [{}] * len(event.actions)
            for spec, table in zip(event.actions, tables, strict=True):
                if event.enabled and spec.kind == HOME_ASSISTANT.id:
                    yield AnnouncedDevice(
                        self.source.name, HOME_ASSISTANT.checked(_without_passwords(spec, table))
                    )

    def files(self, setup: Setup, library: FilterLibrary) -> Iterator[FileState]:
        """Yield the state of a look of the library, and of the files of the setup and beside its networks."""
        if self.faults.has_below(self.source.place):
            return
        look = self.table.get("look")
        paths = [require_preset(self._path(look))] if isinstance(look, str) else []
        for path in (*paths, *(named.path for named in setup_files(setup, library))):
            if (state := file_state(self.folder / path)) is not None:
                yield state

    def check_actions(self, setup: Setup) -> None:
        """Add a fault for each action of the setup's events that could not be performed now, and a note for each
        event that performs nothing.
        """
        for event in setup.scene.events:
            if not event.actions and not _action_tables(self.table, event.name):
                self._note_event(event.name, "This event has no action, so that it does nothing; add one.")
            elif event.actions and event.state == "off":
                self._note_event(event.name, "This event is disabled: its actions are not performed.")
            # Tables with faults became no action.
            place, _ = self._place_of("events", event.name)
            numbers = (n for n in itertools.count() if (*place, "actions", n) not in self._left_out)
            for number, spec in zip(numbers, event.actions if event.enabled else (), strict=False):
                if text := self._action_fault(spec):
                    self._add_of("events", event.name, text, "actions", number)

    def check_network(self, setup: Setup) -> None:
        """Add a fault for what the network's files show to be wrong: a file that is no network, settings and classes
        that it does not have, and statements beside it that have no effect.
        """
        spec = setup.network
        at = self._at("model" if "model" in self.table else "look")
        if spec is None or self.faults.has(at) or "://" in spec.model or not exists(Path(spec.model)):
            return
        found = self.faults.read(at, lambda: examine(spec))
        if found is None:
            return
        for text in found.without_effect:
            self.faults.add(at, text)
        if "model" in self.table:
            self._check_settings(spec, found)
        for unknown in unknown_classes(setup, found.labels):
            if unknown.kind in ("zones", "events"):
                self._add_of(unknown.kind, unknown.owner, unknown.text, "classes")
            else:
                self.faults.add(self._at("look"), unknown.text)

    def _check_settings(self, spec: NetworkSpec, found: Examined) -> None:
        """Add a fault for each setting that is not one of the network's task, and for classes that it lacks."""
        own = {setting.name for setting in found.task.settings}
        for name in spec.settings:
            if name not in own:
                near = suggestion(name, own, "" if own else "leave it out.")
                title = str(found.task.title).lower()
                self.faults.add(
                    self._at("settings", name), f"It is no setting of a network for {title}; {near}"
                )
        known = {label.casefold() for label in found.labels}
        some = f"choose one such as {', '.join(found.labels[:_MOST_NAMED])}."
        for wanted in spec.settings.get("classes") or () if "classes" in own and known else ():
            if wanted.casefold() not in known:
                self.faults.add(
                    self._at("settings", "classes"),
                    f"The network has no class '{wanted[:40]}'; {suggestion(wanted, found.labels, some)}",
                )

    def _add_of(self, key: str, name: str, text: str, *more: str | int) -> None:
        """Add a fault of the zone or event of a name: at its table, or where its file or look is named."""
        place, owner = self._place_of(key, name, *more)
        self.faults.add(place, f"{owner}{text}")

    def _note_event(self, name: str, text: str) -> None:
        place, owner = self._place_of("events", name)
        self.faults.note(place, f"{owner}{text}")

    def _place_of(self, key: str, name: str, *more: str | int) -> tuple[KeyPath, str]:
        """Return where the zone or event of a name is, and its name where that does not tell it."""
        tables = self.table.get(key)
        named = enumerate(tables if isinstance(tables, list) else ())
        number = next((n for n, each in named if isinstance(each, dict) and each.get("name") == name), None)
        if number is not None:
            return self._at(key, number, *more), ""
        return self._at("zones" if "zones" in self.table else "look"), f"{name}: "

    def _action_fault(self, spec: ActionSpec) -> str:
        """Return a sentence on why an action could not be performed now, '' if nothing is known to prevent it."""
        action, values = event_actions()[spec.kind], dict(spec.values)
        if missing := action.missing(values):
            return f"The field '{missing}' of this action is empty; give it a value."
        try:
            for each in action.fields:
                # The process of the source works in the file's folder, this one does not.
                if isinstance(each, File | Folder) and (text := str(values[each.name])):
                    values[each.name] = str(path_in(self.folder, text))
            action.check(values)
        except (Refused, UsageError) as error:
            return f"This action cannot be done: {str(error).rstrip('.')}."
        return ""

    def setup(self, library: FilterLibrary) -> Setup:
        """Return the setup; what has a fault is left out."""
        setup = self._look(library)
        network = self._network() or (setup.network if setup.network_enabled else None)
        scene = self._scene(setup.scene)
        needs_network = next((k for k in _OF_NETWORK if self.table.get(k)), None)
        if network is None and needs_network is not None and "model" not in self.source.table:
            self.faults.add(
                self._at(needs_network),
                "It is about what a network finds, and there is none; add the key 'model'.",
            )
        elif (
            self.table.get("events") is True
            and not scene.events
            and not self.faults.has_below(self.source.place)
        ):
            self.faults.add(
                self._at("events"), "There is no event that it could be about; leave it out, or add 'zones'."
            )
        return replace(setup, network=network, network_enabled=True, scene=scene)

    def _path(self, text: str) -> str:
        """Return a path relative to the file's folder, or the text where nothing is there."""
        try:
            here = path_in(self.folder, text)
        except UsageError:  # what looks for the name says that there is none
            return text
        return str(here) if exists(here) else text

    def _look(self, library: FilterLibrary) -> Setup:
        name = self.table.get("look")
        if not isinstance(name, str):
            return Setup()
        try:
            loaded = open_preset(require_preset(self._path(name)), library)
        except LightloomError as error:
            self.faults.add(self._at("look"), str(error))
            return Setup()
        for shader in loaded.shaders:
            library.add(shader)
        for warning in loaded.warnings:
            self.faults.add(self._at("look"), warning)
        return loaded.setup

    def _network(self) -> NetworkSpec | None:
        model = self.table.get("model")
        if not isinstance(model, str):
            return None
        given = model if "://" in model else self._path(model)
        path = self.faults.read(self._at("model"), lambda: model_path(given))
        task, backend, precision = (str(self.table.get(k, "auto")) for k in ("task", "backend", "precision"))
        names = tuple(each.id for each in result_tasks())
        if task != "auto" and not is_analysis_task(task):
            self.faults.add(self._at("task"), f"There is no task '{task[:40]}'; {suggestion(task, names)}")
        for key, value, known in (
            ("backend", backend, backend_choices()),
            ("precision", precision, _PRECISIONS),
        ):
            if value not in known:
                self.faults.add(
                    self._at(key), f"There is no {key} '{value[:40]}'; {suggestion(value, known)}"
                )
        return NetworkSpec(path or model, backend, precision, task=task, settings=self._settings())

    def _settings(self) -> dict[str, Any]:
        found: dict[str, Any] = {}
        given = self.table.get("settings")
        for name, value in given.items() if isinstance(given, dict) else ():
            setting = next(settings_named(name), None)
            if setting is None:
                known = {s.name for task in result_tasks() for s in task.settings}
                self.faults.add(
                    self._at("settings", name), f"This setting is not known; {suggestion(name, known)}"
                )
                continue
            shaped = tuple(value) if isinstance(value, list) else value
            taken = self.faults.read(self._at("settings", name), partial(setting.check, shaped))
            words = {
                word for each in settings_named(name) if isinstance(each, Word) for word, _ in each.known()
            }
            if words and taken is not None and taken not in words:
                self.faults.add(
                    self._at("settings", name), f"There is none of this name; {suggestion(taken, words)}"
                )
            elif taken is not None:
                found[name] = taken
        return found

    def _scene(self, scene: SceneSpec) -> SceneSpec:
        track = self._track(scene.track)
        zones = self._zones()
        if zones is None:
            events = scene.events
            if self._events_on():
                events = tuple(event.permitted() for event in events)
            return replace(scene, track=track or (TrackSpec() if scene.zones else None), events=events)
        return SceneSpec(track or TrackSpec(), zones.zones, zones.events, zones.heat_map)

    def _events_on(self) -> bool:
        events = self.table.get("events", False)
        if not isinstance(events, bool | list):
            self.faults.add(
                self._at("events"), "It is neither true nor false, nor tables; write one of them."
            )
        if isinstance(events, list) and not isinstance(self.source.table.get("zones"), list):
            self.faults.add(
                self._at("events"),
                "These are tables, and no tables of zones are here; write some, or events = true for those of a "
                "look or file.",
            )
        return events is True or isinstance(events, list)

    def _track(self, usual: TrackSpec | None) -> TrackSpec | None:
        given = self.table.get("track")
        if given is None:
            return usual
        if isinstance(given, bool):
            return (usual or TrackSpec()) if given else None
        if not isinstance(given, dict):
            self.faults.add(
                self._at("track"), "It is neither true nor a table of settings; write one of them."
            )
            return None
        spec = usual or TrackSpec()
        for name, value in given.items():
            spec = self.faults.read(
                self._at("track", name), partial(with_track_value, spec, name, value), spec
            )
        return spec

    def _report_at(self, path: KeyPath, text: str) -> None:
        """Add a fault of the tables of zones and events, and note which action's table it left out."""
        place = self._at(str(path[0]), *path[1:])
        self.faults.add(place, text)
        actions = len(self.source.place) + 2
        if place[actions : actions + 1] == ("actions",):
            self._left_out.add(place[: actions + 2])

    def _zones(self) -> ZoneTables | None:
        """Return the zones of a file or of the table itself; None if it has none. Events of a file need consent."""
        given = self.table.get("zones")
        if given is None:
            return None
        is_on = self._events_on()
        if isinstance(given, str):
            try:
                found, warnings = load_zones(Path(self._path(given)))
            except LightloomError as error:
                self.faults.add(self._at("zones"), str(error))
                return ZoneTables()
            for warning in warnings:
                self.faults.add(self._at("zones"), warning)
        else:
            events = self.table.get("events")
            tables = {"zones": given, "events": events if isinstance(events, list) else []}
            found = read_zone_tables(_copied(tables), self._report_at)
        if "events" not in self.table and any(event.state == "awaits consent" for event in found.events):
            self.faults.add(
                self._at("zones"),
                "Its events have actions; read them, and write events = true, or false to leave them out.",
            )
        return replace(found, events=tuple(e.permitted() for e in found.events)) if is_on else found


def _check_service(config: Config, faults: Faults) -> None:
    """Add a fault for an adapter that cannot be opened, and for an address at which metrics cannot be served; a note
    if something is there already.
    """
    if config.adapter:
        faults.read(("service", "adapter"), lambda: Gpu.open(config.adapter).close())
    place, address = ("service", "metrics"), config.metrics
    if address is None:
        return
    if find_spec("prometheus_client") is None:
        faults.add(place, f"It needs the package prometheus-client: {extra_command('metrics')}.")
    if faults.read(place, lambda: is_free(address)) is False:
        faults.note(place, f"A program listens at {address} already: this service, or another one.")


def _check_devices(sources: Sequence[SourceSpec], faults: Faults) -> None:
    """Add a fault for each source that announces a device of Home Assistant that another one announces, too."""
    owners: dict[tuple[str, ...], str] = {}
    for source in sources:
        for device in source.devices:
            try:
                *key, title = device_key(device.values, source.name)
            except Refused:  # a placeholder for the port: which broker it is cannot be known here
                continue
            owner = owners.setdefault(tuple(key), source.name)
            if owner != source.name:
                faults.add(
                    (*source.place, "events"),
                    f"Source '{owner}' announces the same Home Assistant device, '{title}', and each would delete the "
                    "other's entities; add {source} to the device's name.",
                )
                break


def _action_tables(source: Mapping[str, Any], event: str) -> list[Any]:
    """Return the tables of an event's actions in a source's table; none if the event is defined elsewhere."""
    events = source.get("events")
    for each in events if isinstance(events, list) else ():
        if isinstance(each, dict) and each.get("name") == event:
            actions = each.get("actions")
            return actions if isinstance(actions, list) else []
    return []


def _without_passwords(spec: ActionSpec, table: Mapping[str, Any]) -> dict[str, Any]:
    """Return an action's values without passwords, except for the `${NAME}` placeholders in its table."""
    secrets = {each.name for each in event_actions()[spec.kind].fields if isinstance(each, Secret)}
    plain = {name: value for name, value in spec.values.items() if name not in secrets}
    return plain | {name: value for name, value in table.items() if name != "do"}


def _copied(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _copied(each) for key, each in value.items()}
    return [_copied(each) for each in value] if isinstance(value, list) else value
