"""Presets: setups written as TOML, and read again.

Untrusted: unknown or missing values are reported and ignored.

    lightloom = 2                   # version of the format; see migration.py
    title = "Soft"                  # optional, as `purpose`: see pipeline/setup/description.py
    purpose = "Hides small details."
    [[filter]]
    name = "mine"
    enabled = true
    values = { radius = 8.0 }
    opacity = 0.5                   # as `blend`: only if it is not the usual one; [filter.mask]: see masks.py
                                    # [[filter.automation]]: see automation.py
    shader = "look.files/mine.wgsl"  # only for a user's own filter, stored next to the preset
    [network]
    model = "mobilenet.onnx"        # relative to the preset, or absolute
    enabled = false                 # only for a network that is switched off
    backend = "auto"
    [anonymize]                     # see hidden.py; [interpolation]: between.py; [scene.track]: tracks.py
    [[layer]]                       # and [main_image]: see layers.py
    [[scene.zones]]                 # and [[scene.events]]: see zones.py

Other files of a chain (shaders, tables, images) are copied into the folder `<preset>.files`, beside another
file of the same name into a folder of their own there; bundle.py puts everything, with networks, into one file.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import tomli_w

from desktop.base.errors import ExportError, LightloomError, PresetError, UsageError, writing_advice
from desktop.base.fields import Field
from desktop.base.files import read_regular, reason, replace_file, resolved
from desktop.base.toml_text import parse_toml
from desktop.base.wording import sentence
from desktop.media.sources.file_kinds import is_pipeline
from desktop.net.inference.address import as_named, is_remote
from desktop.pipeline.chain.spec import MAX_STAGES, ChainSpec, StageSpec
from desktop.pipeline.filters.description import Filter
from desktop.pipeline.filters.header import read_filter
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.filters.param import FileParam, ParamValue, Values
from desktop.pipeline.masks.blending import BLEND, OPACITY
from desktop.pipeline.running.network_spec import NetworkSpec
from desktop.pipeline.setup.automation import KnownHere, automation_tables, with_automations
from desktop.pipeline.setup.between import interpolation_table, take_interpolation
from desktop.pipeline.setup.description import Description, description_table, take_description
from desktop.pipeline.setup.hidden import anonymize_table, take_anonymize
from desktop.pipeline.setup.known import MAX_BYTES
from desktop.pipeline.setup.layers import layer_table, place_table, take_layers
from desktop.pipeline.setup.masks import hides, mask_table, read_mask
from desktop.pipeline.setup.migration import migrated
from desktop.pipeline.setup.setup import Setup
from desktop.pipeline.setup.warnings import Warnings
from desktop.vision.backends import backend_choices
from desktop.vision.models.builtin import builtin_models
from desktop.vision.models.sidecar import is_builtin
from desktop.vision.tracking.scene import SceneSpec

_VERSION: Final = 2
# A table of 129 steps has 60 MB; what is larger stays where it is.
_MAX_CARRIED: Final = 64 << 20
_PRECISIONS: Final = ("auto", "fp32", "fp16")
_DEVICE: Final = re.compile(r"[a-z0-9][a-z0-9:._-]{0,63}")


_MIXING: Final[tuple[Field, ...]] = (OPACITY, BLEND)
_KEYS: Final = frozenset(
    {"name", "shader", "enabled", "values", "mask", "automation", *(each.name for each in _MIXING)}
)


# What a preset leaves out where it is as usual: most networks have nothing to do with it.
_OPTIONAL: Final = ("preprocess", "task", "things", "enlarge", "device")


# What a second network has not: it runs when the first has found something, on what that saw.
_OF_THE_FIRST: Final = ("every", "on_result")
_OF_THE_SECOND: Final = ("things", "enlarge")


@dataclass(frozen=True)
class LoadedPreset:
    """Content of a preset: `warnings` has a sentence for each ignored value.

    `shaders` are its user filters, to be added to the library, on its thread, before the setup is used.
    `has_all_filters` is False if one of its filters, or the mask of one, had to be left out.
    """

    setup: Setup
    warnings: tuple[str, ...] = ()
    shaders: tuple[Path, ...] = ()
    description: Description = field(default_factory=Description)
    has_all_filters: bool = True


def plain_value(value: ParamValue) -> Any:
    """Return a parameter's value as TOML and JSON have it."""
    return list(value) if isinstance(value, tuple) else value


