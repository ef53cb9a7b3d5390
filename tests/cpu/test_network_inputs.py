"""Inference of the input where a network's file leaves it open: channels and sizes by the weights, values by
the family.
"""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import onnx
import pytest
from input_models import FREE, Graph, classifier, cutter, patches

from desktop.base.errors import ModelUnsupportedError
from desktop.compute.nn.session import TensorInfo
from desktop.vision.models.facts import ModelFacts
from desktop.vision.models.findings import sentence_of
from desktop.vision.models.model_file import ModelFile
from desktop.vision.models.preprocess import (
    FAMILY_FIELDS,
    IMAGENET_MEAN,
    IMAGENET_STD,
    Preprocess,
    choose_preprocess,
)
from desktop.vision.tasks import recognize_facts, the_task
from desktop.vision.tasks.common.dense import DenseRequest, plan_dense
from desktop.vision.tasks.common.unsupported import refuse_unsupported
from desktop.vision.tasks.detection import decoders
from desktop.vision.tasks.key_points.decoders import all_decoders

# What `transformers_processors` returned with transformers 5.23.0, which need not be installed.
PROCESSORS = Path(__file__).with_name("transformers_processors.json")


def facts(path: Path) -> ModelFacts:
    with ModelFile.opened(path) as file:
        return file.facts


def finding_text(found: ModelFacts) -> str:
    return "\n".join(map(sentence_of, Preprocess.infer(found)[1]))


@pytest.mark.parametrize(
    ("shape", "options", "want"),
    [
        (FREE, {}, (0, 3, 0, 0)),
        (("b", "c", "h", "w"), {"first": ["Cast", "Sub", "Pad"]}, (0, 3, 0, 0)),
        ((1, "c", 64, 64), {"first": ["Concat"]}, (1, 3, 64, 64)),
        (("b", "h", "w", "c"), {"channels_last": True}, (0, 0, 0, 3)),
        ((1, 64, 64, "c"), {"channels_last": True, "first": ["Sub"]}, (1, 64, 64, 3)),
        (("b", "h", "w", 3), {"channels_last": True}, (0, 0, 0, 3)),
    ],
)
def test_free_channels_are_those_of_the_first_convolution(tmp_path, shape, options, want):
    found = facts(classifier(tmp_path / "net.onnx", shape, **options))
    assert found.input_shape == want
    plan, _ = Preprocess.infer(found)
    assert plan.layout == ("NHWC" if options.get("channels_last") else "NCHW") and plan.channels == 3
    told = "leaves the channels free; the first layer takes 3" in finding_text(found)
    assert told == ("c" in shape or "num_channels" in shape)


def test_a_table_of_positions_settles_the_size(tmp_path):
    found = facts(patches(tmp_path / "net.onnx", side=48))
    assert found.input_shape == (0, 3, 48, 48) and found.leaves_sizes_open
    assert "position embeddings are those of 48x48" in finding_text(found)
    assert facts(patches(tmp_path / "net.onnx", ("b", 3, 64, 64), side=48)).input_shape == (0, 3, 64, 64)


@pytest.mark.parametrize("channels", [2, 4, 12])
def test_other_channels_are_no_picture(tmp_path, channels):
    graph = Graph()
    graph.conv("x", channels, 5, 3)
    graph.node("GlobalAveragePool", "n0", to="y")
    found = facts(graph.save(tmp_path / "net.onnx", FREE, [("y", ("batch_size", 5, 1, 1))]))
    with pytest.raises(ModelUnsupportedError, match=f"'x'.*{channels}"):
        Preprocess.infer(found)


# -- families ------------------------------------------------------------------------------------------------


