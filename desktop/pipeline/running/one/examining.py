"""Examine a network's files before it is loaded: its task, its classes, and statements about it without effect."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from desktop.base.errors import LightloomError
from desktop.base.wording import Text, sentence
from desktop.pipeline.running.network_spec import NetworkSpec
from desktop.pipeline.running.one.loading import choose_task
from desktop.pipeline.running.one.turning import orientation, turning_of
from desktop.vision.models.findings import Finding, Kind, sentence_of
from desktop.vision.models.model_file import ModelFile
from desktop.vision.models.trimming import opened_with_batch
from desktop.vision.tasks import known_sidecar_keys, recognize
from desktop.vision.tasks.common.unsupported import refuse_unsupported
from desktop.vision.tasks.task import ResultTask

_WITHOUT_EFFECT: Final = frozenset({Kind.KEY_UNKNOWN, Kind.KEY_UNUSED, Kind.NOT_KNOWN})


@dataclass(frozen=True)
class Examined:
    """What a network's files tell.

    Attributes:
        labels: names of its classes; () where only the loaded network shows them.
        without_effect: a sentence for each statement in the files beside it that has no effect.
    """

    task: ResultTask
    labels: tuple[str, ...]
    without_effect: tuple[Text, ...]


def examine(spec: NetworkSpec) -> Examined:
    """Examine a network's files, without its secondary network; nothing is run.

    Raises LightloomError for files that cannot be read, a network that is not recognized, and invalid values.
    """
    with opened_with_batch(spec.model) as file:
        refuse_unsupported(file.facts)
        decoder = str(spec.settings.get("decoder", ""))
        task = choose_task(file, "" if spec.task == "auto" else spec.task, decoder)
        values = task.settled(file, spec.settings)
        preprocess, findings = task.prepare(file, values, spec.preprocess)
        warning = orientation(file, preprocess, is_portrait=False).warning
        findings = (*findings, *task.unread(file, known_sidecar_keys()))
        return Examined(
            task,
            task.class_names(file, values),
            (*_without_effect(findings), *(() if warning is None else (warning,))),
        )


def served_without_effect(file: ModelFile) -> tuple[Text, ...]:
    """Return a sentence for each statement beside a network that has no effect where it is served; none where its
    task is not known.
    """
    try:
        found = recognize(file)
        if found is None:
            return ()
        _, findings = found.task.prepare(file, found.task.settled(file, {}), {})
    except LightloomError:  # which clients that send images are told
        return ()
    findings = (*findings, *found.task.unread(file, known_sidecar_keys()))
    return (*_without_effect(findings), *turning_of(file, sentence("served networks")))


def _without_effect(findings: Iterable[Finding]) -> tuple[Text, ...]:
    found = (sentence_of(each) for each in findings if each.kind in _WITHOUT_EFFECT)
    return tuple(dict.fromkeys(found))
