"""Class names: ImageNet's list, files beside a model, metadata."""

import json
from pathlib import Path

import numpy as np
import pytest
from constant_models import write_constant

from desktop.base.errors import ModelInvalidError
from desktop.pipeline.running.inputs.input_facts import read_input_facts, save_input
from desktop.vision.models.labels import (
    Labels,
    choose_labels,
    coco_category_labels,
    coco_labels,
    imagenet_labels,
    metadata_labels,
    parse_labels,
    read_labels,
)
from desktop.vision.models.model_file import ModelFile
from desktop.vision.tasks import classification
from desktop.vision.tasks.pixel_classes import labels_of


def test_imagenet_has_a_thousand_different_names_in_the_order_of_wordnet_ids():
    labels = imagenet_labels()
    assert len(labels) == 1000 == len(set(labels.names))
    # Published indices (ILSVRC 2012): first, last, and some between.
    assert {
        0: "tench",
        88: "macaw",
        207: "golden retriever",
        285: "Egyptian cat",
        999: "toilet tissue",
    }.items() <= dict(enumerate(labels.names)).items()


def test_1001_classes_have_the_background_first():
    labels = imagenet_labels(1001)
    assert labels[0] == "background"
    assert labels.names[1:] == imagenet_labels().names


def test_imagenet_agrees_with_the_synset_list(shared: Path):
    lines = (shared / "labels" / "imagenet_synset_1000.txt").read_text("utf-8").splitlines()
    ours = imagenet_labels().names
    differing = [i for i, line in enumerate(lines) if line.split(" ", 1)[1].split(",")[0].strip() != ours[i]]
    # Three names stand for two classes each; the list tells them apart.
    assert differing == [134, 517, 639]


def test_a_line_a_name_with_comments_and_windows_ends():
    assert parse_labels("# about\r\ncat \r\n\r\ndog\r\n\r\n") == ("cat", "", "dog")
    # Only the ends of lines end a line: names may hold any other character that Unicode takes for a break.
    assert parse_labels("cat\u2028a\ndog\x85b\rcow\x0cc\n") == ("cat\u2028a", "dog\x85b", "cow\x0cc")


def test_numbers_in_front_of_the_names_say_which_class_each_is(tmp_path: Path):
    # As Coral's coco_labels.txt, which leaves out the categories that COCO does not have.
    coral = "0  person\n1  bicycle\n10  fire hydrant\n12  stop sign\n"
    names = parse_labels(coral)
    assert [names[number] for number in (0, 1, 10, 12)] == ["person", "bicycle", "fire hydrant", "stop sign"]
    assert len(names) == 13 and names[11] == "class 11"
    assert parse_labels("0 Background Noise\n1 Class 2\n") == ("Background Noise", "Class 2")
    assert parse_labels("1: cat\n2: dog\n") == parse_labels("1. cat\n2. dog") == ("cat", "dog")
    (tmp_path / "m.txt").write_text("0,cat\n1,dog\n", encoding="utf-8")
    labels = choose_labels(2, model=tmp_path / "m.onnx")
    assert labels.names == ("cat", "dog") and "by the numbers in front of the names" in labels.origin
    assert choose_labels(3, model=tmp_path / "m.onnx").names == ("background", "cat", "dog")


@pytest.mark.parametrize(
    "text",
    [
        "0\n1\n2\n",
        "3D printer\n4K screen\n",
        "2 wheels\n4 wheels\n",
        "1 Euro\n2 Euro\n5 Euro\n10 Euro\n",
        "1 person\n2 people\n",
        "1 star\n2 stars\n3 stars\n",
        "0.5 mm\n1.5 mm\n2.0 mm\n",
        "0,5 mm\n1 mm\n2,5 mm\n",
        "0 km/h\n30 km/h\n50 mph\n",
        "1 cat\n1 dog\n",
        "0 cat\ndog\n",
        "0 only\n",
        "0 cat\n999999 dog\n",
    ],
)
def test_numbers_that_are_part_of_names_stay(text: str):
    assert parse_labels(text) == tuple(text.splitlines())


AGES = "0 to 10 years\n11 to 20 years\n21 to 30 years\n31 and older\n"


