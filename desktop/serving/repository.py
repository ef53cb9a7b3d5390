"""A folder of models in Triton's layout, `MODEL/VERSION/model.onnx`, with an optional `MODEL/config.toml`.

A pass compares the folder with what is served. A new version, or one whose files changed, is loaded and run
once before it takes the requests of the old one, which is unloaded after its last answer. A version that
cannot be loaded is reported, and the old one stays.
"""

from __future__ import annotations

import logging
import os
import re
import sys
import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice
from pathlib import Path
from typing import Final

from desktop.base.errors import ServingError, UsageError
from desktop.base.files import reason
from desktop.base.printable import printable
from desktop.serving.faults import loading_fault
from desktop.serving.limits import Limits
from desktop.serving.model_config import ModelConfig, read_model_config
from desktop.serving.models import Models
from desktop.serving.served_model import ModelOptions, ServedModel
from desktop.serving.statistics import ModelStatistics
from desktop.serving.tensors import shown

log = logging.getLogger(__name__)

CONFIG: Final = "config.toml"
FILES: Final = ("model.onnx", "model.tflite")
_TRITON_CONFIG: Final = "config.pbtxt"
_SUFFIXES: Final = (".onnx", ".tflite")
_MOST_NAMED: Final = 3
_VERSION: Final = re.compile(r"[1-9][0-9]{0,17}", re.ASCII)
_LONGEST_NAME: Final = 128
_MOST_MODELS: Final = 256
_MOST_ENTRIES: Final = 1024
"""Most entries of a folder that are read."""
_LONGEST_GAP: Final = 64
"""Most passes between two attempts to load a version that failed for lack of memory or the like."""
_LASTING: Final = 4
"""Passes after which a version that may not be read is reported: it is not just being removed."""
_SETTLED_NS: Final = 1_000_000_000
"""Age of the newest file of a version before it is loaded, since it may still be being copied."""

# What is opened or listed while it is removed; on Windows a removed file is there until its last reader closes it.
_GOING: Final = (FileNotFoundError, PermissionError) if sys.platform == "win32" else (FileNotFoundError,)

Stamp = tuple[tuple[str, int, int, int], ...]
"""Name, size, time of change in ns and inode of each file."""


@dataclass(frozen=True)
class VersionFolder:
    """A version in the folder. `stamp` changes with its files, and with the model's settings."""

    name: str
    version: str
    file: Path
    stamp: Stamp

    @property
    def key(self) -> tuple[str, str]:
        """Name and version."""
        return self.name, self.version

    def is_settled(self, now_ns: int) -> bool:
        """Return True if no file changed within the last second."""
        return all(not 0 <= now_ns - changed < _SETTLED_NS for _, _, changed, _ in self.stamp)


@dataclass(frozen=True)
class Change:
    """A version that was loaded, replaced, removed, or could not be loaded.

    `model` is the loaded one, `problem` a sentence if it could not be loaded, else ''; neither if removed.
    """

    name: str
    version: str
    model: ServedModel | None = None
    problem: str = ""


@dataclass
class _Retry:
    """When a version is tried again: after `left` passes, which were `gap` of them; `cause` is the type of what it
    failed for, and of what that came from. Its text may differ each time, as by the memory that is free.
    """

    left: int
    gap: int
    cause: tuple[type, type]


@dataclass
class _State:
    """Versions as they were last tried, problems as last reported, models that a client unloaded, and networks
    outside the folder of a model, by the names that they would have.

    Attributes:
        shadowed: models that have the name of one named at the start.
        with_triton_settings: models that were reported to have settings in Triton's format.
        unreadable: the number of passes for which a version could not be read.
    """

    tried: dict[tuple[str, str], Stamp] = field(default_factory=dict)
    problems: dict[str, str] = field(default_factory=dict)
    statistics: dict[tuple[str, str], ModelStatistics] = field(default_factory=dict)
    unloaded: set[str] = field(default_factory=set)
    loose: dict[str, str] = field(default_factory=dict)
    shadowed: set[str] = field(default_factory=set)
    with_triton_settings: set[str] = field(default_factory=set)
    unreadable: dict[tuple[str, str], int] = field(default_factory=dict)
    retries: dict[tuple[str, str], _Retry] = field(default_factory=dict)