def _relative(path: str, folder: Path) -> str:
    # Relative if the file lies next to or below the preset, so that the folder can be shared; else absolute.
    absolute = resolved(Path(path))
    return absolute.relative_to(folder).as_posix() if absolute.is_relative_to(folder) else str(absolute)


Place = Callable[[Path, str], str]
"""(a file that a setup needs, 'shader', 'lut', 'image', 'video' or 'model') -> how a preset names it."""


def document_of(setup: Setup, library: FilterLibrary, place: Place) -> dict[str, Any]:
    """Return a preset's document; `place` is called for each file. Raise ExportError for a bad file name."""

    def named(file: Path, kind: str) -> str:
        return _in_utf8(place(file, kind))

    document: dict[str, Any] = {"lightloom": _VERSION, "filter": _chain_tables(setup.chain, library, named)}
    if setup.network is not None:
        document["network"] = _network_table(setup.network, named)
        if not setup.network_enabled:
            document["network"]["enabled"] = False
    if scene := _scene_table(setup.scene):
        document["scene"] = scene
    if setup.anonymize is not None:
        document["anonymize"] = anonymize_table(setup.anonymize)
    if setup.interpolation is not None:
        document["interpolation"] = interpolation_table(
            setup.interpolation, lambda name, kind: _placed(name, kind, named)
        )
    if setup.layers.specs:
        document["layer"] = [
            layer_table(
                spec,
                _chain_tables(spec.chain, library, named),
                lambda path, kind: named(Path(path), kind.id),
            )
            for spec in setup.layers.specs
        ]
    if setup.layers.moves_main:
        document["main_image"] = place_table(setup.layers.main)
    return document


def _chain_tables(chain: ChainSpec, library: FilterLibrary, named: Place) -> list[dict[str, Any]]:
    """Return the tables of a chain's filters."""
    tables: list[dict[str, Any]] = []
    for stage in chain.stages:
        item = library.filters.get(stage.filter)
        values = _values_table(item, stage.values, named)
        own = item is not None and not item.builtin
        shader = {"shader": named(Path(item.path), "shader")} if item is not None and own else {}
        mixing = {each.name: getattr(stage, each.name) for each in _MIXING}
        mixing = {name: value for name, value in mixing.items() if value != getattr(StageSpec, name)}
        table = {"name": stage.filter, **shader, "enabled": stage.enabled, "values": values, **mixing}
        tables.append(table)
        if stage.mask is not None:
            table["mask"] = mask_table(
                stage.mask,
                chain.stages,
                lambda kind, given: _values_table(library.masks.get(kind), given, named),
            )
        if stage.automation:
            table["automation"] = automation_tables(stage)
    return tables


def _values_table(item: Filter | None, values: Values, place: Place) -> dict[str, Any]:
    files = {param.name: param for param in item.files} if item is not None else {}
    return {
        name: _placed(str(value), files[name].type, place)
        if name in files and files[name].is_path(value)
        else plain_value(value)
        for name, value in values.items()
    }


def _placed(name: str, kind: str, place: Place) -> str:
    """Return a file's name in a preset; the address of a network on a server stays as it is."""
    return name if is_remote(name) else place(Path(name), kind)


def _scene_table(spec: SceneSpec) -> dict[str, Any]:
    from desktop.pipeline.setup.tracks import track_table
    from desktop.pipeline.setup.zones import ZoneTables, zone_tables

    track = {} if spec.track is None else {"track": track_table(spec.track)}
    return track | zone_tables(ZoneTables(spec.zones, spec.events, spec.heat_map))


def _in_utf8(name: str) -> str:
    """Return a file name as UTF-8 for TOML; on Linux Python stores other bytes as surrogates."""
    try:
        name.encode()
    except UnicodeEncodeError as error:
        shown = name.encode(errors="replace").decode()
        raise ExportError(
            sentence("The look needs {path}, whose name is not UTF-8; rename that file.", path=shown)
        ) from error
    return name


