"""The classifier beside the image; the page shows results of tasks that rank classes, and no others."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from desktop.base.errors import ModelUnsupportedError
from desktop.base.wording import sentence
from desktop.compute.nn.session import Precision
from desktop.pipeline.running.network_spec import NetworkSpec
from desktop.pipeline.running.one.loading import choose_task
from desktop.vision.models.facts import ModelFacts
from desktop.vision.models.findings import Finding, Kind
from desktop.vision.models.labels import choose_labels
from desktop.vision.models.model_file import ModelFile
from desktop.vision.models.preprocess import Preprocess
from desktop.vision.tasks.common.ranking import Ranks
from desktop.vision.tasks.common.reduction import PACKING
from desktop.web.network import Form, compile_forms, write_form
from desktop.web.pieces import Pieces, Write
from desktop.web.preprocess import preprocess_table
from desktop.web.texts import Shaders, in_text

_ENTRY_BYTES: Final = 8


@dataclass(frozen=True)
class ClassifierExport:
    """A compiled classifier.

    Attributes:
        task: ranks its classes.
        forms: compiled network per kind of adapter.
        top: number of classes shown.
        logits: the scores need softmax.
        every, on_result: see `NetworkSpec`.
    """

    name: str
    task: Ranks
    forms: tuple[Form, ...]
    preprocess: Preprocess
    labels: tuple[str, ...]
    top: int
    logits: bool
    every: int
    on_result: bool


def gather_classifier(spec: NetworkSpec, precision: Precision) -> ClassifierExport:
    """Compile the network beside the image.

    Raises ModelError if it is unreadable, of free size, no classifier or too much for a browser, UsageError
    if a setting is invalid.
    """
    if spec.second is not None:
        raise ModelUnsupportedError(
            sentence("The page has no secondary network; take it out of the look, or export without it.")
        )
    with ModelFile.opened(Path(spec.model)) as file:
        task = choose_task(file, "" if spec.task == "auto" else spec.task)
        if not isinstance(task, Ranks):
            raise ModelUnsupportedError(
                sentence(
                    "{name} is a network for {task}, and the page shows nothing of that kind; export a "
                    "classifier, or a network "
                    "that a filter of the chain uses.",
                    name=file.name,
                    task=task.id,
                )
            )
        values = task.checked(spec.settings)
        preprocess, findings = task.prepare(file, values, spec.preprocess)
        facts = file.facts
        _check_size(file.name, facts, findings)
        shapes = {facts.input_name: preprocess.shape} if facts.leaves_sizes_open else None
        forms = compile_forms(file, precision, input_shapes=shapes)
        classes = task.class_count(forms[0].inputs, forms[0].outputs, file.name)
        for form in forms:
            _check_scores(form, file.name)
        labels = choose_labels(classes, model=file.path, input_name=facts.input_name, metadata=facts.metadata)
        return ClassifierExport(
            name=file.path.stem,
            task=task,
            forms=forms,
            preprocess=preprocess,
            labels=tuple(labels[index] for index in range(classes)),
            top=min(values["top"], classes),
            logits=not facts.softmax,
            every=spec.every,
            on_result=spec.on_result,
        )


def _check_size(name: str, facts: ModelFacts, findings: tuple[Finding, ...]) -> None:
    if any(finding.kind is Kind.SIZE_ASSUMED for finding in findings):
        raise ModelUnsupportedError(
            sentence(
                "{name} leaves width and height of its input '{input}' free ({shape}), and nothing states "
                "them; write a size "
                "beside it (docs/models.md) or into the look.",
                name=name,
                input=facts.input_name,
                shape=", ".join(str(size or "any") for size in facts.input_shape),
            ),
            [sentence("the input '{input}' has a free width and height", input=facts.input_name)],
        )


def _check_scores(form: Form, name: str) -> None:
    dtype = form.operand(form.outputs[0].name).dtype
    if dtype not in PACKING:
        raise ModelUnsupportedError(
            sentence(
                "{name} gives scores of type {dtype}, which the page does not read.", name=name, dtype=dtype
            )
        )


def write_classifier(classifier: ClassifierExport, shaders: Shaders, write: Write) -> dict[str, Any]:
    """Write the weights and return the table."""
    pieces = Pieces(write)
    written = [(form, write_form(form, shaders, pieces)) for form in classifier.forms]
    forms = [
        {
            **made.table,
            "preprocess": preprocess_table(
                classifier.preprocess,
                form.operand(form.graph.inputs[0]),
                made.buffer_of[form.operand(form.graph.inputs[0]).storage],
                shaders,
            ),
            "head": _head(classifier, form, made.table["outputs"][0]["buffer"], shaders),
        }
        for form, made in written
    ]
    return {
        "name": classifier.name,
        "labels": classifier.labels,
        "every": classifier.every,
        "onResult": classifier.on_result,
        "weights": pieces.table(),
        "forms": forms,
    }


def _head(classifier: ClassifierExport, form: Form, scores: int, shaders: Shaders) -> dict[str, Any]:
    output = form.outputs[0]
    return {
        "shader": shaders.add_file(classifier.task.ranking_shader),
        "constants": {"packing": PACKING[form.operand(output.name).dtype]},
        "plan": in_text(
            classifier.task.ranking_plan(math.prod(output.shape), classifier.top, logits=classifier.logits)
        ),
        "scores": scores,
        "bytes": classifier.top * _ENTRY_BYTES,
    }