class Repository:
    """The models of a folder, kept in step with it by `update`. Thread-safe."""

    def __init__(
        self,
        folder: Path,
        models: Models,
        usual: ModelOptions,
        limits: Limits,
        report: Callable[[Change], None] = lambda _: None,
    ) -> None:
        """`usual`: options of models that have no settings of their own; `report` gets each change.

        Raises UsageError if it is no folder.
        """
        check_folder(folder)
        self._folder = folder
        self._models = models
        self._usual = usual
        self._report = report
        # For a request that came just before a change: reading it, and answering it.
        self._retire_s = limits.body_s + limits.answer_s
        self._state = _State()
        self._lock = threading.Lock()
        self._named = frozenset(model.name for model in models.all)

    def has(self, name: str) -> bool:
        """Return True if a model is one of the folder, and none that was named at the start."""
        if name in self._named:
            return False
        return name in self._state.loose or bool(self._models.versions(name)) or self._has_folder(name)

    def _has_folder(self, name: str) -> bool:
        # By the listing: Windows finds 'faces' also under 'FACES' and 'faces.', which would be other models.
        try:
            return name in _names(self._folder)
        except OSError:
            return False

    def update(self, *, settled_only: bool = True) -> None:
        """Bring the served versions in step with the folder. Problems are reported, not raised.

        `settled_only`: leave versions whose files may still be being copied for the next time.
        """
        with self._lock:
            try:
                found = _names(self._folder)
            except OSError as error:
                self._note_problem("", f"{self._folder} cannot be read: {reason(error)}; its models stay.")
                return
            names = [name for name in found[:_MOST_MODELS] if name not in self._named]
            loose = _loose_files(self._folder, time.time_ns() if settled_only else None)
            self._note_problem(
                "", _omitted(self._folder, len(found)) or _without_models(self._folder, found, loose)
            )
            self._note_loose(loose, {*names, *self._named})
            self._note_named({*found} & self._named)
            known = {name for name, _ in self._state.tried} | {each.name for each in self._models.unserved}
            gone = known - set(names) - set(self._state.loose) - self._named
            self._state.unloaded &= set(names)
            self._state.with_triton_settings &= set(names)
            for name in [*names, *sorted(gone)]:
                if name in self._state.unloaded:
                    continue
                try:
                    self._update_model(name, settled_only=settled_only)
                except Exception:
                    # One model must not keep all others from being served.
                    log.exception("the model '%s' could not be compared with what is served", shown(name))

    def load(self, name: str) -> None:
        """Load a model's versions as they are now, also those that failed before.

        Raises ServingError: if one of them cannot be loaded, its folder has another layout, or it has no version.
        """
        with self._lock:
            if (problem := self._state.loose.get(name)) and not self._has_folder(name):
                raise _not_served(name, problem)
            self._state.unloaded.discard(name)
            serving = self._models.versions(name)
            for key in [key for key in self._state.tried if key[0] == name and key[1] not in serving]:
                del self._state.tried[key]
            problems = self._update_model(name, settled_only=False)
            if problems:
                raise problems[0]
            if not self._models.versions(name):
                raise self._no_version(name)

    def _no_version(self, name: str) -> ServingError:
        if problem := self._models.problem(name, ""):
            return _not_served(name, problem)
        return ServingError(
            "missing", f"The model '{shown(name)}' has no version; add {shown(name)}/1/{FILES[0]}."
        )

    def unload(self, name: str) -> None:
        """Unload a model's versions, once their requests are answered, until `load`.

        Raises ServingError if there is none.
        """
        with self._lock:
            tried = [key for key in self._state.tried if key[0] == name]
            if not tried and name not in self._state.unloaded:
                raise self._no_version(name)
            self._state.unloaded.add(name)
            for key in tried:
                self._drop(*key)
                self._models.note_problem(*key, "it was unloaded; load it again.")

    def _note_loose(self, files: Sequence[Path], taken: Collection[str]) -> None:
        """Note for the index the networks that are in no folder of a model, unless a model has their name."""
        before = self._state.loose
        self._state.loose = {
            each.stem: f"{each.name} is not in the folder of a model; move it to {_place_of(each)}."
            for each in files[:_MOST_MODELS]
            if is_name(each.stem) and each.stem not in taken
        }
        for name in before.keys() - self._state.loose.keys() - set(taken):
            self._models.note_problem(name, "", "")
        for name, problem in self._state.loose.items():
            self._models.note_problem(name, "", problem)

    def _update_model(self, name: str, *, settled_only: bool) -> list[ServingError]:
        """Load, replace and remove versions of a model; return what went wrong."""
        try:
            config = self._config(name)
            found, unreadable = version_folders(self._folder, name)
            found = found[: config.versions]
        except (UsageError, OSError) as error:
            problem = str(error) if isinstance(error, UsageError) else f"it cannot be read: {reason(error)}."
            self._note_problem(name, problem)
            return [ServingError("invalid", f"The model '{shown(name)}' is as it was before: {problem}")]
        now_ns = time.time_ns()
        misplaced = _misplaced(self._folder / name, now_ns if settled_only else None)
        self._note_problem(name, _omitted(self._folder / name) or misplaced)
        self._note_triton_settings(name)
        problems: list[ServingError] = []
        # The newest first: requests should get it soon.
        for each in found:
            is_known = self._state.tried.get(each.key) == each.stamp and not self._count_pass(each.key)
            if is_known or (settled_only and not each.is_settled(now_ns)):
                continue
            failed = self._load_version(each, config.options)
            problems += [] if failed is None else [failed]
        self._remove_others(name, {each.version for each in found})
        self._note_unreadable(name, unreadable)
        return problems

    def _remove_others(self, name: str, kept: set[str]) -> None:
        """Remove the versions beside `kept`; one that is served stays until one of those is."""
        served = set(self._models.versions(name))
        for key in [key for key in self._state.tried if key[0] == name and key[1] not in kept]:
            if key[1] not in served or served & kept or not kept:
                self._drop(*key)
                self._report(Change(*key))
        # Versions that a client unloaded are not among those that were tried.
        for each in self._models.unserved:
            if each.name == name and each.version and each.version not in kept:
                self._models.note_problem(name, each.version, "")

    def _config(self, name: str) -> ModelConfig:
        path = self._folder / name / CONFIG
        return read_model_config(path, self._usual) if path.exists() else ModelConfig(self._usual)

    def _note_problem(self, name: str, problem: str) -> None:
        """Report a problem of a model's folder ('' for the repository's) once; '' if there is none."""
        if problem and self._state.problems.get(name) != problem:
            self._report(Change(name, "", problem=problem))
        self._state.problems[name] = problem
        if name:
            self._models.note_problem(name, "", problem)

    def _count_pass(self, key: tuple[str, str]) -> bool:
        """Count a pass for a version that failed for lack of something else than its files; return True if it is to
        be tried again.
        """
        retry = self._state.retries.get(key)
        if retry is None:
            return False
        retry.left -= 1
        return retry.left <= 0

    def _note_named(self, names: set[str]) -> None:
        """Report once the models of the folder that have the name of one that was named at the start."""
        for name in sorted(names - self._state.shadowed):
            problem = (
                f"it is the one named at the start, and {self._folder / name} is not served; rename one."
            )
            self._report(Change(name, "", problem=problem))
        self._state.shadowed = names

    def _note_triton_settings(self, name: str) -> None:
        """Report once that a model has settings in Triton's format alone, which do not keep it from being served."""
        place = self._folder / name
        if name in self._state.with_triton_settings or not (place / _TRITON_CONFIG).is_file():
            return
        self._state.with_triton_settings.add(name)
        if not (place / CONFIG).is_file():
            problem = f"{_TRITON_CONFIG} is not read; write its settings into {CONFIG} (docs/serving.md)."
            self._report(Change(name, "", problem=problem))

    def _note_unreadable(self, name: str, versions: Mapping[str, OSError]) -> None:
        """Report once the versions that could not be read for some passes: they are not just being removed."""
        passes = self._state.unreadable
        for key in [key for key in passes if key[0] == name and key[1] not in versions]:
            del passes[key]
        for version, error in versions.items():
            passes[name, version] = passes.get((name, version), 0) + 1
            if passes[name, version] < _LASTING:
                log.debug("version %s of the model '%s' is being removed", version, shown(name))
                continue
            problem = f"It cannot be read: {reason(error)}; check the permissions of its folder."
            self._models.note_problem(name, version, problem)
            if passes[name, version] == _LASTING:
                self._report(Change(name, version, problem=problem))

    def _load_version(self, found: VersionFolder, options: ModelOptions) -> ServingError | None:
        """Load a version and serve it; return why that failed, or None."""
        if self._state.tried.get(found.key) != found.stamp:
            self._state.retries.pop(found.key, None)
        self._state.tried[found.key] = found.stamp
        statistics = self._state.statistics.setdefault(found.key, ModelStatistics())
        model = ServedModel(found.name, str(found.file), options, found.version, statistics)
        try:
            model.load()
        except Exception as error:  # a fault in one must not keep all others from being served
            fault = loading_fault(error)
            still = found.version in self._models.versions(found.name)
            problem = f"{fault}{' The version from before stays.' if still else ''}"
            is_known = self._note_retry(found.key, error, fault)
            self._models.note_problem(*found.key, problem)
            if not is_known:
                self._report(Change(*found.key, problem=problem))
            text = f"Version {found.version} of the model '{found.name}' is not served: {problem}"
            return ServingError(fault.kind, text)
        self._state.retries.pop(found.key, None)
        self._models.put(model, self._retire_s)
        self._report(Change(*found.key, model=model))
        return None

    def _note_retry(self, key: tuple[str, str], error: Exception, fault: ServingError) -> bool:
        """Note when a version is tried again, if that may help; return True if it failed for the same cause before."""
        before = self._state.retries.pop(key, None)
        if fault.kind != "unavailable" and not isinstance(error.__cause__, OSError):
            return False
        gap = 1 if before is None else min(2 * before.gap, _LONGEST_GAP)
        cause = type(error), type(error.__cause__)
        self._state.retries[key] = _Retry(gap, gap, cause)
        return before is not None and before.cause == cause

    def _drop(self, name: str, version: str) -> None:
        self._state.tried.pop((name, version), None)
        self._state.statistics.pop((name, version), None)
        self._state.retries.pop((name, version), None)
        self._models.note_problem(name, version, "")
        if version in self._models.versions(name):
            self._models.remove(name, version, self._retire_s)


