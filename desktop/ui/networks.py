"""Which network is used: what dropping one does, what is asked about it, what becomes of one that fails."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from desktop.compute.chain.runner import ChainSpec
from desktop.compute.engine import Engine
from desktop.compute.gpu.device import Gpu
from desktop.compute.net.inference.address import as_named, is_remote, parse_address
from desktop.compute.net.inference.hosts import AllowedHosts
from desktop.compute.running.interpolation_spec import InterpolationSpec
from desktop.compute.running.network_spec import NetworkSpec
from desktop.compute.snapshot import NetworkStatus
from desktop.errors import LightloomError, UsageError
from desktop.ui.edits import Edits
from desktop.ui.jobs import Jobs
from desktop.ui.messages import Messages
from desktop.ui.settings import Settings

if TYPE_CHECKING:
    # It brings onnx, which the window's start does not wait for.
    from desktop.compute.models.model_file import ModelFile
    from desktop.compute.running.inputs import InputFacts
    from desktop.compute.tasks.task import Features

StageValues = tuple[str, dict[str, str]]
"""The id of a filter and the values with which it uses a network."""


class Networks(QObject):
    """Uses networks, beside the picture or as stages of the chain.

    Signals:
        changed: the state of the network beside the picture is another one.
        input_unclear: an `InputFacts`: a network came whose file leaves open how pictures go into it.
        hosts_asked: hosts (tuple of str) that would get pictures and are not allowed, and what is to be called once that is answered.
    """

    changed = Signal()
    input_unclear = Signal(object)
    hosts_asked = Signal(object, object)

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
        # The models that ran last: the network's, and its second's or ''.
        self._running_models: tuple[str, str] = ("", "")
        # Networks that failed the last time, which nobody is brought back to.
        self._failed_models: set[str] = set()
        # Files that are used for the first time, until it is known whether they run.
        self._new_models: set[str] = set()
        # What was seen to be unclear about those that were dropped, to be asked once they run.
        self._looked_at: dict[str, InputFacts | None] = {}

    def choose(self, spec: NetworkSpec | None, key: object = None) -> None:
        """Use another network, other settings for it, or none."""
        if spec is not None:
            self._settings.add_model(spec.model)
            if spec.second is not None:
                self._settings.add_model(spec.second.model)
        self._settings.names_things = spec is not None
        label = (
            self.tr("Network {0}").format(Path(spec.model).name) if spec else self.tr("Remove the network")
        )
        self._edits.edit(replace(self._edits.setup, network=spec), label, key)

    def ask_hosts(self, models: Iterable[str], then: Callable[[], None]) -> None:
        """Call `then`, once the user was asked about hosts of these networks that are not allowed.

        What was refused fails when it is loaded, with a sentence.
        """
        addresses = [parse_address(model) for model in models if is_remote(model)]
        unknown = tuple(dict.fromkeys(a.host for a in addresses if not AllowedHosts().allows(a)))
        if unknown:
            self.hosts_asked.emit(unknown, then)
        else:
            then()

    def use(self, model: Path | str, *, add: bool = False) -> None:
        """Use a network file, or one on a server: what dropping an .onnx, .tflite or an address and 'Use' in the library do.

        One that makes pictures between two interpolates what plays. One that gives a picture, a mask or a depth map becomes a stage of the
        chain, or takes the place of the one that a stage of its kind has (unless `add`); the others look at the picture. Where nothing
        tells what it is for, that is asked before it is used: what a guess would show is worse than nothing. A folder that is no pipeline
        is told, and changes nothing.
        """
        try:
            named = as_named(str(model))
        except UsageError as error:
            self._messages.tell("error", str(error))
            return
        self.ask_hosts([named], lambda: self._look_at(named, add=add))

    def _look_at(self, named: str, *, add: bool) -> None:
        if named not in self._settings.models:
            self._new_models.add(named)
        gpu = self._engine.gpu

        def found(looked: _Looked) -> None:
            if looked.must_ask:
                self._new_models.discard(named)
                self.input_unclear.emit(looked.unclear)
                return
            if looked.interpolates:
                self._new_models.discard(named)
                self._messages.settled.emit(f"network {named}")
                self._interpolate(named)
                return
            if looked.file is not None:
                self._engine.models.keep(looked.file)
            if looked.stage is None:
                self._looked_at[named] = looked.unclear
            self._messages.settled.emit(f"network {named}")
            self._use(named, looked.stage, add=add)

        def refused(error: LightloomError) -> None:
            self._new_models.discard(named)
            self._refuse(named, error)

        self._jobs.run(lambda: _look_at_model(named, gpu), found, refused)

    def _interpolate(self, named: str) -> None:
        self._settings.add_model(named)
        before = self._edits.setup.interpolation
        spec = InterpolationSpec(named) if before is None else replace(before, model=named)
        self._edits.set_interpolation(spec)

    def use_in(self, stage_id: int, name: str, model: str) -> None:
        """Have a stage use another network, by its parameter of a name: what choosing one in its card does.

        A folder is looked into first. One that is no pipeline is told, and the stage keeps the network that it has.
        """
        if not _is_folder(model):
            self._edits.set_value(stage_id, name, model)
            return

        def found(_: None) -> None:
            # Removed while the disk was asked.
            if all(stage.id != stage_id for stage in self._edits.chain.stages):
                return
            self._messages.settled.emit(f"network {model}")
            self._edits.seal()
            self._edits.set_value(stage_id, name, model)
            self._edits.seal()

        self._jobs.run(lambda: _check_folder(model), found, lambda error: self._refuse(model, error))

    def _refuse(self, model: str, error: LightloomError) -> None:
        self._messages.tell("error", str(error), about=f"network {model}")

    def _use(self, named: str, stage: StageValues | None, *, add: bool) -> None:
        if stage is None:
            spec, setup = NetworkSpec(named), self._edits.setup
            if setup.network == spec and self._engine.network_status.state == "failed":
                # The same once more: its server may be there by now. The engine loads what its setup before had not.
                self._engine.set_setup(replace(setup, network=None))
                self._edits.apply()
                return
            self.choose(spec)
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
        """Use a network anew with what the user said of its input.

        `kept` tells that it stands beside the file now. Where that was not possible it goes into the preset, as far as a preset has it.
        """
        from desktop.compute.tasks import is_beside

        setup, beside = self._edits.setup, is_beside(task)
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
        # The engine loads what its setup before had not: so first one without the network, where `others` are the stages that stay.
        setup = self._edits.setup
        self._engine.set_setup(
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

    # -- how it is doing ---------------------------------------------------------------------------------------------

    def _ask_input(self, status: NetworkStatus) -> None:
        """Ask what a new network's file leaves open, once it runs: what is assumed is right more often than not, and the picture shows it.

        One that failed is asked about only if that may have been for its task: nothing said of its input would let it run else.
        """
        model = self._edits.setup.network.model if self._edits.setup.network is not None else ""
        if status.state not in ("running", "failed") or model not in self._new_models:
            return
        self._new_models.remove(model)
        if model in self._looked_at:
            unclear = self._looked_at.pop(model)
            if unclear is not None and _is_to_ask(unclear, status):
                self.input_unclear.emit(unclear)
            return
        gpu = self._engine.gpu if status.state == "failed" else None

        def ask(found: InputFacts | None) -> None:
            if found is not None:
                self.input_unclear.emit(found)

        self._jobs.run(lambda: _unclear_input(model, gpu), ask)

    def look(self) -> None:
        """Tell of a network that has failed since the last call, and ask about one that is new."""
        self._engine.poll()
        network = self._engine.network_status
        self._ask_input(network)
        if network.state == "away" and network != self._status and self._edits.setup.network is not None:
            self._messages.tell("warning", network.text, about=f"network {self._edits.setup.network.model}")
        if network.state == "failed" and network != self._status:
            failed = self._edits.setup.network.model if self._edits.setup.network is not None else ""
            self._messages.tell("error", network.text, about=f"network {failed}")
            # One that had run has not failed for being what it is.
            if (
                self._edits.setup.network is not None
                and _models(self._edits.setup.network) != self._running_models
            ):
                self._keep_last_network()
                network = self._engine.network_status
        if network.state == "running" and self._edits.setup.network is not None:
            self._running_models = _models(self._edits.setup.network)
            self._failed_models.difference_update(self._running_models)
            if network != self._status:
                self._messages.settled.emit(f"network {self._edits.setup.network.model}")
        if network != self._status:
            self._status = network
            self.changed.emit()

    def _keep_last_network(self) -> None:
        """After a network that could not be loaded: go back to the one before it, if there was one, and don't list it as used."""
        failed, before = self._edits.setup.network, self._edits.history.before
        if failed is None:
            return
        # Where the first was there before, it is its new second that failed.
        first, second = _models(failed)
        was_there = before is not None and before.network is not None and before.network.model == first
        model = second if second and was_there else first
        self._failed_models.add(model)
        self._settings.remove_model(model)
        if before is None or before.network is None or before.chain != self._edits.setup.chain:
            return
        if not self._failed_models.intersection(_models(before.network)):
            self._edits.history.take_back()
            self._edits.apply()


