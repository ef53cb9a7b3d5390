"""What the window can do, without its widgets: edits of the chain, opening, dropping, presets, snapshots, recordings."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np
from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication, QImage

from desktop.compute.chain.runner import ChainSpec, StageSpec
from desktop.compute.engine import Engine, NetworkStatus
from desktop.compute.filters.description import Filter
from desktop.compute.filters.library import FilterLibrary
from desktop.compute.filters.param import ParamValue
from desktop.compute.gpu.device import AdapterInfo, Gpu, list_adapters
from desktop.compute.media.sources.file_kinds import DropKind, classify_drop
from desktop.compute.models.builtin import builtin_models
from desktop.compute.presets.preset import LoadedPreset, NetworkSpec, Setup, save_preset
from desktop.errors import LightloomError, ModelError
from desktop.paths import user_pictures_folder
from desktop.ui.capture import Recording, fetch, free_path
from desktop.ui.history import History
from desktop.ui.jobs import Jobs
from desktop.ui.language import translated
from desktop.ui.network import first_look, sample_name
from desktop.ui.playback import Playback
from desktop.ui.settings import Settings

if TYPE_CHECKING:
    from desktop.compute.models.model_file import ModelFile
    from desktop.compute.running.inputs import InputFacts  # imports onnx

_CLASSIFIER: Final = "classifier"

log = logging.getLogger(__name__)

Level = Literal["info", "hint", "warning", "error"]


@dataclass(frozen=True)
class Notice:
    """A sentence for the user; an 'info' goes by itself, a 'hint' and the others stay until they are dismissed.

    `path` is a file that it is about; `of_source` says that a source could not be opened or was lost, which is old news once one plays.
    `about` names what has failed, so that the sentence goes when that is mended (`Controller.settled`).
    """

    level: Level
    text: str
    path: str = ""
    of_source: bool = False
    about: str = field(default="", compare=False)


# What is dropped to act on a picture, and is none.
_NO_SOURCE: Final[frozenset[DropKind]] = frozenset({"model", "filter", "preset", "lut"})


@dataclass(frozen=True)
class _Dropped:
    """What something dropped turned out to be; an address or a name, and what does not exist, is 'unknown'."""

    spec: str
    kind: DropKind = "unknown"
    preset: LoadedPreset | None = None
    error: LightloomError | None = None


def _open_preset(path: Path, library: FilterLibrary) -> LoadedPreset:
    # With it comes what knows networks' files, which the first picture does without.
    from desktop.compute.presets.bundle import open_preset

    return open_preset(path, library)


def _look_at(spec: str, library: FilterLibrary) -> _Dropped:
    try:
        path = Path(spec).expanduser().absolute()
        if "://" in spec or not path.exists():
            return _Dropped(spec)
    except (OSError, RuntimeError, ValueError):  # too long a name, nobody's home, a null
        return _Dropped(spec)
    try:
        kind = classify_drop(path)
        return _Dropped(str(path), kind, _open_preset(path, library) if kind == "preset" else None)
    except LightloomError as error:
        return _Dropped(str(path), error=error)


class Controller(QObject):
    """Owns the engine, the source that plays and the history of edits.

    Signals:
        setup_changed: the chain or the network is another one.
        notice: something to tell.
        settled: what a notice was `about` works now, or is not there any more.
        said: a word about what was just done, shown for a moment.
        filters_changed: the library has other filters.
        engine_rebuilt: the engine has a new device.
        progressed: a frame has come back from the GPU.
        network_changed: the network's state is another one.
        recording_changed: a recording began or ended.
        clipboard_changed: other stages are kept to be pasted.
        input_unclear: an `InputFacts`: a network came whose file leaves open how pictures go into it.
    """

    setup_changed = Signal()
    notice = Signal(object)
    settled = Signal(str)
    said = Signal(str)
    filters_changed = Signal()
    engine_rebuilt = Signal()
    progressed = Signal()
    network_changed = Signal()
    recording_changed = Signal()
    clipboard_changed = Signal()
    input_unclear = Signal(object)

    def __init__(self, engine: Engine, settings: Settings, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.engine = engine
        self.settings = settings
        self.jobs = Jobs(self)
        self.playback = Playback(self.jobs, self)
        self.history = History(engine.setup)
        self.clipboard: tuple[StageSpec, ...] = ()
        self.recording: Recording | None = None
        self._dropped_shaders: dict[Path, tuple[int, int]] = {}
        self._told: dict[str, str] = {}
        self._failures: dict[str, str] = {}
        self._network_status = NetworkStatus()
        self._running_model = ""
        self._look: ChainSpec | None = None
        # Networks that failed the last time, which nobody is brought back to.
        self._failed_models: set[str] = set()
        # Files that are used for the first time, until it is known whether they run.
        self._new_models: set[str] = set()
        # What was seen to be unclear about those that were dropped, to be asked once they run.
        self._looked_at: dict[str, InputFacts | None] = {}
        engine.on_rebuild = self._on_rebuild
        engine.on_progress = self._on_progress
        self.playback.failed.connect(lambda text: self.tell("error", text, of_source=True))
        self.playback.opened.connect(self._on_opened)
        self.playback.moved.connect(self._skip_interval)

    @property
    def library(self) -> FilterLibrary:
        """The filters."""
        return self.engine.library

    @property
    def setup(self) -> Setup:
        """The chain and network in use."""
        return self.history.setup

    @property
    def chain(self) -> ChainSpec:
        """The chain in use."""
        return self.setup.chain

    def tell(
        self, level: Level, text: str, path: str = "", *, of_source: bool = False, about: str = ""
    ) -> None:
        """Show a sentence in the window's language, and log it in English; see `Notice`."""
        log.log({"warning": logging.WARNING, "error": logging.ERROR}.get(level, logging.INFO), "%s", text)
        self.notice.emit(Notice(level, translated(text), path, of_source, about))

    def _on_progress(self) -> None:
        # From another thread; the signal's queued delivery wakes the window.
        with contextlib.suppress(RuntimeError):  # the window is gone
            self.progressed.emit()

    def _on_rebuild(self) -> None:
        self.engine_rebuilt.emit()

    # -- edits -------------------------------------------------------------------------------------------------------

    def edit(self, setup: Setup, label: str, key: object = None) -> None:
        """Make a setup the one in use; edits with the same `key` in a row are one step of undo."""
        if setup == self.setup:
            return
        if self.chain is self._look and setup.chain != self._look:
            self.settings.shows_look = False
        self.history.push(setup, label, key)
        self._apply()

    def edit_chain(self, chain: ChainSpec, label: str, key: object = None) -> None:
        """Make a chain the one in use."""
        self.edit(replace(self.setup, chain=chain), label, key)

    def _apply(self) -> None:
        self.engine.set_setup(self.setup)
        self.setup_changed.emit()
        self.playback.woken.emit()

    def undo(self) -> None:
        """Take the last edit back."""
        label = self.history.undo_label
        if self.history.undo():
            self._apply()
            self.said.emit(self.tr("Undone: {0}").format(label))

    def redo(self) -> None:
        """Bring the last edit that was taken back."""
        label = self.history.redo_label
        if self.history.redo():
            self._apply()
            self.said.emit(self.tr("Redone: {0}").format(label))

    def title_of(self, filter_id: str) -> str:
        """Return a filter's title, its id where it is unknown."""
        item = self.library.filters.get(filter_id)
        return translated(item.title) if item is not None else filter_id

    def add_filter(
        self, filter_id: str, values: Mapping[str, ParamValue] | None = None, at: int | None = None
    ) -> int | None:
        """Add a stage and return its id; None, with a notice, where that is not possible."""
        try:
            checked = self.library.get(filter_id).check(values or {})
            chain = self.chain.added(filter_id, checked, at)
        except LightloomError as error:
            self.tell("error", str(error))
            return None
        before = {stage.id for stage in self.chain.stages}
        self.edit_chain(chain, self.tr("Add {0}").format(self.title_of(filter_id)))
        return next(stage.id for stage in chain.stages if stage.id not in before)

    def remove_stage(self, stage_id: int) -> None:
        """Take a stage out."""
        title = self.title_of(self.chain.find(stage_id).filter)
        self.edit_chain(self.chain.removed(stage_id), self.tr("Remove {0}").format(title))

    def move_stage(self, stage_id: int, to: int) -> None:
        """Put a stage at a position."""
        title = self.title_of(self.chain.find(stage_id).filter)
        self.edit_chain(self.chain.moved(stage_id, to), self.tr("Move {0}").format(title))

    def set_enabled(self, stage_id: int, enabled: bool) -> None:
        """Switch a stage on or off."""
        title = self.title_of(self.chain.find(stage_id).filter)
        label = self.tr("Switch {0} on") if enabled else self.tr("Switch {0} off")
        self.edit_chain(self.chain.with_enabled(stage_id, enabled), label.format(title))

    def set_value(self, stage_id: int, name: str, value: Any) -> None:
        """Set a parameter; a row of calls for the same one, until `seal`, is one step of undo."""
        stage = self.chain.find(stage_id)
        try:
            checked = self.library.get(stage.filter).param(name).check(value)
        except LightloomError as error:
            self.tell("error", str(error))
            return
        label = self.tr("{0} of {1}").format(self._label(stage.filter, name), self.title_of(stage.filter))
        self.edit_chain(self.chain.with_values(stage_id, {name: checked}), label, (stage_id, name))

    def seal(self) -> None:
        """End a drag."""
        self.history.seal()

    def _label(self, filter_id: str, name: str) -> str:
        return translated(self.library.get(filter_id).param(name).label)

    def reset_stage(self, stage_id: int) -> None:
        """Set all of a stage's parameters to their defaults."""
        stage = self.chain.find(stage_id)
        values = self.library.get(stage.filter).defaults
        label = self.tr("Reset {0}").format(self.title_of(stage.filter))
        self.edit_chain(self.chain.with_values(stage_id, values), label)

    def duplicate_stage(self, stage_id: int) -> None:
        """Put a copy of a stage behind it."""
        stage = self.chain.find(stage_id)
        self._insert(
            (stage,),
            self.chain.stages.index(stage) + 1,
            self.tr("Duplicate {0}").format(self.title_of(stage.filter)),
        )

    def copy_stages(self, stage_ids: Sequence[int]) -> None:
        """Keep stages to be pasted; all of them where none is named."""
        self.clipboard = tuple(s for s in self.chain.stages if s.id in stage_ids or not stage_ids)
        self.clipboard_changed.emit()
        self.said.emit(self.tr("Copied %n filters", "", len(self.clipboard)))

    def paste_stages(self, at: int | None = None) -> None:
        """Put the kept stages in, at the end by default."""
        if self.clipboard:
            self._insert(self.clipboard, len(self.chain.stages) if at is None else at, self.tr("Paste"))

    def _insert(self, stages: Sequence[StageSpec], at: int, label: str) -> None:
        chain = self.chain
        try:
            for offset, stage in enumerate(stages):
                chain = chain.added(stage.filter, stage.values, at + offset)
                if not stage.enabled:
                    chain = chain.with_enabled(chain.stages[at + offset].id, False)
        except LightloomError as error:
            self.tell("error", str(error))
            return
        self.edit_chain(chain, label)

    def clear_chain(self) -> None:
        """Take all stages out."""
        self.edit_chain(ChainSpec(), self.tr("Clear the chain"))

    # -- the network -------------------------------------------------------------------------------------------------

    def set_network(self, spec: NetworkSpec | None, key: object = None) -> None:
        """Use another network, other settings for it, or none."""
        if spec is not None:
            self.settings.add_model(spec.model)
        self.settings.names_things = spec is not None
        label = (
            self.tr("Network {0}").format(Path(spec.model).name) if spec else self.tr("Remove the network")
        )
        self.edit(replace(self.setup, network=spec), label, key)

    def begin(self) -> bool:
        """Begin with the sample seen through a filter, and named by the classifier in the box; return True with a filter.

        The classifier stays away once the user has removed a network there, the filter once that chain was changed.
        """
        if self.history.undo_label or self.setup != Setup():
            return False
        setup = self.setup
        classifier = builtin_models().get(_CLASSIFIER)
        if classifier is not None and self.settings.names_things:
            setup = replace(setup, network=NetworkSpec(str(classifier.path)))
        if self.settings.shows_look:
            setup = replace(setup, chain=self._first_chain())
        if setup != self.setup:
            # The beginning of the history, not an edit that could be undone.
            self.history = History(setup)
            self._look = setup.chain
            self._apply()
        return bool(setup.chain.stages)

    def _first_chain(self) -> ChainSpec:
        name, values = first_look(self.adapter)
        item = self.library.filters.get(name)
        return ChainSpec().added(name, item.check(values)) if item is not None else ChainSpec()

    def use_model(self, path: Path, *, add: bool = False) -> None:
        """Use a network file: what dropping an .onnx and 'Use' in the library do.

        One that gives a picture, a mask or a depth map becomes a stage of the chain, or takes the place of the one that a stage of its
        kind has (unless `add`); the others look at the picture. Where nothing tells what it is for, that is asked before it is used:
        what a guess would show is worse than nothing.
        """
        if str(path) not in self.settings.models:
            self._new_models.add(str(path))
        gpu = self.engine.gpu

        def found(looked: _Looked) -> None:
            if looked.must_ask:
                self._new_models.discard(str(path))
                self.input_unclear.emit(looked.unclear)
                return
            if looked.file is not None:
                self.engine.models.keep(looked.file)
            if looked.stage is None:
                self._looked_at[str(path)] = looked.unclear
            self._use_model(path, looked.stage, add=add)

        self.jobs.run(lambda: _look_at_model(path, gpu), found)

    def _ask_input(self, status: NetworkStatus) -> None:
        """Ask what a new network's file leaves open, once it runs: what is assumed is right more often than not, and the picture shows it.

        One that failed is asked about only if that may have been for its task: nothing said of its input would let it run else.
        """
        model = self.setup.network.model if self.setup.network is not None else ""
        if status.state not in ("running", "failed") or model not in self._new_models:
            return
        self._new_models.remove(model)
        if model in self._looked_at:
            unclear = self._looked_at.pop(model)
            if unclear is not None and status.state == "running":
                self.input_unclear.emit(unclear)
            return
        gpu = self.engine.gpu if status.state == "failed" else None

        def ask(found: object) -> None:
            if found is not None:
                self.input_unclear.emit(found)

        self.jobs.run(lambda: _unclear_input(Path(model), gpu), ask)

    def reload_model(self, path: Path, values: Mapping[str, Any], task: str, *, kept: bool) -> None:
        """Use a network anew with what the user said of its input.

        `kept` tells that it stands beside the file now. Where that was not possible it goes into the preset, as far as a preset has it.
        """
        from desktop.compute.tasks import is_beside

        model, setup, beside = str(path), self.setup, is_beside(task)
        network = setup.network if setup.network is not None and setup.network.model == model else None
        stages = tuple(s for s in setup.chain.stages if s.values.get("model") != model)
        used = network is not None or len(stages) < len(setup.chain.stages)
        if not used or (network is not None) != beside:
            if network is not None:
                self.set_network(None)
            if kept or not beside:
                self.use_model(path)
            else:  # nothing beside the file says it, so it would be asked again
                self.set_network(NetworkSpec(model, preprocess=values, task=task))
            return
        others = setup.network if network is None else None
        self.engine.set_setup(Setup(ChainSpec(stages), others))
        if network is None:
            self._apply()
            return
        said = {k: v for k, v in network.preprocess.items() if k not in values}
        spec = replace(
            network, preprocess=said if kept else {**said, **values}, task="auto" if kept else task
        )
        self.set_network(spec)
        self._apply()

    def _use_model(self, path: Path, stage: tuple[str, dict[str, str]] | None, *, add: bool) -> None:
        if stage is None:
            self.set_network(NetworkSpec(str(path)))
            return
        self.settings.add_model(str(path))
        filter_id, values = stage
        same = [s for s in self.chain.stages if s.filter == filter_id]
        if add or not same:
            self.add_filter(filter_id, values)
            return
        for name, value in values.items():
            self.seal()
            self.set_value(same[-1].id, name, value)
        self.seal()

    # -- opening -----------------------------------------------------------------------------------------------------

    def open(self, spec: str) -> None:
        """Open a path, an address, 'sample' or 'camera:...' as the source."""
        self.playback.open(spec)

    def open_sample(self) -> None:
        """Open the built-in sample."""
        self.open(sample_name(self.adapter))

    def _on_opened(self, name: str) -> None:
        self.engine.pipeline.chain.reset()
        # What a network said of another source is not shown on this one.
        self.engine.pipeline.latest = None
        self._skip_interval()
        if name and not name.startswith("sample") and not name.startswith("camera"):
            self.settings.add_recent(name)

    def _skip_interval(self) -> None:
        self.engine.pipeline.statistics.skip_interval()

    def drop(self, specs: Sequence[str], *, on_sample: bool = False) -> None:
        """Take in paths and addresses of any kind, several at once; each that fails gives a notice, the others go on.

        `on_sample`: where all that is good is filters, networks and presets, the sample is opened for them to be seen on.
        """

        def take_in(found: list[_Dropped]) -> None:
            good = [dropped.kind for dropped in found if dropped.error is None]
            if on_sample and good and _NO_SOURCE.issuperset(good):
                self.open_sample()
            self._take_all_in(found)

        # One job for all of them: they are taken in in the order in which they were dropped.
        self.jobs.run(lambda: [_look_at(spec, self.library) for spec in specs], take_in)

    def _take_all_in(self, found: list[_Dropped]) -> None:
        for dropped in found:
            self._take_in(dropped)

    def _take_in(self, dropped: _Dropped) -> None:
        path = Path(dropped.spec)
        if dropped.error is not None:
            self.tell("error", str(dropped.error), dropped.spec)
            return
        match dropped.kind:
            case "model":
                self.use_model(path)
            case "filter":
                self.add_filter_file(path)
            case "preset":
                self._use_preset(path, dropped.preset)
            case "lut":
                self.add_filter("lut", {"table": str(path)})
            case _:
                self.playback.enqueue(dropped.spec)

    def add_filter_file(self, path: Path) -> None:
        """Take in a user's shader from anywhere and add it to the chain."""
        item = self._watch(path)
        if item is None:
            self._tell_of_shaders()
            return
        self.filters_changed.emit()
        self.add_filter(item.id)

    def _watch(self, path: Path) -> Filter | None:
        """Take a shader into the library, and follow its file from now on; None where it cannot be used."""
        stamp = _stamp(path)
        item = self.library.add(path)
        if stamp is not None:
            self._dropped_shaders[path] = stamp
        return item

    def load_preset(self, path: Path) -> None:
        """Read a preset and use it."""
        self.jobs.run(
            lambda: _open_preset(path, self.library),
            lambda loaded: self._use_preset(path, loaded),
            lambda error: self.tell("error", str(error), str(path)),
        )

    def _use_preset(self, path: Path, loaded: LoadedPreset | None) -> None:
        assert loaded is not None
        for warning in loaded.warnings:
            self.tell("warning", warning)
        for shader in loaded.shaders:
            self._watch(shader)
        if loaded.shaders:
            self.filters_changed.emit()
        self.edit(loaded.setup, self.tr("Preset {0}").format(path.stem))

    def save_preset(self, path: Path) -> None:
        """Write the setup in use as a preset; in one file with all that it needs where the name ends so (preset_bundle.py)."""
        from desktop.compute.presets.bundle import is_bundle, save_bundle

        setup, library = self.setup, self.library
        save = save_bundle if is_bundle(path) else save_preset
        self.jobs.run(
            lambda: save(setup, library, path),
            lambda _: self.tell("info", self.tr("Preset saved as {0}").format(path), str(path)),
            lambda error: self.tell("error", str(error)),
        )

    # -- the user's shaders ------------------------------------------------------------------------------------------

    def look_at_shaders(self) -> None:
        """Take over what changed in the user's shader folder and in files that were dropped; called twice a second."""
        changed = list(self.library.refresh())
        for path, stamp in list(self._dropped_shaders.items()):
            now = _stamp(path)
            if now is not None and now != stamp:
                self._dropped_shaders[path] = now
                self.library.add(path)
                changed.append(path.stem)
        self._tell_of_shaders()
        if changed:
            self._fit_values(set(changed))
            self.engine.pipeline.chain.filters_changed()
            self.filters_changed.emit()
            self.playback.woken.emit()

    def _tell_of_shaders(self) -> None:
        failing = {name: str(error) for name, error in self.library.errors.items()}
        self._tell_of({f"shader {name}": text for name, text in failing.items()}, self._told)
        self._told = {f"shader {name}": text for name, text in failing.items()}

    def _tell_of(self, failing: Mapping[str, str], before: Mapping[str, str]) -> None:
        """Tell of what fails now and did not, or for another reason; take back what was told of the rest. Both: what -> sentence."""
        for about, text in before.items():
            if text and failing.get(about, "") != text:
                self.settled.emit(about)
        for about, text in failing.items():
            if text and before.get(about, "") != text:
                self.tell("error", text, about=about)

    def _fit_values(self, changed: set[str]) -> None:
        # A saved shader may have other parameters than before; values that still fit stay.
        chain = self.chain
        stages = tuple(self._fitted(stage) if stage.filter in changed else stage for stage in chain.stages)
        if stages != chain.stages:
            self.edit_chain(ChainSpec(stages), self.tr("Reload a shader"), "reload")

    def _fitted(self, stage: StageSpec) -> StageSpec:
        item = self.library.filters.get(stage.filter)
        if item is None:
            return stage
        values = dict(item.defaults)
        for name, value in stage.values.items():
            with contextlib.suppress(LightloomError):
                values[name] = item.param(name).check(value)
        return replace(stage, values=values)

    def look_at_stages(self) -> None:
        """Tell of stages and of a network that have failed since the last call."""
        failing = {f"stage {s.id}": s.message for s in self.engine.pipeline.stage_statuses}
        self._tell_of(failing, self._failures)
        self._failures = failing
        self.engine.poll()
        network = self.engine.network_status
        self._ask_input(network)
        if network.state == "failed" and network != self._network_status:
            failed = self.setup.network.model if self.setup.network is not None else ""
            self.tell("error", network.text, about=f"network {failed}")
            # One that had run has not failed for being what it is.
            if self.setup.network is not None and self.setup.network.model != self._running_model:
                self._keep_last_network()
                network = self.engine.network_status
        if network.state == "running" and self.setup.network is not None:
            self._running_model = self.setup.network.model
            self._failed_models.discard(self._running_model)
            if network != self._network_status:
                self.settled.emit(f"network {self._running_model}")
        if network != self._network_status:
            self._network_status = network
            self.network_changed.emit()

    def _keep_last_network(self) -> None:
        """After a network that could not be loaded: go back to the one before it, if there was one, and don't list it as used."""
        failed, before = self.setup.network, self.history.before
        if failed is None:
            return
        self._failed_models.add(failed.model)
        self.settings.remove_model(failed.model)
        if before is None or before.network is None or before.chain != self.setup.chain:
            return
        if before.network.model not in self._failed_models:
            self.history.take_back()
            self._apply()

    # -- pictures ----------------------------------------------------------------------------------------------------

    def snapshot(self, path: Path | None = None) -> None:
        """Write the picture shown, in full resolution, as PNG."""
        target = path or free_path(user_pictures_folder() / "Lightloom", "Lightloom", ".png")
        try:
            picture = fetch(self.engine.pipeline)
        except LightloomError as error:
            self.tell("error", str(error))
            return

        def work() -> None:
            from desktop.compute.outputs.export import write_image

            write_image(picture(), target)

        self.jobs.run(
            work,
            lambda _: self.tell("info", self.tr("Snapshot saved as {0}").format(target), str(target)),
            lambda error: self.tell("error", str(error)),
        )

    def copy_picture(self) -> None:
        """Put the picture shown, in full resolution, on the clipboard."""
        try:
            picture = fetch(self.engine.pipeline)
        except LightloomError as error:
            self.tell("error", str(error))
            return

        def copy(pixels: np.ndarray) -> None:
            height, width = pixels.shape[:2]
            image = QImage(pixels.data, width, height, width * 4, QImage.Format.Format_RGBA8888)
            QGuiApplication.clipboard().setImage(image.copy())
            self.said.emit(self.tr("Picture copied"))

        self.jobs.run(picture, copy, lambda error: self.tell("error", str(error)))

    def toggle_recording(self, path: Path | None = None) -> None:
        """Begin to record what is shown, or finish."""
        if self.recording is not None:
            self.recording.stop()
            return
        if not self.engine.pipeline.has_picture:
            self.tell("error", self.tr("There is nothing to record yet; open a source first."))
            self.recording_changed.emit()
            return
        target = path or free_path(user_pictures_folder() / "Lightloom", "Lightloom", ".mp4")
        info = self.playback.info
        recording = Recording(target, info.rate if info and info.rate else 30.0, self)
        recording.finished.connect(self._on_recorded)
        recording.failed.connect(self._on_recording_failed)
        self.recording = recording
        self.recording_changed.emit()

    def _on_recorded(self, path: str) -> None:
        dropped = self.recording.dropped if self.recording is not None else 0
        self._end_recording()
        text = self.tr("Recording saved as {0}").format(path)
        if dropped:
            text += self.tr("; %n pictures left out because encoding was behind", "", dropped)
        self.tell("info", text, path)

    def _on_recording_failed(self, text: str) -> None:
        self._end_recording()
        self.tell("error", text)

    def _end_recording(self) -> None:
        if self.recording is not None:
            self.recording.deleteLater()
        self.recording = None
        self.recording_changed.emit()

    def on_drawn(self) -> None:
        """A new picture was drawn."""
        if self.recording is not None:
            self.recording.add(self.engine.pipeline)

    # -- the device --------------------------------------------------------------------------------------------------

    def use_adapter(self, info: AdapterInfo) -> None:
        """Compute on another adapter from now on; opened on a thread."""
        # The backend is part of what names an adapter: the same GPU is listed once for each.
        name = f"{info.name} {info.backend}"

        def opened(gpu: Gpu) -> None:
            ready = [gpu]
            try:
                self.engine.rebuild(lambda: ready.pop() if ready else Gpu.open(name))
            except LightloomError as error:
                self.tell("error", str(error))
                return
            self.settings.adapter = name
            self.said.emit(self.tr("Computing on {0}").format(info.name))

        self.jobs.run(lambda: Gpu.open(name), opened, lambda error: self.tell("error", str(error)))

    @property
    def adapter(self) -> AdapterInfo:
        """The adapter in use."""
        return self.engine.gpu.adapter

    def adapters(self) -> list[AdapterInfo]:
        """All adapters of the machine."""
        return list_adapters()

    def close(self) -> None:
        """Stop all work and release everything."""
        self.engine.on_progress = None
        self.engine.on_rebuild = None
        if self.recording is not None:
            self.recording.stop(wait=True)
        self.playback.close()
        self.jobs.close()
        self.engine.close()
        self.settings.sync()