def families() -> dict[str, dict[str, object]]:
    """What is usual for each family that there is, by a name."""
    found: dict[str, dict[str, object]] = {}
    for detector in decoders.all_decoders():
        found[f"detection {detector.id}"] = dict(detector.preprocess)
    for decoder in all_decoders():
        found[f"key points {decoder.id}"] = dict(decoder.preprocess)
    square = TensorInfo("image_embeds", (1, 512), "float32")
    embedding = TensorInfo("image_embeddings", (1, 256, 64, 64), "float32")
    for name, task, known in [
        ("CLIP", "likeness", ModelFacts("pixel_values", (0, 3, 0, 0), outputs=(square,))),
        ("ArcFace", "likeness", ModelFacts("x", (1, 3, 112, 112))),
        ("OpenSeeFace", "face_points", ModelFacts("x", (1, 3, 224, 224))),
        ("SAM", "prompted_mask", ModelFacts("x", (1, 3, 1024, 1024), outputs=(embedding,))),
    ]:
        title, usual = the_task(task).family(SimpleNamespace(facts=known, name="net.onnx"), {})
        assert title
        found[name] = dict(usual)
    return {name: usual for name, usual in found.items() if usual}


FAMILIES = families()


@pytest.mark.parametrize("name", FAMILIES)
@pytest.mark.parametrize(
    ("shape", "dtype"),
    [
        ((1, 3, 96, 160), "float32"),
        ((1, 96, 160, 3), "float32"),
        ((0, 3, 0, 0), "float32"),
        ((0, 0, 0, 3), "float16"),
        ((1, 1, 96, 160), "float32"),
        ((1, 96, 160, 3), "uint8"),
        ((1, 96, 160, 3), "int8"),
    ],
)
def test_each_familys_values_reach_the_plan(tmp_path, name, shape, dtype):
    usual = FAMILIES[name]
    assert usual.keys() <= FAMILY_FIELDS
    found = ModelFacts("x", shape, dtype)
    plan, findings = choose_preprocess(tmp_path / "net.onnx", found, family=("It", usual))
    for field in ("resize", "crop", "pad", "interpolation"):
        assert field not in usual or getattr(plan, field) == usual[field]
    if dtype.startswith("float") and plan.channels == 3:
        assert (plan.scale, plan.colors) == (usual["scale"], usual["colors"])
        assert np.allclose(plan.mean, usual.get("mean", 0)) and np.allclose(plan.std, usual.get("std", 1))
    if 0 in shape[1:] and "width" in usual:
        assert (plan.width, plan.height) == (usual["width"], usual["height"])
    assert all(map(sentence_of, findings))


def test_there_are_families():
    assert {"CLIP", "SAM", "detection detr"} <= FAMILIES.keys() and len(FAMILIES) > 15


def test_ultralytics_classifiers_see_the_whole_square_and_torchvisions_do_not(tmp_path):
    metadata = {"stride": "1", "task": "classify", "imgsz": "[224, 224]", "names": "{0: 'a', 1: 'b'}"}
    plan, _ = Preprocess.infer(facts(classifier(tmp_path / "a.onnx", (1, 3, 224, 224), metadata=metadata)))
    assert (plan.resize, plan.crop, plan.scale, plan.mean) == ("crop", 1.0, "0..1", (0.0,) * 3)
    plan, _ = Preprocess.infer(facts(classifier(tmp_path / "b.onnx", (1, 3, 224, 224))))
    assert (plan.resize, plan.crop) == ("crop", 0.875)


# -- masks ---------------------------------------------------------------------------------------------------

_HALF = (0.5, 0.5, 0.5)
_IMAGENET = (IMAGENET_MEAN, IMAGENET_STD)