def _models(spec: NetworkSpec) -> tuple[str, str]:
    """The model of a network, and that of its second, '' where it has none."""
    return spec.model, spec.second.model if spec.second is not None else ""


@dataclass(frozen=True)
class _Looked:
    """What a network turned out to be: its file, which is open; the stage that it becomes; what its file leaves open.

    `interpolates`: it makes pictures between two of the source's.
    `must_ask`: that has to be asked before it is used.
    """

    file: ModelFile | None = None
    stage: StageValues | None = None
    unclear: InputFacts | None = None
    interpolates: bool = False
    must_ask: bool = False


def _is_folder(path: str) -> bool:
    try:
        return Path(path).is_dir()
    except (OSError, ValueError):  # longer than the system takes, not allowed, or with a NUL in it
        return False


def _check_folder(path: str) -> None:
    """Refuse a folder that the stage could not load; the sentences are those of `lightloom generate`.

    Raises:
        ModelError: it is no pipeline, or lacks a part.
    """
    from desktop.compute.diffusion.contents import check_contents

    check_contents(Path(path), repaints=True)


def _look_at_model(path: str, gpu: Gpu) -> _Looked:
    # Imported here: it brings onnx, which the window's start does not wait for.
    from desktop.compute.chain.network_stages import stage_for_model
    from desktop.compute.models.model_file import ModelFile
    from desktop.compute.running.inputs import runs, unclear_input

    if _is_folder(path):
        _check_folder(path)
        return _Looked(stage=stage_for_model(Path(path)))
    try:
        file = ModelFile.open(path)
    except LightloomError:
        return _Looked()  # whoever loads it says what is wrong with it
    if _interpolates(file):
        return _Looked(file, interpolates=True)
    stage = stage_for_model(file)
    unclear = unclear_input(file) if stage is None else None
    must_ask = unclear is not None and "task" in unclear.unclear and runs(unclear, gpu, file)
    return _Looked(file, stage, unclear, must_ask=must_ask)


