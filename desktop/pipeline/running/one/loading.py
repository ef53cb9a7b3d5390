"""Load a network for a task: choose a backend, infer the preprocessing, make the head."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from typing import cast

from desktop.base.errors import ModelUnsupportedError, UsageError
from desktop.base.wording import Text, sentence
from desktop.compute.gpu.device import Gpu
from desktop.compute.nn.session import Precision, Session
from desktop.pipeline.running.inputs.references import References
from desktop.pipeline.running.network_spec import NetworkSpec
from desktop.pipeline.running.one.crop_network import (
    USUAL_CARRIED,
    CropNetwork,
    HostArrays,
    ItemSession,
    fitting,
    max_regions,
)
from desktop.pipeline.running.one.picture_network import PictureNetwork
from desktop.pipeline.running.one.recurrent import recurrent, shapes_of_states
from desktop.pipeline.running.one.size_advice import size_advised
from desktop.pipeline.running.one.tiled_network import TiledNetwork
from desktop.pipeline.running.one.trial import TRIAL_SECONDS, run_trial
from desktop.pipeline.running.one.turning import check_turned, opened_turned, orientation, turning_of
from desktop.vision.backends import AUTO
from desktop.vision.backends.loader import LoadedSession, load_session
from desktop.vision.models.facts import ModelFacts
from desktop.vision.models.findings import Evidence, Kind, sentence_of
from desktop.vision.models.model_file import Model, ModelFile
from desktop.vision.models.preprocess import Preprocess
from desktop.vision.models.sidecar import is_builtin
from desktop.vision.models.trimming import opened_with_batch
from desktop.vision.tasks import (
    candidates,
    known_sidecar_keys,
    recognize,
    result_tasks,
    task_named,
    tasks_with_decoder,
    the_task,
    unrecognized,
)
from desktop.vision.tasks.common.regions import MOST_REGIONS
from desktop.vision.tasks.common.unsupported import refuse_unsupported
from desktop.vision.tasks.task import Head, Loaded, ResultTask, Task, Tried, Values


def load_network(
    gpu: Gpu,
    model: Model,
    task: str = "",
    *,
    settings: Values | None = None,
    backend: str = AUTO,
    precision: Precision = "auto",
    device: str = AUTO,
    preset: Values | None = None,
    threads: int | None = None,
    recorded: bool = True,
    is_portrait: bool = False,
) -> PictureNetwork:
    """Load an analysis network, infer its preprocessing, and make the head of its task.

    Args:
        model: an ONNX file, by its path or open.
        task: id of the task; '' for the one that the network fits.
        settings: values of the task's settings; those of other tasks are ignored.
        backend, precision, device: see `load_session`; `threads` are onnxruntime's.
        preset: preprocessing fields that override the sidecar and what is inferred.
        recorded: record into the frame if the session supports it; otherwise use host arrays.
        is_portrait: for frames that are higher than wide, where its input turns with them.

    Raises:
        ModelInvalidError: not a readable ONNX model, or one of its sidecar files is broken.
        ModelUnsupportedError: not a network of the task, one for the chain, or no backend supports it.
        UsageError: a value is invalid for its setting, its field or the network.
    """
    with opened_with_batch(model) as untouched, ExitStack() as files:
        refuse_unsupported(untouched.facts)
        decoder = str((settings or {}).get("decoder", ""))
        chosen = choose_task(untouched, task, decoder)
        values = chosen.settled(untouched, settings or {})
        must_try = chosen.needs_trial(untouched, values)
        preprocess, findings = chosen.prepare(untouched, values, preset or {})
        is_tiled = len(chosen.parts(preprocess, values)) > 1
        if is_tiled and untouched.facts.states:
            raise UsageError(
                sentence(
                    "{name} keeps a state from frame to frame, so it cannot process tiles; set tiles to 1.",
                    name=untouched.name,
                )
            )
        oriented = orientation(untouched, preprocess, is_portrait=is_portrait)
        file = files.enter_context(opened_turned(untouched, preprocess, oriented))
        preprocess = oriented.of(preprocess)
        shapes: dict[str, Sequence[int]] = (
            {file.facts.input_name: preprocess.shape} if file.facts.leaves_sizes_open else {}
        )
        fixed = chosen.fixed_inputs(file.facts, (preprocess.width, preprocess.height))
        shapes |= shapes_of_states(file, {file.facts.input_name: preprocess.shape}, fixed)
        is_assumed = any(each.kind in (Kind.SIZE_ASSUMED, Kind.SIZE_OF_FAMILY) for each in findings)
        with size_advised(file, (preprocess.width, preprocess.height) if is_assumed else None):
            loaded = load_session(
                file,
                gpu=gpu,
                backend=backend,
                precision=precision,
                device=device,
                threads=threads,
                input_shapes=shapes or None,
                real_outputs=True,
                input_values=fixed,
            )
    with ExitStack() as opened:
        # Whichever is in `loaded` then: one around another closes that too.
        opened.callback(lambda: loaded.session.close())
        if file is not untouched:
            check_turned(file, loaded.session)
        if not recorded or is_tiled:
            loaded = replace(loaded, session=HostArrays.of(loaded.session))
        tried = Tried()
        if must_try:
            tried = _try(gpu, loaded, file, preprocess, chosen, values, opened)
            # Both have the same shape: another family may have other colors and another range.
            unturned, findings = chosen.prepare(untouched, {**values, **tried.values}, preset or {})
            preprocess = oriented.of(unturned)
        if file.facts.states:
            loaded = replace(loaded, session=recurrent(gpu, loaded.session, file.facts.states))
        references = References(gpu, loaded.session, file.facts.input_name, preprocess)
        head = chosen.head(Loaded(gpu, loaded.session, file, preprocess, references, tried), values)
        opened.callback(head.close)
        findings = (*findings, *chosen.unread(file, known_sidecar_keys()))
        notes = (
            *_purpose(file, task or decoder),
            *map(sentence_of, findings),
            *oriented.notes,
            *_tiles(chosen.parts(preprocess, values)),
            *head.notes,
            *_unused(chosen, settings or {}),
        )
        parts, ends = chosen.parts(preprocess, values), (file.facts, head, notes, file.name)
        if is_tiled:
            network: PictureNetwork = TiledNetwork(gpu, loaded, parts, *ends, turns=oriented.turns)
        else:
            network = PictureNetwork(gpu, loaded, preprocess, *ends, turns=oriented.turns)
        opened.pop_all()
        return network


def _try(
    gpu: Gpu,
    loaded: LoadedSession,
    file: ModelFile,
    preprocess: Preprocess,
    task: ResultTask,
    values: Values,
    opened: ExitStack,
) -> Tried:
    """Run the network once on a frame if its file does not determine how to decode its outputs.

    Raise LightloomError if that fails, ModelUnsupportedError if it takes too long: the run then keeps the
    session, removed from `opened`, and closes it.
    """
    references = References(gpu, loaded.session, file.facts.input_name, preprocess)
    trial = run_trial(file, preprocess, references, loaded.session.close)
    if trial is not None:
        return task.tried(file, values, trial)
    opened.pop_all()
    raise ModelUnsupportedError(
        sentence(
            "The file of {name} does not tell how its outputs are read, and a trial run took more than "
            "{seconds} seconds; choose the decoder and the units of the boxes (--decoder, --units).",
            name=file.name,
            seconds=f"{TRIAL_SECONDS:g}",
        )
    )


def load_spec(gpu: Gpu, spec: NetworkSpec, model: ModelFile | None = None) -> PictureNetwork:
    """Load a specification's network (`model` if open) without its secondary one; see `load_network`."""
    return load_network(
        gpu,
        model or spec.model,
        "" if spec.task == "auto" else spec.task,
        settings=spec.settings,
        backend=spec.backend,
        precision=cast(Precision, spec.precision),
        device=spec.device,
        preset=spec.preprocess,
        is_portrait=spec.is_portrait,
    )