@pytest.mark.parametrize(
    ("file", "options", "mean", "std"),
    [
        ("a.onnx", {"masks": 7, "names": ("input.1", "d0")}, *_IMAGENET),
        ("a.onnx", {"masks": 6}, _HALF, (1.0,) * 3),
        ("a.onnx", {"size": (1024, 1024)}, _HALF, (1.0,) * 3),
        ("a.onnx", {"size": (1024, 1024), "masks": 7}, *_IMAGENET),
        ("a.onnx", {"size": (1024, 1024), "extra": "InstanceNormalization"}, _HALF, _HALF),
        ("a.onnx", {"size": (1024, 1024), "names": ("input_image", "output_image")}, _HALF, (1.0,) * 3),
        ("a.onnx", {"modules": ("model/conv_in", "side1")}, _HALF, (1.0,) * 3),
        ("a.onnx", {"modules": ("outconv", "side1")}, *_IMAGENET),
        ("a.onnx", {"modules": ("lr_branch", "hr_branch")}, _HALF, _HALF),
        ("a.onnx", {"extra": "InstanceNormalization"}, _HALF, _HALF),
        ("a.onnx", {"last": "", "names": ("input_image", "output_image")}, *_IMAGENET),
        ("a.onnx", {"names": ("pixel_values", "alphas")}, *_IMAGENET),
        ("a.onnx", {"last": "", "modules": ("bb", "squeeze_module")}, *_IMAGENET),
        ("u2netp.onnx", {}, *_IMAGENET),
        ("isnet-general-use.onnx", {}, _HALF, (1.0,) * 3),
        ("modnet_photographic.onnx", {}, _HALF, _HALF),
        ("birefnet-lite.onnx", {}, *_IMAGENET),
        ("my_rmbg-1.4.onnx", {}, _HALF, (1.0,) * 3),
        ("disnet_visnet.onnx", {}, (0.0,) * 3, (1.0,) * 3),
        ("selfie.onnx", {"size": (256, 256)}, (0.0,) * 3, (1.0,) * 3),
    ],
)
def test_masks_are_recognized_and_get_their_familys_values(tmp_path, file, options, mean, std):
    path = cutter(tmp_path / file, (1, 1, 1), **options)
    found = recognize_facts(facts(path))
    assert found is not None and found.task.id == "mask"
    with ModelFile.opened(path) as opened:
        plan = plan_dense(opened, (320, 240), opened.statement, DenseRequest("mask"))
    assert (plan.input.scale, plan.input.mean, plan.input.std) == ("0..1", mean, std)
    assert plan.input.colors == "RGB"


def test_a_map_that_nothing_names_is_still_taken_for_depth(tmp_path):
    found = recognize_facts(facts(cutter(tmp_path / "a.onnx", (1, 1, 1), last="")))
    assert found is not None and found.task.id == "depth"


def test_the_models_of_these_tests_are_valid(tmp_path):
    for path in (
        classifier(tmp_path / "a.onnx", FREE),
        patches(tmp_path / "b.onnx"),
        cutter(tmp_path / "c.onnx", (1, 1, 1)),
    ):
        onnx.checker.check_model(onnx.load(path), full_check=True)


# -- refusals ------------------------------------------------------------------------------------------------


def table(name: str, *shape: int, dtype: str = "float32") -> TensorInfo:
    return TensorInfo(name, shape, dtype)


@pytest.mark.parametrize(
    ("outputs", "others", "words"),
    [
        (
            [table("class_logits", 1, 100, 81), table("masks", 1, 100, 64, 64)],
            [],
            ["class_logits", "100 masks"],
        ),
        (
            [table("out", 1, 3, 256, 256)],
            [table("mask", 1, 1, 256, 256)],
            ["'mask'", "takes an image alone"],
        ),
        (
            [table("text_embeds", 1, 512), table("image_embeds", 1, 512)],
            [table("input_ids", 1, 77, dtype="int64")],
            ["'input_ids'", "image tower"],
        ),
    ],
)
def test_kinds_that_nothing_uses_are_refused_with_what_they_are(outputs, others, words):
    found = ModelFacts(
        "x",
        (1, 3, 256, 256),
        outputs=tuple(outputs),
        others=tuple(others),
        inputs=1 + len(others),
        file_name="a.onnx",
    )
    with pytest.raises(ModelUnsupportedError) as caught:
        refuse_unsupported(found)
    assert str(caught.value).startswith("a.onnx ") and all(word in str(caught.value) for word in words)


@pytest.mark.parametrize(
    ("outputs", "others"),
    [
        ([table("output0", 1, 116, 8400), table("output1", 1, 32, 160, 160)], []),  # YOLO's instance masks
        ([table("logits", 1, 100, 92), table("pred_boxes", 1, 100, 4)], []),
        ([table("out", 1, 3, 256, 256)], [table("timestep", 1, dtype="int64")]),
        ([table("out", 1, 3, 256, 256)], [table("x2", 1, 3, 256, 256)]),
    ],
)
def test_their_neighbors_are_not(outputs, others):
    refuse_unsupported(ModelFacts("x", (1, 3, 256, 256), outputs=tuple(outputs), others=tuple(others)))