def test_numbers_with_gaps_are_parts_of_names_if_there_are_as_many_lines_as_classes(tmp_path: Path):
    model = tmp_path / "age.onnx"
    (tmp_path / "age.txt").write_text(AGES)
    labels = choose_labels(4, model=model)
    assert (labels.names, labels.origin) == (tuple(AGES.splitlines()), "age.txt")
    assert choose_labels(5, model=model).names == ("background", *AGES.splitlines())
    # As many as the numbers say.
    labels = choose_labels(32, model=model)
    assert [labels[number] for number in (0, 11, 31)] == ["to 10 years", "to 20 years", "and older"]
    assert choose_labels(4, metadata={"labels": AGES}).names == tuple(AGES.splitlines())
    assert choose_labels(32, metadata={"labels": AGES})[31] == "and older"


def test_names_with_numbers_that_have_gaps_are_copied_beside_a_network(tmp_path: Path):
    path = write_constant(tmp_path / "age.onnx", {"out": np.zeros((1, 4), np.float32)})
    (tmp_path / "ages.txt").write_text(AGES)
    save_input(read_input_facts(path), {}, "classification", tmp_path / "ages.txt")
    assert choose_labels(4, model=path).names == tuple(AGES.splitlines())


def test_numbered_names_of_which_few_are_the_same_or_begin_with_digits():
    names = list(imagenet_labels().names)
    names[517] = names[134]  # both are cranes
    names[836:838] = ["sunglass", "sunglasses"]
    assert parse_labels("".join(f"{n} {name}\n" for n, name in enumerate(names))) == tuple(names)
    signs = "0,20 km/h\n1,30 km/h\n2,stop\n3,no passing\n4,yield\n"
    assert parse_labels(signs) == ("20 km/h", "30 km/h", "stop", "no passing", "yield")
    numbered = "".join(f"{n} {name}\n" for n, name in enumerate(coco_category_labels().names))
    assert parse_labels(numbered) == coco_category_labels().names


def test_the_file_beside_the_model_comes_before_its_metadata(tmp_path: Path):
    model = tmp_path / "pets.onnx"
    (tmp_path / "pets.txt").write_text("cat\ndog\n")
    assert choose_labels(2, model=model, metadata={"labels": "a,b"}).names == ("cat", "dog")
    with_background = choose_labels(3, model=model)
    assert with_background.names == ("background", "cat", "dog")
    assert "pets.txt" in with_background.origin


def test_transformers_config_names_the_classes_of_what_lies_beside_it(tmp_path: Path):
    """As Optimum writes it, beside `model.onnx` or above the folder `onnx`."""
    config = {"architectures": ["ViTForImageClassification"], "id2label": {"0": "bean", "1": "pea"}}
    (tmp_path / "config.json").write_text(json.dumps(config), encoding="utf-8")
    (tmp_path / "onnx").mkdir()
    for model in (tmp_path / "model.onnx", tmp_path / "onnx" / "model.onnx"):
        labels = choose_labels(2, model=model, input_name="pixel_values")
        assert (labels.names, labels.origin) == (("bean", "pea"), "config.json")
        # Of another count they are of another network, as for any file that happens to be there.
        three = choose_labels(3, model=model, input_name="pixel_values")
        assert three.names == ("class 0", "class 1", "class 2")
        stated = choose_labels(2, model=model, input_name="pixel_values", metadata={"labels": "a,b"})
        assert stated.names == ("a", "b")


@pytest.mark.parametrize(("name", "expected"), [("pixel_values", "bean"), ("images", "class 0")])
def test_transformers_config_names_the_classes_of_transformers_networks_only(tmp_path: Path, name, expected):
    """A network of another exporter may lie in the same folder."""
    (tmp_path / "config.json").write_text('{"id2label": {"0": "bean", "1": "pea", "2": "leek"}}')
    outputs = (np.zeros((1, 3), np.float32), np.zeros((1, 3, 64, 64), np.float32))
    files = [
        write_constant(tmp_path / f"{number}.onnx", {"out": values}, name=name)
        for number, values in enumerate(outputs)
    ]
    with ModelFile.opened(files[0]) as file:
        assert classification.TASK.class_names(file, {})[0] == expected
    assert ("config.json" in read_input_facts(files[0]).labels) == (expected == "bean")
    with ModelFile.opened(files[1]) as file:
        assert labels_of(3, False, file)[0] == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[",
        "[" * 5000,
        "[]",
        '{"id2label": {"0": "LABEL_0", "1": "LABEL_1"}}',
        '{"id2label": {"0": "a", "9999999999": "b"}}',
        '{"id2label": {"0": [], "1": "b"}}',
    ],
)
def test_a_config_without_names_is_left_alone(tmp_path: Path, text: str):
    (tmp_path / "config.json").write_text(text, encoding="utf-8")
    labels = choose_labels(2, model=tmp_path / "model.onnx", input_name="pixel_values")
    assert labels.names == ("class 0", "class 1")