def load_second(gpu: Gpu, spec: NetworkSpec, *, recorded: bool) -> CropNetwork:
    """Load a secondary network, whose input is the whole region, whatever its files state about cropping.

    If `recorded`, record into the frame where possible. Raise LightloomError, see `load_network`.
    """
    with opened_with_batch(spec.model) as file, ExitStack() as opened:
        decoder = str(spec.settings.get("decoder", ""))
        task = choose_task(file, "" if spec.task == "auto" else spec.task, decoder, is_second=True)
        values = task.settled(file, spec.settings)
        preprocess, findings = task.prepare(file, values, spec.preprocess)
        preprocess = replace(preprocess, resize="stretch")
        tried = Tried()
        facts = file.facts

        def load(items: int, backend: str) -> LoadedSession:
            free = facts.leaves_sizes_open
            shapes = {facts.input_name: (items, *preprocess.shape[1:])} if free else None
            precision = cast(Precision, spec.precision)
            loaded = load_session(
                file,
                gpu=gpu,
                backend=backend,
                precision=precision,
                device=spec.device,
                input_shapes=shapes,
                real_outputs=True,
            )
            opened.callback(loaded.session.close)
            return loaded

        def make_head(session: Session) -> Head:
            head = task.head(Loaded(gpu, session, file, preprocess, references, tried), values)
            opened.callback(head.close)
            return head

        loaded = load(1, spec.backend)
        if task.needs_trial(file, values):
            tried = _try(gpu, loaded, file, preprocess, task, values, opened)
            preprocess, findings = task.prepare(file, {**values, **tried.values}, spec.preprocess)
            preprocess = replace(preprocess, resize="stretch")
        if not recorded:
            loaded = replace(loaded, session=HostArrays.of(loaded.session))
        session = loaded.session.capabilities.recorder
        references = References(gpu, loaded.session, facts.input_name, preprocess, as_region=True)
        heads = [make_head(loaded.session)]
        usual = MOST_REGIONS if heads[0].carry is None else USUAL_CARRIED
        most = min(spec.things or usual, max_regions(gpu, preprocess))
        if session is not None:
            most = min(most, fitting(heads[0].result_bytes))
            if most < 1:
                raise ModelUnsupportedError(
                    sentence(
                        "{name} says more of one region than a frame reads back; choose onnxruntime for it.",
                        name=file.name,
                    )
                )
            if most > 1 and _has_free_batch(facts):
                opened.pop_all().close()
                loaded = load(most, loaded.session.backend)
                session = loaded.session.capabilities.recorder
                assert session is not None
                heads = [make_head(ItemSession(session, item)) for item in range(most)]
            else:
                heads += [make_head(session) for _ in range(most - 1)]
        findings = (*findings, *task.unread(file, known_sidecar_keys()))
        notes = (
            *map(sentence_of, findings),
            *turning_of(file, sentence("secondary networks")),
            *heads[0].notes,
        )
        if len(task.parts(preprocess, values)) > 1:
            notes = (*notes, sentence("Tiles are for the first network and were left out."))
        network = CropNetwork(gpu, loaded, preprocess, facts, heads, most, notes, file.name)
        opened.pop_all()
        return network