class Polling:
    """Updates a repository every `seconds` on a thread, from `start` until `close`."""

    def __init__(self, repository: Repository, seconds: float) -> None:
        self._repository = repository
        self._seconds = seconds
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, name="model repository", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def _run(self) -> None:
        while not self._over.wait(self._seconds):
            try:
                self._repository.update()
            except Exception:
                # A fault while the folder is listed must not end the polling; models are guarded one by one.
                log.exception("the model repository could not be compared with what is served")

    def close(self, timeout: float) -> None:
        """End; a network that is being loaded is waited for `timeout` seconds at most."""
        self._over.set()
        if self._thread.is_alive():
            self._thread.join(timeout)


def check_folder(folder: Path) -> None:
    """Raise UsageError if a repository is no folder, or cannot be read."""
    if not folder.is_dir():
        raise UsageError(f"{folder} is no folder of models; give one with MODEL/1/model.onnx in it.")
    try:
        next(folder.iterdir(), None)
    except OSError as error:
        raise UsageError(f"{folder} cannot be read: {reason(error)}; check its permissions.") from error


def is_name(name: str) -> bool:
    """Return True if a text can be a model's name: printable, no path, of at most 128 characters."""
    return (
        0 < len(name) <= _LONGEST_NAME
        and name.isprintable()
        and not name.startswith(".")
        and not set(name) & set("/\\")
    )