@pytest.mark.parametrize(
    ("shape", "dtype", "advice"),
    [
        ((8, 3, 64, 64), "float32", "batch of 1"),
        ((1, 3, 64, 64), "float64", "float32"),
        ((1, 0, 64, 64), "float32", "channels stated"),
        ((1, 3, 16, 64, 64), "float32", "another network"),
    ],
)
def test_the_sentence_says_which_export_to_make(shape, dtype, advice):
    with pytest.raises(ModelUnsupportedError, match=f"^a.onnx does not take one image.*'x'.*{advice}"):
        Preprocess.infer(ModelFacts("x", shape, dtype, file_name="a.onnx"))


# -- what transformers writes beside a network ---------------------------------------------------------------


def beside(folder: Path, **config: object) -> ModelFacts:
    (folder / "preprocessor_config.json").write_text(json.dumps(config))
    return ModelFacts("pixel_values", (0, 3, 0, 0))


@pytest.mark.parametrize(
    ("config", "want"),
    [
        (  # ViT
            {
                "do_normalize": True,
                "image_mean": [0.5] * 3,
                "image_std": [0.5] * 3,
                "resample": 2,
                "size": {"height": 384, "width": 384},
            },
            {"resize": "stretch", "width": 384, "height": 384, "mean": (0.5,) * 3, "std": (0.5,) * 3},
        ),
        (  # DINOv2
            {
                **{
                    "image_mean": IMAGENET_MEAN,
                    "image_std": IMAGENET_STD,
                    "resample": 3,
                    "do_center_crop": True,
                },
                **{"size": {"shortest_edge": 256}, "crop_size": {"height": 224, "width": 224}},
            },
            {"resize": "crop", "crop": 0.875, "interpolation": "bicubic", "width": 224, "std": IMAGENET_STD},
        ),
        (  # ConvNeXt
            {
                **{"image_mean": IMAGENET_MEAN, "image_std": IMAGENET_STD},
                **{"size": {"shortest_edge": 224}, "crop_pct": 0.9},
            },
            {"resize": "crop", "crop": 0.9, "width": 224},
        ),
        (  # MobileViT
            {
                **{"do_normalize": False, "do_flip_channel_order": True, "do_center_crop": True},
                **{"size": {"shortest_edge": 288}, "crop_size": {"height": 256, "width": 256}},
            },
            {"colors": "BGR", "mean": (0.0,) * 3, "std": (1.0,) * 3, "width": 256, "crop": 256 / 288},
        ),
        (  # as version 4.20 wrote it
            {"image_mean": [0.5] * 3, "image_std": [0.5] * 3, "size": 192},
            {"resize": "stretch", "width": 192, "height": 192},
        ),
    ],
)
def test_transformers_file_beside_a_network_is_believed(tmp_path, config, want):
    found = beside(tmp_path, **config)
    plan, findings = choose_preprocess(tmp_path / "model.onnx", found)
    assert {name: getattr(plan, name) for name in want} == want
    assert any("preprocessor_config.json" in sentence_of(finding) for finding in findings)
    assert not any(finding.assumes("scale", "colors") for finding in findings)
    (tmp_path / "onnx").mkdir()
    assert choose_preprocess(tmp_path / "onnx" / "model.onnx", found)[0] == plan