@dataclass(frozen=True)
class _Looked:
    """What a network turned out to be: its file, which is open; the stage that it becomes; what its file leaves open.

    `must_ask`: that has to be asked before it is used.
    """

    file: ModelFile | None = None
    stage: tuple[str, dict[str, str]] | None = None
    unclear: InputFacts | None = None
    must_ask: bool = False


def _look_at_model(path: Path, gpu: Gpu) -> _Looked:
    # Imported here: it brings onnx, which the window's start does not wait for.
    from desktop.compute.chain.network_stages import stage_for_model
    from desktop.compute.models.model_file import ModelFile
    from desktop.compute.running.inputs import runs, unclear_input

    try:
        file = ModelFile.open(path)
    except ModelError:
        return _Looked()  # whoever loads it says what is wrong with it
    stage = stage_for_model(file)
    unclear = unclear_input(file) if stage is None else None
    must_ask = unclear is not None and "task" in unclear.unclear and runs(unclear, gpu, file)
    return _Looked(file, stage, unclear, must_ask)


def _unclear_input(path: Path, failed_on: Gpu | None) -> object:
    from desktop.compute.running.inputs import runs, unclear_input

    found = unclear_input(path)
    if found is None or failed_on is None:
        return found
    return found if "task" in found.unclear and runs(found, failed_on) else None


def _stamp(path: Path) -> tuple[int, int] | None:
    try:
        stat = path.stat()
    except OSError:
        return None
    return stat.st_mtime_ns, stat.st_size