def version_folders(folder: Path, name: str) -> tuple[list[VersionFolder], dict[str, OSError]]:
    """Return the versions of a model that have a network, newest first, and the errors of those that are being
    removed, or on Windows may not be read; raise OSError if unreadable.
    """
    place = folder / name
    found: list[VersionFolder] = []
    unreadable: dict[str, OSError] = {}
    if not place.is_dir():
        return found, unreadable
    shared = [place / CONFIG] if (place / CONFIG).is_file() else []
    numbers = [each.name for each in _entries(place) if _VERSION.fullmatch(each.name)]
    for version in sorted(numbers, key=int, reverse=True):
        file = _network(place / version)
        if file is None:
            continue
        try:
            files = [each for each in _entries(file.parent) if each.is_file()]
            found.append(VersionFolder(name, version, file, _stamp([*files, *shared])))
        except _GOING as error:
            unreadable[version] = error
    return found, unreadable


def _names(folder: Path) -> list[str]:
    return sorted(each.name for each in _entries(folder) if is_name(each.name) and each.is_dir())


def _entries(folder: Path) -> Iterator[Path]:
    return islice(folder.iterdir(), _MOST_ENTRIES)


def _omitted(folder: Path, models: int = 0) -> str:
    """Return a sentence if a folder has more entries than are read, or more models than are served, else ''."""
    try:
        has_more = next(islice(folder.iterdir(), _MOST_ENTRIES, None), None) is not None
    except OSError:
        has_more = False
    if has_more:
        return f"{folder} has more than {_MOST_ENTRIES} entries, and only so many are read; remove others."
    if models > _MOST_MODELS:
        return (
            f"{folder} has {models} models, of which the first {_MOST_MODELS} by name are served; move others "
            "to a folder of another server."
        )
    return ""