@pytest.mark.parametrize("classes", [1000, 1001])
def test_imagenets_names_stay_short(tmp_path: Path, classes: int):
    """As transformers has them; MobileNet's begin with "background"."""
    names = ["background"] * (classes - 1000) + [f"{name}, thing" for name in imagenet_labels().names]
    names[-1] = "bog roll"
    (tmp_path / "config.json").write_text(json.dumps({"id2label": dict(enumerate(names))}), encoding="utf-8")
    labels = choose_labels(classes, model=tmp_path / "model.onnx", input_name="pixel_values")
    assert labels.names == imagenet_labels(classes).names


@pytest.mark.parametrize(
    "usual", [coco_labels(), coco_category_labels(background=False), coco_category_labels()], ids=len
)
def test_cocos_names_keep_their_spelling_where_the_config_has_another(tmp_path: Path, usual: Labels):
    """As RT-DETR's: looks and settings name classes as other detectors do."""
    other = {"airplane": "aeroplane", "motorcycle": "motorbike", "tv": "tvmonitor", "couch": "sofa"}
    names = [other.get(name, name) for name in usual.names]
    config = tmp_path / "config.json"
    config.write_text(json.dumps({"id2label": dict(enumerate(names))}), encoding="utf-8")
    found = choose_labels(len(names), model=tmp_path / "model.onnx", input_name="pixel_values", usual=usual)
    assert (found.names, found.origin) == (usual.names, "config.json")
    names = [f"part {number}" for number in range(len(names))]
    config.write_text(json.dumps({"id2label": dict(enumerate(names))}), encoding="utf-8")
    found = choose_labels(len(names), model=tmp_path / "model.onnx", input_name="pixel_values", usual=usual)
    assert found.names == tuple(names)


def test_names_of_another_number_are_left_out_and_said(tmp_path: Path):
    (tmp_path / "labels.txt").write_text("one\ntwo\nthree\nfour\n")
    labels = choose_labels(2, model=tmp_path / "m.onnx")
    assert labels.names == ("class 0", "class 1")
    assert "labels.txt has 4 names for 2 outputs" in labels.origin


@pytest.mark.parametrize(
    "text",
    [
        "cat,dog",
        "cat\ndog",
        '["cat", "dog"]',
        "['cat', 'dog']",
        "{0: 'cat', 1: 'dog'}",
        '{"1": "dog", "0": "cat"}',
    ],
)
def test_metadata_in_its_usual_forms(text):
    found = metadata_labels({"names": text})
    assert found is not None
    assert found.names == ("cat", "dog")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "cat",
        "{0: 'a', 999999999: 'b'}",
        "{-1: 'a', 0: 'b'}",
        "[" * 5000,
        "[" + "-" * 300000 + "1]",
        "{'a': __import__('os')}",
        "{[]: 1}",
        "[0x" + "f" * 5000 + ", 1]",  # more digits than Python writes down
        "{0x" + "f" * 5000 + ": 'a', 1: 'b'}",
        '[["cat"], ["dog"]]',
        '["cat", null]',
        '["cat", "' + "a" * 1001 + '"]',
        "cat\n" + "a" * 1001,
        "(" + "'a'," * 300_000 + ")",  # more than a megabyte for Python's parser
    ],
)
def test_hostile_metadata_gives_nothing(text):
    assert metadata_labels({"labels": text}) is None


def test_a_file_that_is_not_text_is_one_sentence(tmp_path: Path):
    path = tmp_path / "labels.txt"
    path.write_bytes(b"\xff\xfe\x00\x80")
    with pytest.raises(ModelInvalidError, match=r"labels\.txt is not UTF-8"):
        read_labels(path)
    with pytest.raises(ModelInvalidError, match="cannot be read"):
        read_labels(tmp_path / "missing.txt")


def test_utf16_without_a_mark_is_not_taken_for_utf8(tmp_path: Path):
    path = tmp_path / "labels.txt"
    path.write_bytes("cat\ndog\n".encode("utf-16-be"))
    with pytest.raises(ModelInvalidError, match=r"labels\.txt is not UTF-8"):
        read_labels(path)


def test_a_line_that_nobody_could_read_is_no_name(tmp_path: Path):
    path = tmp_path / "labels.txt"
    path.write_text("cat\n" + "a" * 1001)
    with pytest.raises(ModelInvalidError, match="line of more than 1000 characters"):
        read_labels(path)
    path.write_text("cat\n" + "a" * 1000)
    assert len(read_labels(path)) == 2
