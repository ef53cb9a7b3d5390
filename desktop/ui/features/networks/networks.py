"""Load and replace networks: handle dropped files, ask for missing facts, and fall back when one fails."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal

from desktop.base.errors import LightloomError, UsageError
from desktop.compute.gpu.device import Gpu
from desktop.net.inference.address import as_named, is_remote, parse_address
from desktop.net.inference.hosts import AllowedHosts
from desktop.pipeline.chain.spec import ChainSpec
from desktop.pipeline.engine import Engine
from desktop.pipeline.running.interpolation.spec import InterpolationSpec
from desktop.pipeline.running.network_spec import NetworkSpec
from desktop.pipeline.setup.setup import Setup
from desktop.pipeline.snapshot import NetworkStatus
from desktop.ui.forms.settings import Settings
from desktop.ui.kit.jobs import Jobs
from desktop.ui.kit.language import translated
from desktop.ui.kit.messages import Messages, NoticeButton
from desktop.ui.workspace.edits import Edits
from desktop.vision.models.builtin import title_of

if TYPE_CHECKING:
    # Imports onnx, which the window's start must not wait for.
    from desktop.pipeline.running.inputs.input_facts import InputFacts
    from desktop.vision.models.model_file import ModelFile
    from desktop.vision.tasks.task import Features

StageValues = tuple[str, dict[str, str]]
"""A filter's id, and its parameters that name a network."""

# The subject of the notice that a network was removed or replaced.
_CHANGE: Final = "network change"