def transformers_processors(folder: Path) -> dict[str, dict[str, Any]]:
    """Return by family the file that a processor writes, the side of its images and five pixels of one: of a wide
    image that gets brighter to the right in red and blue, and downwards in green. As PROCESSORS has them.
    """
    transformers = pytest.importorskip("transformers")
    across, down = np.meshgrid(np.arange(384.0), np.arange(256.0))
    image = np.stack([across / 384, down / 256, across / 384], axis=-1) * 255
    found = {}
    plain = ("EfficientNet", "Levit", "PoolFormer", "Perceiver", "Flava", "ViT", "CLIP", "Bit", "DeiT")
    families: dict[str, dict[str, Any]] = {
        **{family: {} for family in plain},
        # Its own networks have sizes for which it does not look beyond the image.
        "MobileViT": {"size": {"shortest_edge": 288}},
        "EfficientNet with an offset": {"rescale_factor": 1 / 127.5, "rescale_offset": True},
        "Beit": {"do_center_crop": True, "size": {"height": 256, "width": 256}},
        # Its own mean is -1, and its images are brighter than 1 by half a percent.
        "Chameleon": {},
    }
    for family, options in families.items():
        made = getattr(transformers, f"{family.partition(' ')[0]}ImageProcessor")(**options)
        made.save_pretrained(folder)
        config = json.loads((folder / "preprocessor_config.json").read_text())
        (seen,) = np.asarray(made(image.astype(np.uint8), return_tensors="pt")["pixel_values"])
        side = seen.shape[1]
        assert seen.shape == (3, side, side), family
        half, low, high = side // 2, side // 2 - side // 4, side // 2 + side // 4
        places = {
            "middle": (half, half),
            "left": (half, low),
            "right": (half, high),
            "top": (low, half),
            "bottom": (high, half),
        }
        pixels = {
            name: [round(float(seen[(i, *place)]), 4) for i in range(3)] for name, place in places.items()
        }
        found[family] = {"config": config, "side": side, "pixels": pixels}
    return found


@pytest.mark.parametrize("is_stored", [True, False], ids=["stored", "installed"])
def test_networks_get_the_images_that_transformers_own_processors_make(tmp_path, is_stored):
    """Numbers and part of a wide image, of processors that do more than their files say."""
    processors = json.loads(PROCESSORS.read_text()) if is_stored else transformers_processors(tmp_path)
    assert len(processors) == 13
    for family, made in processors.items():
        found = beside(tmp_path, **made["config"])
        plan, _ = choose_preprocess(tmp_path / "model.onnx", found)
        levels = {name: np.array(pixel) * plan.std + plan.mean for name, pixel in made["pixels"].items()}
        if plan.colors == "BGR":
            levels = {name: pixel[::-1] for name, pixel in levels.items()}
        assert (plan.width, plan.height) == (made["side"],) * 2, family
        side = plan.crop * 256 if plan.resize == "crop" else 0
        shares = (side / 384, side / 256) if side else (1.0, 1.0)
        shares = (plan.crop,) * 2 if plan.resize == "stretched_crop" else shares
        spans = [levels["right"][0] - levels["left"][0], levels["bottom"][1] - levels["top"][1]]
        np.testing.assert_allclose(2 * np.array(spans), shares, atol=0.02, err_msg=family)
        np.testing.assert_allclose(levels["middle"][:2], 0.5, atol=0.01, err_msg=family)


def test_processors_of_networks_without_a_mean_need_not_say_so(tmp_path):
    """As Apple published MobileViT."""
    config = {
        "feature_extractor_type": "MobileViTFeatureExtractor",
        "do_flip_channel_order": True,
        "size": 288,
    }
    plan, _ = choose_preprocess(tmp_path / "model.onnx", beside(tmp_path, **config))
    assert (plan.colors, plan.scale, plan.mean, plan.std) == ("BGR", "0..1", (0.0,) * 3, (1.0,) * 3)