def _misplaced(place: Path, now_ns: int | None) -> str:
    """Return a sentence if a model's network is not in the folder of a version, else ''.

    `now_ns`: leave folders that changed, or whose files did, within the last second, which may still be being
    filled, also under a name until they are complete; None for all.
    """
    try:
        entries = {each.name: each for each in _entries(place) if not each.name.startswith(".")}
        versions = sorted((name for name in entries if _VERSION.fullmatch(name)), key=int, reverse=True)
        networks = {version: _network(entries[version]) for version in versions if entries[version].is_dir()}
        folders = [each for each in entries.values() if each.is_dir()]
        filling = chain([place, *entries.values()], *map(_entries, folders))
        if now_ns is not None and any(_is_fresh(each, now_ns) for each in filling):
            return ""
    except OSError:  # removed meanwhile
        return ""
    lacking = next((version for version, network in networks.items() if network is None), None)
    odd = sorted(name for name in entries.keys() - set(versions) if _network(entries[name]) is not None)
    if odd:
        return (
            f"The folder {shown(odd[0])} has a network and is no version; name it with a whole number from 1, "
            "without leading zeros and of at most 18 digits."
        )
    if lacking is not None:
        other = next((name for name in FILES if os.path.lexists(entries[lacking] / name)), None)
        if other is not None:
            return f"{other} of version {lacking} is no file; put the network there."
        return f"Version {lacking} has no {' or '.join(FILES)}; give its network that name."
    loose = next((name for name in FILES if name in entries), None)
    if networks or (loose is None and not entries.keys() - {CONFIG}):
        return ""
    if loose is not None:
        return f"{loose} is not in the folder of a version; move it to {place.name}/1/{loose}."
    return f"It has no version; put its network into {place.name}/1/{FILES[0]}."