def _network_table(spec: NetworkSpec, place: Place) -> dict[str, Any]:
    """Return a network's table as in version 0.1, without most defaults; a secondary network is nested."""
    from desktop.vision.tasks import all_tasks
    from desktop.vision.tasks.task import Files

    usual = vars(NetworkSpec(""))
    own: dict[str, Any] = {
        k: plain_value(v) for k, v in vars(spec).items() if k not in _OPTIONAL or v != usual[k]
    }
    del own["settings"], own["second"], own["is_portrait"]
    if spec.second is not None:
        own["second"] = _network_table(spec.second, place)
        for name in _OF_THE_FIRST:
            del own["second"][name]
    declared = {setting.name: setting for task in all_tasks() for setting in task.settings}
    settings = {
        name: plain_value(spec.settings.get(name, setting.default))
        for name, setting in declared.items()
        if setting.always_written or spec.settings.get(name, setting.default) != setting.default
    }
    for name, setting in declared.items():
        if name in settings and isinstance(setting, Files):
            settings[name] = [place(Path(file), setting.kind) for file in settings[name]]
    model = Path(spec.model)
    named = model.stem if is_builtin(model) else _placed(spec.model, "model", place)
    return {**own, **settings, "model": named}


def _carried(source: Path, folder: Path, text: str = "") -> str:
    """Copy a file, or `text` in its place, into a preset's folder and return its relative name; the path if
    it cannot be copied.
    """
    if resolved(source).is_relative_to(folder.parent):
        return _relative(str(source), folder.parent)
    try:
        data = text.encode() or read_regular(source, _MAX_CARRIED)
        # Of a shader in GLSL the text is its translation, which needs no files beside it.
        name = f"{source.stem}.wgsl" if text else source.name
        target = folder / name
        if target.exists() and target.read_bytes() != data:
            # Another file of this name, of this preset as it was or of another filter: both stay. The name
            # is kept, because a shader's is its filter's.
            target = folder / _short_hash(data) / name
        if not target.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            replace_file(target, [data])
    except (OSError, ValueError):
        return str(resolved(source))
    return target.relative_to(folder.parent).as_posix()


def _short_hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:8]


def _under_own_name(path: Path, name: str) -> Path:
    """Return a shader called as its filter; one with a hash in its file name is copied to where it is.

    Until version 0.2, a copy beside another of its name was called `<name>-<hash>`.
    """
    if not re.fullmatch(rf"{re.escape(name)}-[0-9a-f]{{8}}", path.stem):
        return path
    target = path.parent / path.stem[-8:] / f"{name}{path.suffix}"
    try:
        if not target.exists():
            target.parent.mkdir(exist_ok=True)
            replace_file(target, [read_regular(path, _MAX_CARRIED)])
    except (OSError, ValueError) as error:
        raise PresetError(
            sentence(
                "The shader {path} cannot be copied: {reason}; rename it to {name}.",
                path=path,
                reason=reason(error),
                name=target.name,
            )
        ) from error
    return target


def preset_data(document: Mapping[str, Any], path: Path) -> bytes:
    """Return a preset's document as TOML; raise ExportError, with the name of its file, if it is too long to be read."""
    data = tomli_w.dumps(document).encode()
    if len(data) > MAX_BYTES:
        raise ExportError(
            sentence(
                "{path} is not saved: it would have {size:.1f} MiB, and at most {most} MiB are read; remove key frames, or "
                "effects that have many.",
                path=path,
                size=len(data) / (1 << 20),
                most=MAX_BYTES >> 20,
            )
        )
    return data


def save_preset(
    setup: Setup, library: FilterLibrary, path: Path, description: Description | None = None
) -> None:
    """Write a preset, replacing an existing file atomically; copy all files it needs except networks.

    Raise ExportError if the file cannot be written, or the name of a needed file is not UTF-8.
    """
    folder = resolved(path).parent
    texts = {str(Path(item.path)): item.text for item in library.filters.values() if not item.builtin}

    def place(file: Path, kind: str) -> str:
        if kind in ("model", "video"):
            return _relative(str(file), folder)
        # A shader as it is in use: its file may be invalid while it is edited.
        text = texts.get(str(file), "") if kind == "shader" else ""
        return _carried(file, folder / f"{path.stem}.files", text)

    try:
        if not folder.is_dir():
            raise FileNotFoundError(errno.ENOENT, "there is no such folder")
        document = description_table(description or Description()) | document_of(setup, library, place)
        if path.is_dir():
            raise IsADirectoryError(errno.EISDIR, "it is a folder")
        replace_file(path, [preset_data(document, path)])
    except OSError as error:
        raise ExportError(
            sentence(
                "The look {path} cannot be written: {reason}; {advice}.",
                path=path,
                reason=reason(error),
                advice=writing_advice(reason(error)),
            )
        ) from error