def _interpolates(file: ModelFile) -> bool:
    from desktop.compute.running.interpolation import interpolates

    try:
        return interpolates(file)
    except LightloomError:
        return False  # whoever loads it says what is wrong with it


def _unclear_input(path: str, failed_on: Gpu | None) -> InputFacts | None:
    from desktop.compute.running.inputs import runs, unclear_input

    found = unclear_input(path)
    if found is None or failed_on is None:
        return found
    return found if {"task", "decoder"} & found.unclear and runs(found, failed_on) else None


def _is_to_ask(unclear: InputFacts, status: NetworkStatus) -> bool:
    """Tell whether what is unclear is asked: once the network runs, what was assumed; where it failed, what kept it from running."""
    if status.state == "failed":
        return "decoder" in unclear.unclear
    return bool(unclear.unclear - {"decoder"})  # a trial run decided


def finds_things(features: Features | None) -> bool:
    """Tell whether a network's results have things that lie in the picture."""
    if features is None:
        return False
    # There is a network, so that this is imported already.
    from desktop.compute.tasks import task_named
    from desktop.compute.tasks.task import ResultTask

    task = task_named(features.task)
    return isinstance(task, ResultTask) and task.finds


def tells_places(features: Features | None) -> bool:
    """Tell whether a network's results say where in the picture something is: things, or the pixels of classes."""
    if features is None:
        return False
    from desktop.compute.tasks import task_named
    from desktop.compute.tasks.task import ResultTask

    task = task_named(features.task)
    return isinstance(task, ResultTask) and task.places