@pytest.mark.parametrize(
    "text",
    [
        *("", "[]", "{", '{"image_mean": "a"}', '{"image_mean": [1, 2], "image_std": [1, 2]}', "[" * 5000),
        *('{"image_mean": [0, 0, 0], "image_std": [0, 0, 0]}', '{"size": {"height": -1, "width": 1e9}}'),
        *(
            '{"size": {"shortest_edge": 224}, "crop_pct": '
            + "9" * 400
            + ', "image_mean": ['
            + "9" * 400
            + ", 0, 0]}",
            '{"size": true, "crop_pct": "x", "resample": [1]}',
            '{"image_mean": [1e999, 0, 0], "image_std": [1, 1, 1]}',
            '{"image_mean": [0, 0, 0], "image_std": [1, 1, 1], "rescale_factor": 0}',
            '{"image_mean": [0, 0, 0], "image_std": [1, 1, 1], "rescale_factor": 1e307}',
            '{"image_mean": [1e308, 0, 0], "image_std": [1, 1, 1], "rescale_factor": 1e-8}',
            '{"image_mean": [0, 0, 0], "image_std": [1e-12, 1, 1]}',
        ),
    ],
)
def test_nonsense_beside_a_network_says_nothing(tmp_path, text):
    (tmp_path / "preprocessor_config.json").write_text(text)
    plan, _ = choose_preprocess(tmp_path / "model.onnx", ModelFacts("pixel_values", (0, 3, 0, 0)))
    assert (
        plan == choose_preprocess(tmp_path.parent / "model.onnx", ModelFacts("pixel_values", (0, 3, 0, 0)))[0]
    )


def test_a_table_of_positions_that_is_looked_up_settles_the_size_too(tmp_path):
    graph = Graph()
    cut = graph.conv("x", 3, 16, 8, strides=[8, 8])
    tokens = graph.node(
        "Transpose", graph.node("Reshape", cut, graph.constant(np.int64([0, 16, -1]))), perm=[0, 2, 1]
    )
    table = graph.constant(np.zeros((25, 16), np.float32))
    numbers = graph.constant(np.arange(25, dtype=np.int64)[None])
    graph.node("Add", tokens, graph.node("Gather", table, numbers), to="y")
    found = facts(graph.save(tmp_path / "net.onnx", FREE, [("y", ("batch_size", 25, 16))]))
    assert found.input_shape == (0, 3, 40, 40)


def test_detr_with_its_free_queries_is_a_detector():
    outputs = (table("logits", 0, 0, 92), table("pred_boxes", 0, 0, 4))
    found = recognize_facts(ModelFacts("pixel_values", (0, 3, 0, 0), outputs=outputs))
    assert found is not None and found.task.id == "detection"


@pytest.mark.parametrize(
    ("made", "block", "task"), [(3, 1, "image"), (12, 2, "super_resolution"), (1, 1, "mask")]
)
def test_free_channels_of_what_comes_out_are_those_of_the_last_convolution(tmp_path, made, block, task):
    graph = Graph()
    value = graph.conv("x", 3, made, 3, pads=[1, 1, 1, 1])
    if block > 1:
        value = graph.node("DepthToSpace", value, blocksize=block)
    value = graph.node("Sigmoid", value) if task == "mask" else value
    graph.node("Add", value, graph.constant(np.zeros(1, np.float32)), to="reconstruction")
    found = facts(graph.save(tmp_path / "net.onnx", FREE, [("reconstruction", ("b", "c", "h", "w"))]))
    assert found.outputs[0].shape == (0, made // block**2, 0, 0)
    recognized = recognize_facts(found)
    assert recognized is not None and recognized.task.id in (task, "depth")


@pytest.mark.parametrize("origin", ["sidecar", "transformers"])
def test_a_file_beside_a_stages_network_states_its_size(tmp_path, origin):
    graph = Graph()
    graph.conv("pixel_values", 3, 21, 3, pads=[1, 1, 1, 1])
    graph.node("Identity", "n0", to="logits")
    path = graph.save(tmp_path / "model.onnx", FREE, [("logits", ("b", 21, "h", "w"))], name="pixel_values")
    if origin == "sidecar":
        path.with_name("model.onnx.lightloom.toml").write_text("[preprocess]\nwidth = 160\nheight = 96\n")
    else:
        beside(tmp_path, size={"height": 96, "width": 160}, do_normalize=False)
    with ModelFile.opened(path) as opened:
        plan = plan_dense(opened, (640, 480), opened.statement, DenseRequest("classes", size=512))
    assert (plan.input.width, plan.input.height, plan.input.inner) == (160, 96, (160, 96))
    assert any("states the size of its input" in sentence_of(finding) for finding in plan.findings)
