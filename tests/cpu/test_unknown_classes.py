"""Classes that zones, events, masks, automations and texts name and that the network does not have."""

from __future__ import annotations

from dataclasses import replace

from desktop.pipeline.automation.source import automation_source
from desktop.pipeline.automation.spec import Automation
from desktop.pipeline.chain.spec import ChainSpec, StageSpec
from desktop.pipeline.layers.spec import Layers, LayerSpec
from desktop.pipeline.masks.spec import MaskPart, MaskSpec
from desktop.pipeline.running.network_spec import NetworkSpec
from desktop.pipeline.setup.class_names import unknown_classes
from desktop.pipeline.setup.setup import Setup
from desktop.vision.tracking.events import EventSpec
from desktop.vision.tracking.scene import SceneSpec
from desktop.vision.tracking.zones import ZoneSpec

LABELS = ("person", "car", "truck")
FIELD = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0))


def scene(*classes: str) -> SceneSpec:
    zone = ZoneSpec("Yard", FIELD, classes=classes)
    return SceneSpec(zones=(zone,), events=(EventSpec("In", "Yard", "enters", classes=classes),))


def masked(classes: str) -> ChainSpec:
    part = MaskPart("detections", {"classes": classes})
    return ChainSpec((StageSpec(1, "sepia", mask=MaskSpec((part,))),))


def test_each_unknown_class_is_named_with_the_nearest() -> None:
    setup = Setup(masked("CAR, bicycle"), NetworkSpec("x.onnx"), scene("car", "Person", "trukc", "dog"))
    found = unknown_classes(setup, LABELS)
    assert [(each.kind, each.owner, each.name, each.near) for each in found] == [
        ("zones", "Yard", "Person", "person"),
        ("zones", "Yard", "trukc", "truck"),
        ("zones", "Yard", "dog", ""),
        ("events", "In", "Person", "person"),
        ("events", "In", "trukc", "truck"),
        ("events", "In", "dog", ""),
        ("masks", "sepia", "bicycle", ""),
    ]
    assert str(found[1].text).endswith("which the network does not have; did you mean 'truck'?")
    assert str(found[2].text).endswith("choose one such as person, car, truck.")


def test_classes_of_automations_and_of_texts_are_named_too() -> None:
    source = automation_source("detections")

    def following(**values: object) -> Automation:
        return Automation("detections", source.check(values))

    numbers = {
        "opacity": following(classes=("Persn", "CAR")),
        "radius": following(measure="event", classes=("dog",)),  # which do not matter then
        "sigma": replace(following(classes=("dog",)), enabled=False),
    }
    stages = (
        StageSpec(1, "sepia", automation=numbers),
        StageSpec(2, "blur", automation=numbers, enabled=False),
    )
    texts = ("{count}", "{count:Truck} of {count:lorry}", "{{count:dog}}")
    layers = tuple(LayerSpec(n, "text", {"value": text}) for n, text in enumerate(texts))
    hidden = LayerSpec(9, "text", {"value": "{count:bus}"}, enabled=False)
    setup = Setup(ChainSpec(stages), NetworkSpec("x.onnx"), layers=Layers((*layers, hidden)))
    found = unknown_classes(setup, LABELS)
    assert [(each.kind, each.owner, each.name, each.near) for each in found] == [
        ("automations", "sepia", "Persn", "person"),
        ("layers", texts[1], "lorry", ""),
    ]


def test_nothing_is_reported_where_the_labels_are_not_known() -> None:
    setup = Setup(network=NetworkSpec("x.onnx"), scene=scene("dog: boxer"))
    assert unknown_classes(setup, ()) == ()
    second = replace(setup.network, second=NetworkSpec("y.onnx"))
    assert unknown_classes(replace(setup, network=second), LABELS) == ()


def test_reports_are_bounded() -> None:
    setup = Setup(network=NetworkSpec("x.onnx"), scene=scene(*(f"x{n}" * 300 for n in range(100))))
    found = unknown_classes(setup, LABELS)
    assert len(found) == 20 and max(len(str(each.text)) for each in found) < 300