class Networks(QObject):
    """Manages networks, both analysis networks and those of stages of the chain.

    Signals:
        changed: the state of the analysis network has changed.
        input_requested: open the dialog about the preprocessing of the network in this file.
        input_unclear: an `InputFacts`: the file of a loaded network does not specify its preprocessing.
        hosts_requested: hosts (tuple of str) not yet allowed to receive frames, and the response callback.
    """

    changed = Signal()
    input_requested = Signal(str)
    comparison_requested = Signal()
    input_unclear = Signal(object)
    hosts_requested = Signal(object, object)

    def __init__(
        self,
        engine: Engine,
        settings: Settings,
        jobs: Jobs,
        messages: Messages,
        edits: Edits,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._engine, self._settings, self._jobs = engine, settings, jobs
        self._messages, self._edits = messages, edits
        self._status = NetworkStatus()
        # The models that last ran: the network's, and its second stage's or ''.
        self._running_models: tuple[str, str] = ("", "")
        # The one before is being loaded again, after another failed.
        self._is_restoring = False
        # Networks that failed last time; the fallback skips them.
        self._failed_models: set[str] = set()
        # Files used for the first time, until it is known whether they run.
        self._new_models: set[str] = set()
        # Open questions about dropped networks, asked once they run.
        self._inspected_models: dict[str, InputFacts | None] = {}

    def choose(self, spec: NetworkSpec | None, key: object = None) -> None:
        """Use another network, other settings for it, or none.

        With a `key`, of a setting, a network that is switched off stays off.
        """
        if spec is not None:
            self._settings.add_model(spec.model)
            if spec.second is not None:
                self._settings.add_model(spec.second.model)
        self._settings.names_things = spec is not None
        label = (
            self.tr("Network {0}").format(Path(spec.model).name) if spec else self.tr("Remove the network")
        )
        setup = self._edits.setup
        enabled = setup.network_enabled or key is None
        self._edits.edit(replace(setup, network=spec, network_enabled=enabled), label, key)

    def report_change(self, before: Setup, look: str = "") -> None:
        """Say that the setup in use lost the network of `before`, or has another one, by a look or by choice.

        The notice has a button that undoes it.
        """
        now = self._edits.setup
        if before.network is None or (now.network is not None and now.network.model == before.network.model):
            return
        old = translated(title_of(Path(before.network.model)))
        if now.network is None:
            said = self.tr("{0} has no network; {1} was removed.").format(look, old)
        else:
            said = self.tr("{0} replaced the network {1}.").format(
                translated(title_of(Path(now.network.model))), old
            )

        def undo() -> None:
            if self._edits.setup is now:
                self._edits.undo()
            else:
                self.choose(before.network)

        undo_button = NoticeButton(self.tr("Undo"), undo)
        self._messages.post("info", said, about=_CHANGE, buttons=(undo_button,))

    def set_enabled(self, enabled: bool) -> None:
        """Switch the analysis network on or off; a network that is off stays in the setup, unloaded."""
        setup = self._edits.setup
        if setup.network is None:
            return
        label = self.tr("Switch {0} on") if enabled else self.tr("Switch {0} off")
        title = translated(title_of(Path(setup.network.model)))
        self._edits.edit(replace(setup, network_enabled=enabled), label.format(title))

    def confirm_hosts(self, models: Iterable[str], then: Callable[[], None]) -> None:
        """Call `then` after asking about hosts that are not yet allowed; refused hosts' networks fail."""
        addresses = [parse_address(model) for model in models if is_remote(model)]
        unknown = tuple(dict.fromkeys(a.host for a in addresses if not AllowedHosts().allows(a)))
        if unknown:
            self.hosts_requested.emit(unknown, then)
        else:
            then()

    def use(self, model: Path | str, *, add: bool = False) -> None:
        """Use a network file or a network on a server for frame interpolation, as a stage or for analysis.

        One that outputs an image, a mask or a depth map replaces the network of a stage of its kind, unless
        `add`. If the task is unclear, ask the user: a wrong guess would show misleading results. Report an
        invalid pipeline folder.
        """
        try:
            named = as_named(str(model))
        except UsageError as error:
            self._messages.post("error", str(error))
            return
        self.confirm_hosts([named], lambda: self._inspect(named, add=add))

    def _inspect(self, named: str, *, add: bool) -> None:
        if named not in self._settings.models:
            self._new_models.add(named)
        gpu = self._engine.gpu

        def on_inspected(inspected: _Inspected) -> None:
            if inspected.needs_confirmation:
                self._new_models.discard(named)
                self.input_unclear.emit(inspected.unclear)
                return
            if inspected.interpolates:
                self._new_models.discard(named)
                self._messages.settled.emit(f"network {named}")
                self._interpolate(named)
                return
            if inspected.file is not None:
                self._engine.models.hold(inspected.file)
            if inspected.stage is None:
                self._inspected_models[named] = inspected.unclear
            self._messages.settled.emit(f"network {named}")
            self._use(named, inspected.stage, add=add)

        def refused(error: LightloomError) -> None:
            self._new_models.discard(named)
            self._refuse(named, error)

        self._jobs.run(lambda: _inspect_model(named, gpu), on_inspected, refused)

    def _interpolate(self, named: str) -> None:
        self._settings.add_model(named)
        before = self._edits.setup.interpolation
        spec = InterpolationSpec(named) if before is None else replace(before, model=named)
        self._edits.set_interpolation(spec)

    def use_in(self, stage_id: int, name: str, model: str) -> None:
        """Use another network in a stage, for the parameter `name`; report an invalid pipeline folder."""

        def use() -> None:
            # The stage may have been removed while the disk was read.
            if any(stage.id == stage_id for stage in self._edits.chain.stages):
                self._edits.set_value(stage_id, name, model)

        self.use_checked(model, use)

    def use_checked(self, model: str, use: Callable[[], None]) -> None:
        """Call `use` once a network is known to be usable; report an invalid pipeline folder."""
        if not _is_folder(model):
            use()
            return

        def on_checked(_: None) -> None:
            self._messages.settled.emit(f"network {model}")
            self._edits.seal()
            use()
            self._edits.seal()

        self._jobs.run(lambda: _check_folder(model), on_checked, lambda error: self._refuse(model, error))

    def _refuse(self, model: str, error: LightloomError) -> None:
        self._messages.post("error", str(error), about=f"network {model}")

    def _use(self, named: str, stage: StageValues | None, *, add: bool) -> None:
        if stage is None:
            spec, setup = NetworkSpec(named), self._edits.setup
            if setup.network == spec and self._engine.current.network_status.state == "failed":
                # The same model again: its server may be reachable by now. The engine loads only what is new.
                self._engine.current.set_setup(replace(setup, network=None))
                self._edits.apply()
                return
            self.choose(spec)
            self.report_change(setup)
            return
        self._settings.add_model(named)
        filter_id, values = stage
        same = [s for s in self._edits.chain.stages if s.filter == filter_id]
        if add or not same:
            self._edits.add_filter(filter_id, values)
            return
        for name, value in values.items():
            self._edits.seal()
            self._edits.set_value(same[-1].id, name, value)
        self._edits.seal()

    def reload(
        self, model: str, values: Mapping[str, object], task: str, *, kept: bool, decoder: str = ""
    ) -> None:
        """Reload a network with the user's facts about its input, `kept` beside the file or in the preset."""
        from desktop.vision.tasks import is_analysis_task

        setup, beside = self._edits.setup, is_analysis_task(task)
        network = setup.network if setup.network is not None and setup.network.model == model else None
        stages = tuple(s for s in setup.chain.stages if s.values.get("model") != model)
        used = network is not None or len(stages) < len(setup.chain.stages)
        if used and (network is not None) == beside:
            if network is not None and decoder:
                network = replace(network, settings={**network.settings, "decoder": decoder})
            self._load_anew(ChainSpec(stages), network, values, task, kept=kept)
            return
        if network is not None:
            self.choose(None)
        if kept or not beside:
            self.use(model)
        else:  # nothing beside the file says it, so it would be asked again
            settings = {"decoder": decoder} if decoder else {}
            self.choose(NetworkSpec(model, preprocess=values, task=task, settings=settings))

    def _load_anew(
        self,
        others: ChainSpec,
        network: NetworkSpec | None,
        values: Mapping[str, object],
        task: str,
        *,
        kept: bool,
    ) -> None:
        # The engine loads only what is new in a setup, so apply one without the network first.
        setup = self._edits.setup
        self._engine.current.set_setup(
            replace(setup, chain=others, network=setup.network if network is None else None)
        )
        if network is not None:
            said = {k: v for k, v in network.preprocess.items() if k not in values}
            self.choose(
                replace(
                    network, preprocess=said if kept else {**said, **values}, task="auto" if kept else task
                )
            )
        self._edits.apply()

    # -- status ----------------------------------------------------------------------------------------------

    def _request_input_facts(self, status: NetworkStatus) -> None:
        """Ask for facts missing in a new network's file once it runs, or if they may be why it failed."""
        model = self._edits.setup.network.model if self._edits.setup.network is not None else ""
        if status.state not in ("running", "failed") or model not in self._new_models:
            return
        self._new_models.remove(model)
        if model in self._inspected_models:
            unclear = self._inspected_models.pop(model)
            if unclear is not None and _needs_input_facts(unclear, status):
                self.input_unclear.emit(unclear)
            return
        gpu = self._engine.gpu if status.state == "failed" else None

        def on_facts(found: InputFacts | None) -> None:
            if found is not None:
                self.input_unclear.emit(found)

        self._jobs.run(lambda: _unclear_input(model, gpu), on_facts)

    def poll(self) -> None:
        """Report a network that has failed since the last call, and ask about a new one."""
        self._engine.poll()
        network = self._engine.current.network_status
        self._request_input_facts(network)
        if network.state == "away" and network != self._status and self._edits.setup.network is not None:
            self._messages.post("warning", network.text, about=f"network {self._edits.setup.network.model}")
        if network.state == "failed" and network != self._status:
            failed = self._edits.setup.network.model if self._edits.setup.network is not None else ""
            self._messages.post("error", network.text, about=f"network {failed}")
            self._is_restoring = False
            # A network that ran before does not fail because of its type.
            if (
                self._edits.setup.network is not None
                and _models(self._edits.setup.network) != self._running_models
            ):
                self._is_restoring = self._restore_last_network()
                network = self._engine.current.network_status
        if network.state == "running" and self._edits.setup.network is not None:
            self._running_models = _models(self._edits.setup.network)
            self._failed_models.difference_update(self._running_models)
            if network != self._status:
                # Why another failed stays to be read: it may be about the same file, with a second network or
                # other settings.
                if not self._is_restoring:
                    self._messages.settled.emit(f"network {self._edits.setup.network.model}")
                self._is_restoring = False
        if network != self._status:
            self._status = network
            self.changed.emit()

    def _restore_last_network(self) -> bool:
        """Return to the previous network after one failed to load; unlist the failed one. False if there is none
        to return to.
        """
        failed, before = self._edits.setup.network, self._edits.history.before
        if failed is None:
            return False
        # The first network was there before: its new second stage failed.
        first, second = _models(failed)
        was_there = before is not None and before.network is not None and before.network.model == first
        model = second if second and was_there else first
        self._failed_models.add(model)
        self._settings.remove_model(model)
        if before is None or before.network is None or before.chain != self._edits.setup.chain:
            return False
        if self._failed_models.intersection(_models(before.network)):
            return False
        self._edits.history.take_back()
        self._edits.apply()
        self._messages.settled.emit(_CHANGE)
        return True


def _models(spec: NetworkSpec) -> tuple[str, str]:
    """Return a network's model and that of its second stage, '' if none."""
    return spec.model, spec.second.model if spec.second is not None else ""


@dataclass(frozen=True)
class _Inspected:
    """An inspected network: its open file, the stage that it becomes, and facts missing in its file."""

    file: ModelFile | None = None
    stage: StageValues | None = None
    unclear: InputFacts | None = None
    interpolates: bool = False
    needs_confirmation: bool = False


def _is_folder(path: str) -> bool:
    try:
        return Path(path).is_dir()
    except (OSError, ValueError):  # longer than the system takes, not allowed, or with a NUL in it
        return False


def _check_folder(path: str) -> None:
    """Raise a ModelError for a folder that is not a pipeline or lacks a part."""
    from desktop.vision.diffusion.contents import check_contents

    check_contents(Path(path), repaints=True)


def _inspect_model(path: str, gpu: Gpu) -> _Inspected:
    # Imported here: it imports onnx, which the window's start must not wait for.
    from desktop.pipeline.chain.network_stages import stage_for_model
    from desktop.pipeline.running.inputs.input_facts import runs, unclear_input
    from desktop.vision.models.model_file import ModelFile

    if _is_folder(path):
        _check_folder(path)
        return _Inspected(stage=stage_for_model(Path(path)))
    try:
        file = ModelFile.open(path)
    except LightloomError:
        return _Inspected()  # the code that loads it reports what is wrong with it
    if _interpolates(file):
        return _Inspected(file, interpolates=True)
    stage = stage_for_model(file)
    unclear = unclear_input(file) if stage is None else None
    needs_confirmation = unclear is not None and "task" in unclear.unclear and runs(unclear, gpu, file)
    return _Inspected(file, stage, unclear, needs_confirmation=needs_confirmation)


def _interpolates(file: ModelFile) -> bool:
    from desktop.pipeline.running.interpolation.network import interpolates

    try:
        return interpolates(file)
    except LightloomError:
        return False  # the code that loads it reports what is wrong with it


def _unclear_input(path: str, failed_on: Gpu | None) -> InputFacts | None:
    from desktop.pipeline.running.inputs.input_facts import runs, unclear_input

    found = unclear_input(path)
    if found is None or failed_on is None:
        return found
    return found if {"task", "decoder"} & found.unclear and runs(found, failed_on) else None


def _needs_input_facts(unclear: InputFacts, status: NetworkStatus) -> bool:
    """Return whether a running network's input was assumed, or that of a failed one may be wrong."""
    if status.state == "failed":
        return "decoder" in unclear.unclear
    return bool(unclear.unclear - {"decoder"})  # a trial run decided


def has_located_results(features: Features | None) -> bool:
    """Return whether a network's results are located in the frame, as detections are."""
    if features is None:
        return False
    # Already imported: there is a network.
    from desktop.vision.tasks import task_named
    from desktop.vision.tasks.task import ResultTask

    task = task_named(features.task)
    return isinstance(task, ResultTask) and task.finds


def has_positions(features: Features | None) -> bool:
    """Return whether a network's results have a position in the frame, as detections or per-pixel classes."""
    if features is None:
        return False
    from desktop.vision.tasks import task_named
    from desktop.vision.tasks.task import ResultTask

    task = task_named(features.task)
    return isinstance(task, ResultTask) and task.places