def _has_free_batch(facts: ModelFacts) -> bool:
    """Return True if every output has an item for each item of the input."""
    return facts.input_shape[0] == 0 and all(info.shape and info.shape[0] == 0 for info in facts.outputs)


def _purpose(file: ModelFile, said: str) -> tuple[str, ...]:
    """Return the assumed task of a network and the evidence, if it is only its shapes."""
    found = None if said else recognize(file)
    if found is None or found.evidence.value < Evidence.CUSTOMARY.value:
        return ()
    title = str(found.task.title).lower()
    return (sentence("It is taken to be for {task}: {reason}.", task=title, reason=found.match.reason),)


def _tiles(parts: Sequence[Preprocess]) -> tuple[Text, ...]:
    """Return how often each frame is processed, if more than once."""
    if len(parts) == 1:
        return ()
    return (
        sentence("It processes each frame {count} times: whole, and in overlapping tiles.", count=len(parts)),
    )


def _unused(task: ResultTask, settings: Values) -> tuple[str, ...]:
    """Return the settings for decoding outputs that the task does not have."""
    own = {setting.name for setting in task.settings}
    return tuple(
        sentence(
            "The setting '{name}' is not for {task} and was left out.",
            name=name,
            task=str(task.title).lower(),
        )
        for name in ("decoder", "units", "skeleton")
        if settings.get(name) and name not in own
    )


def choose_task(
    file: ModelFile, wanted: str = "", decoder: str = "", *, is_second: bool = False
) -> ResultTask:
    """Return a network's analysis task: the requested one, that of a decoder, or the one that it fits.

    Raise ModelUnsupportedError for a network of the chain or of no known kind, UsageError for an unknown task
    or decoder, AmbiguousNetworkError if it fits several.
    """
    if not wanted and decoder:
        wanted = _task_of(decoder, file)
    if wanted:
        task = task_named(wanted)
        if task is None:
            raise UsageError(
                sentence(
                    "There is no task '{task}'; choose one of {names}.",
                    task=wanted,
                    names=", ".join(each.id for each in result_tasks()),
                )
            )
    else:
        found = recognize(file)
        task = found.task if found is not None else _for_unknown(file)
        task = the_task(task.beside) if task.beside else task
    if is_second and not isinstance(task, ResultTask):
        raise ModelUnsupportedError(
            sentence(
                "{name} produces an image ({task}), so it cannot be a secondary network; choose one that "
                "classifies or finds key points.",
                name=file.name,
                task=task.id,
            )
        )
    if not isinstance(task, ResultTask):
        raise ModelUnsupportedError(
            sentence(
                "{name} produces an image ({task}), so it belongs in the chain; drop it on the window, "
                "give it to a filter (--filter {filter}:model={path}), or choose another task for it.",
                name=file.name,
                task=task.id,
                filter=task.stage(file) or "...",
                path=file.path.stem if is_builtin(file.path) else file.named,
            )
        )
    return task


def _task_of(decoder: str, file: ModelFile) -> str:
    """Return the task of a decoder; of several the one that the file fits."""
    with_it = [task.id for task in tasks_with_decoder(decoder)]
    shown = [each.task.id for each in candidates(file.facts)]
    return next((task for task in with_it if task in shown), with_it[0])


def _for_unknown(file: ModelFile) -> Task:
    # Facts that a file does not have may be known once it is loaded, such as the shape of an output.
    if file.facts.inputs > 1 or len(file.facts.outputs) > 1:
        raise unrecognized(file)
    return next(task for task in result_tasks() if task.takes_unknown)