def load_preset(path: Path, library: FilterLibrary, *, inside: bool = False) -> LoadedPreset:
    """Read a preset (`inside`: only with files in its own folder); raise PresetError if it is invalid."""
    try:
        data = read_regular(path, MAX_BYTES)
    except (OSError, ValueError) as error:
        raise PresetError(
            sentence(
                "The look {path} cannot be read: {reason}; check its name and permissions.",
                path=path,
                reason=reason(error),
            )
        ) from error
    try:
        document = parse_toml(data)
    except ValueError as error:
        raise PresetError(
            sentence(
                "{name} is not a look: {error}; correct it in a text editor, or choose another.",
                name=path.name,
                error=error,
            )
        ) from error
    if not isinstance(document.get("lightloom"), int):
        raise PresetError(
            sentence(
                "{name} is not a look: it has no line 'lightloom = {version}'; choose another file.",
                name=path.name,
                version=_VERSION,
            )
        )
    return _PresetReader(path, library, inside=inside).read(document)


class _PresetReader:
    """Builds a setup and notes what it had to leave out."""

    def __init__(self, path: Path, library: FilterLibrary, *, inside: bool) -> None:
        self._path = path
        self._library = library
        self._inside = inside
        # Filters that come with the preset. The library is another thread's, so they are told and not added.
        self._own: dict[str, Filter] = {}
        self._has_all_filters = True
        self._warnings = Warnings(path.name)
        self._warn = self._warnings.add

    def read(self, document: dict[str, Any]) -> LoadedPreset:
        version = document.pop("lightloom")
        if version > _VERSION:
            self._warn(sentence("it was written by a newer Lightloom; what is new in it is left out."))
        elif version < _VERSION:
            document = migrated(document, self._library)
        description = take_description(document, self._warn)
        chain = self._chain(document.pop("filter", []))
        table = document.pop("network", None)
        network_enabled = self._network_enabled(table)
        network = self._network(table)
        scene = self._scene(document.pop("scene", {}))
        anonymize = take_anonymize(document, self._warn)
        interpolation = take_interpolation(document, self._network_file, self._warn)
        layers = take_layers(document, self._file, self._chain, self._warn)
        for key in document:
            self._warn(sentence("'{key}' is not known and was left out.", key=key))
        shaders = tuple(Path(item.path) for item in self._own.values())
        return LoadedPreset(
            Setup(chain, network, scene, anonymize, interpolation, network_enabled, layers),
            self._warnings.all(),
            shaders,
            description,
            has_all_filters=self._has_all_filters,
        )

    def _chain(self, filters: Any) -> ChainSpec:
        """Read the key `filter` of the preset, or of a layer."""
        chain = ChainSpec()
        if not isinstance(filters, list):
            self._has_all_filters = False
            self._warn(sentence("'filter' is not written as [[filter]] and was left out."))
            return chain
        entries = filters
        ids: list[int | None] = []
        for entry in entries[:MAX_STAGES]:
            count = len(chain.stages)
            chain = self._add_filter(chain, entry)
            ids.append(chain.stages[-1].id if len(chain.stages) > count else None)
        for entry, stage_id in zip(entries, ids, strict=False):
            if stage_id is not None and "mask" in entry:
                chain = self._with_mask(chain, stage_id, entry["mask"], ids)
            if stage_id is not None and "automation" in entry:
                known = KnownHere({**self._library.filters, **self._own}, self._library.masks)
                chain = with_automations(chain, stage_id, entry["automation"], known, self._warn)
        if len(entries) > MAX_STAGES:
            self._warn(
                sentence(
                    "it has {count} filters; those after the first {max_stages} were left out.",
                    count=len(entries),
                    max_stages=MAX_STAGES,
                )
            )
        if len(chain.stages) != len(entries):
            self._has_all_filters = False
        return chain

    def _scene(self, given: Any) -> SceneSpec:
        if not isinstance(given, dict):
            self._warn(sentence("'{key}' is not a table and was left out.", key="scene"))
            return SceneSpec()
        from desktop.pipeline.setup.tracks import take_track
        from desktop.pipeline.setup.zones import take_zones

        table = dict(given)
        track = take_track(table, self._warn)
        found = take_zones(table, self._warn)
        for key in table:
            self._warn(sentence("'{key}' is not known and was left out.", key=f"scene.{key}"))
        return SceneSpec(track, zones=found.zones, events=found.events, heat_map=found.heat_map)

    def _filter(self, name: str) -> Filter:
        return self._own[name] if name in self._own else self._library.get(name)

    def _take_shader(self, name: str, file: Any) -> None:
        """Add a filter's shader from the preset, unless the user has one of that name, which stays."""
        path = self._file(file, f"the shader of '{name}'") if isinstance(file, str) else None
        if path is None or name in self._own:
            return
        file_of_name = _under_own_name(Path(path), name)
        if file_of_name.stem != name:
            return
        item = read_filter(file_of_name)
        there = self._library.filters.get(name)
        if there is None:
            self._own[name] = item
        elif there.text != item.text:
            self._warn(
                sentence(
                    "there is another filter called '{name}' here, which is used; rename one of them.",
                    name=name,
                )
            )

    def _add_filter(self, chain: ChainSpec, entry: Any) -> ChainSpec:
        if not isinstance(entry, dict) or not isinstance(entry.get("name"), str):
            self._warn(sentence("a filter without a name was left out."))
            return chain
        for key in entry.keys() - _KEYS:
            self._warn(
                sentence(
                    "'{key}' of the filter '{entry}' is not known and was left out.",
                    key=key,
                    entry=entry["name"],
                )
            )
        try:
            if "shader" in entry:
                self._take_shader(entry["name"], entry["shader"])
            spec = self._filter(entry["name"])
            given = entry.get("values", {})
            if not isinstance(given, dict):
                self._warn(
                    sentence(
                        "the values of the filter '{entry}' are not a table and were left out.",
                        entry=entry["name"],
                    )
                )
                given = {}
            chain = chain.added(spec.id, spec.defaults | self._values(spec, given))
        except LightloomError as error:
            if hides(entry.get("mask")) and entry.get("enabled", True) is not False:
                # Without the filter, what it is to hide would be shown.
                raise PresetError(
                    sentence(
                        "{name} is to hide something with '{filter}', and is not opened without that filter. {error}",
                        name=self._path.name,
                        filter=entry["name"][:80],
                        error=error,
                    )
                ) from error
            self._warn(str(error))
            return chain
        enabled = entry.get("enabled", True)
        if not isinstance(enabled, bool):
            self._warn(
                sentence(
                    "'enabled' of the filter '{spec_id}' is neither true nor false and was left out.",
                    spec_id=spec.id,
                )
            )
        stage_id = chain.stages[-1].id
        if enabled is False:
            chain = chain.with_enabled(stage_id, False)
        for each in _MIXING:
            if each.name in entry:
                try:
                    chain = chain.with_mixing(stage_id, **{each.name: each.check(entry[each.name])})
                except UsageError as error:
                    self._warn(sentence("{error} The usual one is used.", error=error))
        return chain

    def _with_mask(self, chain: ChainSpec, stage_id: int, given: Any, ids: Sequence[int | None]) -> ChainSpec:
        """Give a stage its mask. Without one that can be read it must not act where it should not."""
        try:
            mask = read_mask(given, self._library, ids, self._values_of_part, self._warn)
        except LightloomError as error:
            self._has_all_filters = False
            name = chain.find(stage_id).filter
            if hides(given):
                self._warn(
                    sentence(
                        "{error} '{filter}' acts on the whole frame, so that nothing shows that is to be "
                        "hidden.",
                        error=error,
                        filter=name,
                    )
                )
                return chain
            self._warn(
                sentence(
                    "{error} '{filter}', whose mask it is part of, was switched off.",
                    error=error,
                    filter=name,
                )
            )
            return chain.with_enabled(stage_id, False)
        return chain.with_mixing(stage_id, mask=mask)

    def _values_of_part(self, kind: Filter, given: Mapping[str, Any]) -> Values:
        return kind.defaults | {name: self._value(kind, name, value) for name, value in given.items()}

    def _values(self, spec: Filter, given: dict[str, Any]) -> dict[str, ParamValue]:
        values: dict[str, ParamValue] = {}
        for name, value in given.items():
            try:
                values[name] = self._value(spec, name, value)
            except LightloomError as error:
                self._warn(str(error))
        return values

    def _value(self, spec: Filter, name: str, given: Any) -> ParamValue:
        """Return a checked value, a file's as it is found here; raise LightloomError if it is invalid."""
        param = spec.param(name)
        value: ParamValue = param.check(given)
        if isinstance(param, FileParam) and param.type == "model" and is_remote(str(value)):
            # Unlike a file's, it may well not be there now: its stage says so.
            return self._address(str(value)) or param.without_file("")
        if isinstance(param, FileParam) and param.is_path(value):
            path = str(value)
            what = sentence("the {kind} of '{filter}'", kind=param.noun, filter=spec.id)
            return self._file(path, what) or param.without_file(self._missing(path))
        return value

    def _file(self, name: str, what: str) -> str | None:
        try:
            folder = resolved(self._path).parent
            path = resolved(folder / name)
            is_there = path.is_file() or is_pipeline(path)
            if is_there and (not self._inside or path.is_relative_to(folder)):
                return str(path)
        except (OSError, ValueError):  # longer than the system takes, or with a NUL in it
            pass
        shown = name if len(name) <= 80 else f"{name[:77]}..."
        self._warn(sentence("{what}, {shown}, is not there and was left out.", what=what, shown=shown))
        return None

    def _missing(self, name: str) -> str:
        """Return a missing file's stored name; a bundle's name never leads out of the bundle's folder."""
        if not self._inside:
            return name
        return str(resolved(self._path).parent / re.split(r"[\\/]", name.replace("\0", ""))[-1])

    def _address(self, text: str) -> str | None:
        try:
            return as_named(text)
        except UsageError as error:
            self._warn(str(error))
            return None

    def _network_file(self, name: str, what: str) -> str | None:
        return self._address(name) if is_remote(name) else self._file(name, what)

    def _network_enabled(self, table: Any) -> bool:
        """Remove and return whether the network of a table is switched on, as it is by default."""
        enabled = table.pop("enabled", True) if isinstance(table, dict) else True
        if isinstance(enabled, bool):
            return enabled
        self._warn_unfit("enabled", enabled)
        return True

    def _network(self, table: Any, *, is_second: bool = False) -> NetworkSpec | None:
        if table is None:
            return None
        if not isinstance(table, dict) or not isinstance(table.get("model"), str):
            if is_second:
                self._warn(sentence("the second network has no model and was left out."))
            else:
                self._warn(sentence("the network has no model and was left out."))
            return None
        from desktop.vision.tasks import result_tasks

        model = table.pop("model")
        builtin = builtin_models().get(model)
        if is_remote(model):
            path = self._address(model)
        else:
            path = str(builtin.path) if builtin else self._file(model, sentence("the network's model"))
        if path is None:
            return None
        checks: dict[str, Callable[[Any], bool]] = {
            "backend": lambda v: v in backend_choices(),
            "precision": lambda v: v in _PRECISIONS,
            # Not whether it is here: another machine's preset says so when it is loaded, and keeps it.
            "device": lambda v: isinstance(v, str) and _DEVICE.fullmatch(v) is not None,
            "every": lambda v: type(v) is int and 1 <= v <= 1000,
            "on_result": lambda v: isinstance(v, bool),
            "preprocess": lambda v: isinstance(v, dict),
            "task": lambda v: v == "auto" or v in (task.id for task in result_tasks()),
            "things": lambda v: type(v) is int and 0 <= v <= 16,
            "enlarge": lambda v: type(v) in (int, float) and (v == 0 or 0.25 <= v <= 8),
        }
        for name in _OF_THE_FIRST if is_second else _OF_THE_SECOND:
            del checks[name]
        known: dict[str, Any] = {}
        if not is_second and "second" in table:
            known["second"] = self._network(table.pop("second"), is_second=True)
        for key in checks.keys() & table.keys():
            value = table.pop(key)
            if checks[key](value):
                known[key] = value
            else:
                self._warn_unfit(key, value)
        settings = self._settings(table)
        for key in table:
            self._warn(sentence("'{key}' of the network is not known and was left out.", key=key))
        return NetworkSpec(path, **known, settings=settings)

    def _settings(self, table: dict[str, Any]) -> dict[str, Any]:
        """Take the settings of all tasks out of the table: the task may depend on the network's file."""
        from desktop.vision.tasks import settings_named
        from desktop.vision.tasks.task import Files

        settings: dict[str, Any] = {}
        for key in list(table):
            candidates = list(settings_named(key))
            if not candidates:
                continue
            value = table.pop(key)
            for setting in candidates:
                with contextlib.suppress(UsageError):
                    checked = setting.check(value)
                    if isinstance(setting, Files):
                        what = sentence("a file of the network's '{name}'", name=key)
                        checked = tuple(path for name in checked if (path := self._file(name, what)))
                    if checked != setting.default:
                        settings[key] = checked
                    break
            else:
                self._warn_unfit(key, value)
        return settings

    def _warn_unfit(self, key: str, value: Any) -> None:
        self._warn(
            sentence(
                "the network's {key} can't be {repr}; the usual one is used.",
                key=key,
                repr=repr(str(value)[:40]),
            )
        )