def _is_fresh(path: Path, now_ns: int) -> bool:
    """Return True if a file or folder changed within the last second; raise OSError."""
    try:
        return 0 <= now_ns - path.stat().st_mtime_ns < _SETTLED_NS
    except FileNotFoundError:  # a link to nothing, or removed meanwhile
        return False


def _loose_files(folder: Path, now_ns: int | None) -> list[Path]:
    """Return the networks that are beside the folders of models, by name; `now_ns`: none that changed within the
    last second. Raises OSError.
    """
    found = [
        each
        for each in _entries(folder)
        if each.suffix.lower() in _SUFFIXES and not each.name.startswith(".") and each.is_file()
    ]
    return sorted(each for each in found if now_ns is None or not _is_fresh(each, now_ns))


def _place_of(file: Path) -> str:
    """Return the place in a repository of a network that is in no folder of a model."""
    name = "MODEL" if file.name in FILES or not is_name(file.stem) else file.stem
    return f"{name}/1/model{file.suffix.lower()}"


def _without_models(folder: Path, names: list[str], loose: list[Path]) -> str:
    """Return a sentence if a repository has something else where the folders of models should be, else ''.

    `names`: of the folders of models. `loose`: networks beside them.
    """
    if any(_VERSION.fullmatch(name) and _network(folder / name) is not None for name in names):
        return f"{folder} has the versions of one model; give the folder above it."
    if len(loose) == 1:
        return (
            f"{folder} has a network outside the folder of a model, {shown(loose[0].name)}; move it to "
            f"{_place_of(loose[0])}."
        )
    if loose:
        return (
            f"{folder} has {len(loose)} networks outside the folders of models ({_named(loose)}); move each to "
            f"a folder of its own, as {shown(loose[0].name)} to {_place_of(loose[0])}."
        )
    odd = next((each.name for each in _entries(folder) if not is_name(each.name) and _is_model(each)), None)
    if odd is not None:
        return (
            f"The folder '{printable(shown(odd))}' in {folder} cannot be a model's name; give it another one."
        )
    others = [] if names else sorted(each for each in _entries(folder) if not each.name.startswith("."))
    if others:
        return f"{folder} has no folder of a model, only {_named(others)}; add MODEL/1/{FILES[0]}."
    return ""


def _is_model(place: Path) -> bool:
    """Return True for a folder with versions that is not hidden."""
    if place.name.startswith(".") or not place.is_dir():
        return False
    return any(_VERSION.fullmatch(each.name) and _network(each) is not None for each in _entries(place))


def _named(paths: Sequence[Path]) -> str:
    """Return the first names of some paths, and how many more there are."""
    names = [shown(each.name) for each in paths[:_MOST_NAMED]]
    more = len(paths) - len(names)
    return ", ".join(names) + (f" and {more} more" if more else "")


def _not_served(name: str, problem: str) -> ServingError:
    return ServingError("invalid", f"The model '{shown(name)}' is not served: {problem}")


def _network(folder: Path) -> Path | None:
    """Return the network that a folder has, None if it has none."""
    return next((file for file in (folder / name for name in FILES) if file.is_file()), None)


def _stamp(files: list[Path]) -> Stamp:
    found = []
    for path in sorted(files):
        try:
            state = path.stat()
        except _GOING:  # such as the file of a copy that got its name
            continue
        found.append((path.name, state.st_size, state.st_mtime_ns, state.st_ino))
    return tuple(found)
