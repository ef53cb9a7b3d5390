"""Bring a network, a backend and a task together: from a file to what looks at pictures."""

from __future__ import annotations

from desktop.compute.backends import AUTO
from desktop.compute.backends.loader import load_session
from desktop.compute.gpu.device import Gpu
from desktop.compute.models.findings import sentence_of
from desktop.compute.models.model_file import Model, ModelFile
from desktop.compute.nn.session import Precision
from desktop.compute.running.picture_network import PictureNetwork
from desktop.compute.tasks import recognize, result_tasks, task_named, the_task
from desktop.compute.tasks.task import Loaded, ResultTask, Task, Values
from desktop.errors import LightloomError, ModelUnsupportedError, UsageError
from desktop.wording import sentence


def load_network(
    gpu: Gpu,
    model: Model,
    task: str = "",
    *,
    settings: Values | None = None,
    backend: str = AUTO,
    precision: Precision = "auto",
    preset: Values | None = None,
    threads: int | None = None,
) -> PictureNetwork:
    """Load a network that says something of pictures, infer its preprocessing, make its head. Its results are the task's.

    Args:
        gpu: the device, which prepares the pictures whatever the backend.
        model: an ONNX file, by its path or open.
        task: id of the task; '' for what the network shows.
        settings: values of the task's settings; those of other tasks are left out.
        backend: see `load_session`.
        precision: see `load_session`.
        preset: preprocessing fields that override what is inferred and the sidecar.
        threads: threads of onnxruntime.

    Raises:
        ModelInvalidError: not a readable ONNX model, or a file beside it is broken.
        ModelUnsupportedError: not a network of the task, one for the chain, or no backend takes it.
        UsageError: a value that its setting, its field or the network does not take.
    """
    with ModelFile.opened(model) as file:
        chosen = choose_task(file, task)
        values = chosen.checked(settings or {})
        preprocess, findings = chosen.prepare(file, values, preset or {})
        shapes = {file.facts.input_name: preprocess.shape} if 0 in file.facts.input_shape else None
        loaded = load_session(
            file,
            gpu=gpu,
            backend=backend,
            precision=precision,
            threads=threads,
            input_shapes=shapes,
            real_outputs=True,
        )
    try:
        head = chosen.head(Loaded(gpu, loaded.session, file, preprocess), values)
        notes = (*map(sentence_of, findings), *head.notes)
        return PictureNetwork(gpu, loaded, preprocess, file.facts, head, notes)
    except LightloomError:
        loaded.session.close()
        raise


def choose_task(file: ModelFile, wanted: str = "") -> ResultTask:
    """Return the task that a network has beside the picture: the one that is wanted, else what it shows.

    Raises:
        ModelUnsupportedError: it is a network for the chain.
        UsageError: there is no such task.
    """
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
        task = found.task if found is not None else _for_unknown()
        task = the_task(task.beside) if task.beside else task
    if not isinstance(task, ResultTask):
        raise ModelUnsupportedError(
            sentence(
                "{name} makes a picture ({task}), so it belongs into the chain; drop it on the window, or choose "
                "another task for it.",
                name=file.name,
                task=task.id,
            )
        )
    return task


def _for_unknown() -> Task:
    # What a file does not tell may show once it is loaded: the shape of an output, say.
    return next(task for task in result_tasks() if task.takes_unknown)
