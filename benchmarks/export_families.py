"""Networks exported from torchvision, timm and transformers, and trained ones: what `lightloom` finds beside
an independent decoder.

    python benchmarks/export_families.py [--only NAME ...] [--backend wgpu|onnxruntime] [--python PYTHON] [--folder FOLDER] [--json FILE]

Run it with an interpreter that has torch, torchvision, timm, transformers, onnx, onnxscript, onnxruntime and
OpenCV; `--python` names the one that Lightloom's dependencies are installed for, where that is another. Each
network goes through the command line on both backends, with the same picture as the reference: torchvision's
own model, transformers' image processor with its `post_process_*`, timm's transforms, OpenCV's
`FaceDetectorYN`, or onnxruntime with a decoder written here. Trained networks are those of the folder that
the variable LIGHTLOOM_SHARED names, by default ../shared.

The other networks have seeded random weights: their batch normalizations take the picture's statistics, and
the layers that give scores and boxes are scaled until these are spread out. The least score is set into a gap
that leaves 8 to 40 detections; one whose score is within 0.005 of it may be missing on one side. Wanted: IoU
0.95 of boxes and masks, classes equal, points within 1 % of the picture's diagonal, scores within 0.02,
probabilities within 0.01. The exit status is 1 where a row fails, 2 where a package is missing.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np

ROOT: Final = Path(__file__).resolve().parent.parent
SHARED: Final = Path(os.environ.get("LIGHTLOOM_SHARED", ROOT.parent / "shared"))
PACKAGES: Final = (
    "torch",
    "torchvision",
    "timm",
    "transformers",
    "onnx",
    "onnxscript",
    "onnxruntime",
    "cv2",
    "PIL",
)
LEAST_IOU: Final = 0.95
FARTHEST: Final = 0.01
NEAR: Final = 0.005
"""Scores this close to the threshold may pass it in one implementation and not in the other."""


@dataclass(frozen=True)
class Detection:
    """A detected object: its class's name or number, its score, its box (left, top, right, bottom) and its
    points in pixels.
    """

    label: str
    score: float
    box: tuple[float, ...]
    points: tuple[tuple[float, float], ...] = ()


@dataclass(frozen=True)
class Verdict:
    """Difference between the results of Lightloom and those of the reference.

    Attributes:
        objects: number of objects compared.
        iou: smallest IoU of their boxes or masks; None without any.
        classes: number of objects whose classes differ.
        points: largest distance of a point, as a fraction of the image's diagonal; None without points.
        wrong: description of the failure; '' if the row passes.
    """

    objects: int
    iou: float | None = None
    classes: int = 0
    points: float | None = None
    wrong: str = ""


@dataclass(frozen=True)
class Case:
    """An exported network, the command to run it with, and the comparison of the results.

    Attributes:
        model: the file.
        picture: the picture's file.
        command: the command and its options.
        judge: compares the command's JSON results, or the image that the filter 'segmentation' writes, with
            the reference.
    """

    model: Path
    picture: Path
    command: tuple[str, ...]
    judge: Callable[[Any], Verdict]


@dataclass(frozen=True)
class Family:
    """An export family: `make` exports its network into a folder and returns the test case."""

    name: str
    make: Callable[[Path], Case]


@dataclass(frozen=True)
class Row:
    """Result of a family on one backend."""

    family: str
    backend: str
    verdict: Verdict = field(default_factory=lambda: Verdict(0))


# -- comparing -----------------------------------------------------------------------------------------------


def overlap(one: Sequence[float], other: Sequence[float]) -> float:
    """Intersection over union of two boxes."""
    sides = [max(min(one[k + 2], other[k + 2]) - max(one[k], other[k]), 0.0) for k in (0, 1)]
    areas = sum((box[2] - box[0]) * (box[3] - box[1]) for box in (one, other))
    return sides[0] * sides[1] / max(areas - sides[0] * sides[1], 1e-9)


def detections_in(found: dict[str, Any]) -> list[Detection]:
    """Return the detections in a command's JSON results."""
    return [
        Detection(item.get("label", ""), item["score"], tuple(item.get("box", ())), tuple((p[0], p[1]) for p in item.get("points", ())))
        for item in found["objects"]
    ]  # fmt: skip


def compare_detections(
    wanted: list[Detection], threshold: float, size: tuple[int, int], *, by_points: bool = False
) -> Callable[[dict[str, Any]], Verdict]:
    """Return a comparison that matches each detection clearly above the threshold with the closest one of the
    other list, both ways.
    """

    def judge(found: dict[str, Any]) -> Verdict:
        mine = detections_in(found)
        pairs = [*_pairs(wanted, mine, threshold, by_points), *_pairs(mine, wanted, threshold, by_points)]
        if not pairs:
            return Verdict(
                len(mine), wrong=f"nothing to compare: {len(mine)} detections instead of {len(wanted)}"
            )
        ious = [overlap(a.box, b.box) for a, b in pairs] if not by_points else []
        classes = sum(a.label != b.label for a, b in pairs)
        far = [_distance(a, b) / np.hypot(*size) for a, b in pairs if a.points or b.points]
        wrong = []
        if ious and min(ious) < LEAST_IOU:
            wrong.append(f"{sum(iou < LEAST_IOU for iou in ious)} boxes differ")
        if classes:
            wrong.append(f"{classes} classes differ")
        if far and max(far) > FARTHEST:
            wrong.append(f"{sum(each > FARTHEST for each in far)} detections have points elsewhere")
        worst = max((abs(a.score - b.score) for a, b in pairs), default=0.0)
        if worst > 0.02:
            wrong.append(f"a score differs by {worst:.3f}")
        sure = sum(thing.score > threshold + NEAR for thing in wanted)
        return Verdict(sure, min(ious, default=None), classes, max(far, default=None), "; ".join(wrong))

    return judge


def _pairs(
    ones: list[Detection], others: list[Detection], threshold: float, by_points: bool
) -> Iterator[tuple[Detection, Detection]]:
    for one in ones:
        if one.score > threshold + NEAR and others:
            yield one, max(others, key=lambda other: _nearness(one, other, by_points))


def _nearness(one: Detection, other: Detection, by_points: bool) -> float:
    # Several classes may have the same box, so of equal boxes the one of the same class.
    near = -_distance(one, other) if by_points else overlap(one.box, other.box)
    return near + 1e-2 * (one.label == other.label) - 1e-3 * abs(one.score - other.score)


def _distance(one: Detection, other: Detection) -> float:
    if len(one.points) != len(other.points):
        return float("inf")
    return float(np.linalg.norm(np.subtract(one.points, other.points), axis=1).max())


def compare_classes(logits: np.ndarray, *, softmax: bool = True) -> Callable[[dict[str, Any]], Verdict]:
    """Return a comparison of the five best classes, in order except for ties, and of their probabilities."""
    logits = np.asarray(logits, np.float64).ravel()
    shares = np.exp(logits - logits.max()) / np.exp(logits - logits.max()).sum() if softmax else logits
    best = np.argsort(-shares)[:5]

    def judge(found: dict[str, Any]) -> Verdict:
        top = found["top"][:5]
        differing = sum(
            abs(shares[item["index"]] - shares[index]) > 1e-3 for item, index in zip(top, best, strict=True)
        )
        worst = max(abs(item["probability"] - shares[item["index"]]) for item in top)
        wrong = [f"{differing} classes differ"] if differing else []
        wrong += [f"a probability differs by {worst:.3f}"] if worst > 0.01 else []
        return Verdict(len(top), classes=differing, wrong="; ".join(wrong))

    return judge


def widest_gap(scores: np.ndarray) -> float:
    """Return a threshold that keeps 8 to 40 detections, in the widest gap between their scores."""
    best = np.sort(scores.ravel())[::-1][:41]
    first = min(8, len(best) - 2)
    gaps = best[first:-1] - best[first + 1 :]
    at = first + int(gaps.argmax())
    return round(float(best[at] + best[at + 1]) / 2, 4)


# -- pictures and weights ------------------------------------------------------------------------------------


def picture_at(
    folder: Path, size: tuple[int, int], source: Path | None = None, *, posterized: bool = False
) -> tuple[Path, np.ndarray]:
    """Write a part of a photograph, scaled to a size, as PNG; return the file and its pixels (uint8 R'G'B').

    `posterized`: every value is 0 or 255, which the working texture's halves hold exactly; networks with
    random weights that choose among their own proposals choose others from a difference of 1e-4.
    """
    from PIL import Image, ImageOps

    image = Image.open(source or ROOT / "assets" / "sample" / "boat.webp").convert("RGB")
    image = ImageOps.fit(image, size, Image.Resampling.BICUBIC)
    if posterized:
        image = image.point(lambda value: 255 * (value > 127))
    path = folder / "picture.png"
    image.save(path)
    return path, np.asarray(image)


def as_tensor(pixels: np.ndarray) -> Any:
    """float32 [3, height, width] in 0..1."""
    import torch

    return torch.from_numpy(pixels.copy()).permute(2, 0, 1).float() / 255


def settle(model: Any, run: Callable[[], Any]) -> None:
    """Set the statistics of the batch normalizations from one run of the model; leave it in evaluation mode."""
    import torch

    def take(norm: Any, given: Any) -> None:
        channels = given[0].transpose(0, 1).flatten(1)
        if channels.shape[1] > 1:  # of a single value there is no deviation
            norm.running_mean.copy_(channels.mean(1))
            norm.running_var.copy_(channels.var(1))

    norms = [m for m in model.modules() if isinstance(m, torch.nn.modules.batchnorm._BatchNorm)]
    model.eval()
    hooks = [norm.register_forward_pre_hook(take) for norm in norms]
    with torch.no_grad():
        run()
    for hook in hooks:
        hook.remove()


def spread(
    layer: Any,
    run: Callable[[], Any],
    deviation: float,
    mean: float | None = None,
) -> None:
    """Scale and shift a layer so that its outputs in one run have the given standard deviation and mean."""
    import torch

    seen: list[Any] = []
    hook = layer.register_forward_hook(lambda module, given, output: seen.append(output.detach()))
    with torch.no_grad():
        run()
        hook.remove()
        flat = torch.cat([each.reshape(-1) for each in seen] or [torch.ones(2)])
        factor = deviation / max(float(flat.std()), 1e-6)
        layer.weight.mul_(factor)
        if layer.bias is not None:
            layer.bias.mul_(factor)
            if mean is not None:
                layer.bias.add_(mean - factor * float(flat.mean()))


def write_onnx(
    model: Any,
    inputs: Any,
    path: Path,
    names: Sequence[str],
    outputs: Sequence[str],
    *,
    dynamo: bool = False,
    **options: Any,
) -> None:
    """Call `torch.onnx.export` as its documentation does."""
    import warnings

    import torch

    if not dynamo:
        options = {"opset_version": 17, **options}
    with warnings.catch_warnings(), torch.no_grad():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            model,
            inputs,
            str(path),
            input_names=list(names),
            output_names=list(outputs),
            dynamo=dynamo,
            **options,
        )


# -- torchvision ---------------------------------------------------------------------------------------------

_SIZE: Final = (320, 240)
_PICTURE: Final = (640, 480)


def _torchvision_names() -> list[str]:
    from torchvision.models.detection import FasterRCNN_MobileNet_V3_Large_320_FPN_Weights as Weights

    return list(Weights.COCO_V1.meta["categories"])


def detector_of_torchvision(
    make: Callable[[], Any],
    scores: Callable[[Any], Any],
    *,
    deviation: float = 3.0,
    mean: float | None = None,
    size: tuple[int, int] = _SIZE,
    command: str = "detect",
    reaches: Callable[[Any], Any] | None = None,
) -> Callable[[Path], Case]:
    """Return a function that exports a detector of torchvision and compares with torchvision's own results.

    `scores` and `reaches` give the layers of the classes and, where boxes have none otherwise, of the
    distances to their sides.
    """

    def export(folder: Path) -> Case:
        import torch

        torch.manual_seed(1)
        path, pixels = picture_at(folder, size, posterized=True)
        image = as_tensor(pixels)
        model = make()
        settle(model, lambda: model([image]))
        if hasattr(model, "rpn"):
            spread(model.rpn.head.cls_logits, lambda: model([image]), 1.0)
        spread(scores(model), lambda: model([image]), deviation, mean)
        if reaches is not None:
            spread(reaches(model), lambda: model([image]), 1.0, 4.0)
        with torch.no_grad():
            found = model([image])[0]
        target = folder / "model.onnx"
        names = list(found)
        write_onnx(model, ([image],), target, ("images",), names)
        labels = _torchvision_names()
        threshold = widest_gap(found["scores"].numpy())
        wanted = [
            Detection(labels[int(label)], float(score), tuple(map(float, box)))
            for box, label, score in zip(found["boxes"], found["labels"], found["scores"], strict=True)
            if score > threshold - 2 * NEAR
        ]
        if "keypoints" in found:
            wanted = [
                Detection(w.label, w.score, w.box, tuple((float(p[0]), float(p[1])) for p in points))
                for w, points in zip(wanted, found["keypoints"], strict=False)
            ]
        if command == "detect":
            wanted = [Detection(w.label, w.score, w.box) for w in wanted]
        judge = compare_detections(wanted, threshold, size)
        return Case(target, path, (command, "--score", str(threshold)), judge)

    return export


def _faster_rcnn() -> Any:
    from torchvision.models import detection

    return detection.fasterrcnn_mobilenet_v3_large_320_fpn(
        weights=None, weights_backbone=None, num_classes=91
    )


def _mask_rcnn() -> Any:
    from torchvision.models import detection

    return detection.maskrcnn_resnet50_fpn(
        weights=None, weights_backbone=None, num_classes=91, min_size=240, max_size=320
    )


def _keypoint_rcnn() -> Any:
    from torchvision.models import detection

    return detection.keypointrcnn_resnet50_fpn(
        weights=None, weights_backbone=None, num_classes=2, min_size=240, max_size=320
    )


def _retinanet() -> Any:
    from torchvision.models import detection

    return detection.retinanet_resnet50_fpn(
        weights=None, weights_backbone=None, num_classes=91, min_size=240, max_size=320
    )


def _fcos() -> Any:
    from torchvision.models import detection

    return detection.fcos_resnet50_fpn(
        weights=None, weights_backbone=None, num_classes=91, min_size=240, max_size=320
    )


def _ssdlite() -> Any:
    from torchvision.models import detection

    return detection.ssdlite320_mobilenet_v3_large(weights=None, weights_backbone=None, num_classes=91)


# -- transformers --------------------------------------------------------------------------------------------


def _logits_and_boxes(model: Any) -> Any:
    import torch

    class Two(torch.nn.Module):
        """As Optimum exports it: a tuple of logits and boxes."""

        def __init__(self) -> None:
            super().__init__()
            self.model = model

        def forward(self, pixel_values: Any) -> Any:
            found = self.model(pixel_values=pixel_values)
            return found.logits, found.pred_boxes

    return Two().eval()


def queries_of_transformers(
    build: Callable[[], tuple[Any, Any]], mean: float | None
) -> Callable[[Path], Case]:
    """Return a function that exports a detector with queries (DETR and its relatives) and compares with its
    image processor.

    The boxes' last layers are spread out, too: with usual random weights all queries have the same box.
    """

    def export(folder: Path) -> Case:
        import torch
        from PIL import Image

        torch.manual_seed(3)
        path, pixels = picture_at(folder, _PICTURE)
        model, processor = build()
        given = processor(images=Image.open(path), return_tensors="pt")["pixel_values"]

        def run() -> Any:
            return model(pixel_values=given)

        settle(model, run)
        _spread_queries(model, run, mean)
        with torch.no_grad():
            outputs = run()
        sizes = torch.tensor([pixels.shape[:2]])
        found = processor.post_process_object_detection(outputs, threshold=0.0, target_sizes=sizes)[0]
        threshold = widest_gap(found["scores"].numpy())
        processor.save_pretrained(folder)
        names = ("logits", "pred_boxes")
        write_onnx(_logits_and_boxes(model), (given,), folder / "model.onnx", ("pixel_values",), names)
        labels = model.config.id2label
        (folder / "model.txt").write_text("\n".join(labels[number] for number in range(len(labels))))
        wanted = [
            Detection(labels[int(label)], float(score), _within(box.tolist(), _PICTURE))
            for box, label, score in zip(found["boxes"], found["labels"], found["scores"], strict=True)
            if score > threshold - 2 * NEAR
        ]
        # Lightloom takes the best class of a query; the processor of RT-DETR lists a query under several.
        wanted = list({thing.box: thing for thing in sorted(wanted, key=lambda thing: thing.score)}.values())
        command = ("detect", "--score", str(threshold))
        return Case(folder / "model.onnx", path, command, compare_detections(wanted, threshold, _PICTURE))

    return export


def _within(box: Sequence[float], size: tuple[int, int]) -> tuple[float, ...]:
    return tuple(min(max(value, 0.0), size[k % 2]) for k, value in enumerate(box))


def _spread_queries(model: Any, run: Callable[[], Any], mean: float | None) -> None:
    import torch

    for name, layer in model.named_modules():
        is_last = (
            isinstance(layer, torch.nn.Linear) and name.split(".")[-1] not in ("0", "1")
        ) or ".class_embed." in name
        if (is_last and "class" in name) or "score_head" in name:
            spread(layer, run, 2.0, mean)
        elif is_last and "bbox" in name and layer.out_features == 4:
            spread(layer, run, 1.0 if mean is None else 0.15)


def _detr() -> tuple[Any, Any]:
    from transformers import DetrConfig, DetrForObjectDetection, DetrImageProcessor

    config = DetrConfig(
        **{
            "use_timm_backbone": True,
            "backbone": "resnet18",
            "use_pretrained_backbone": False,
            "num_labels": 91,
        },
        **{"encoder_layers": 2, "decoder_layers": 2, "d_model": 64, "init_std": 0.3},
        **{"encoder_ffn_dim": 128, "decoder_ffn_dim": 128},
    )
    model = DetrForObjectDetection(config)
    model.model.query_position_embeddings.weight.data.normal_(0.0, 3.0)
    return model, DetrImageProcessor(size={"height": 320, "width": 320})


def _yolos() -> tuple[Any, Any]:
    from transformers import YolosConfig, YolosForObjectDetection, YolosImageProcessor

    config = YolosConfig(
        **{"image_size": [320, 320], "hidden_size": 96, "num_hidden_layers": 3, "num_attention_heads": 4},
        **{
            "intermediate_size": 192,
            "num_labels": 91,
            "use_mid_position_embeddings": False,
            "initializer_range": 0.2,
        },
    )
    model = YolosForObjectDetection(config)
    for parameter in (model.vit.embeddings.detection_tokens, model.vit.embeddings.position_embeddings):
        parameter.data.normal_()  # zeros, else: all queries would be the same
    return model, YolosImageProcessor(size={"height": 320, "width": 320})


def _rt_detr() -> tuple[Any, Any]:
    from transformers import RTDetrConfig, RTDetrForObjectDetection, RTDetrImageProcessor, RTDetrResNetConfig

    backbone = RTDetrResNetConfig(
        **{"embedding_size": 32, "hidden_sizes": [32, 64, 128, 256], "depths": [1, 1, 1, 1]},
        **{"layer_type": "basic", "out_features": ["stage2", "stage3", "stage4"]},
    )
    config = RTDetrConfig(
        **{"backbone_config": backbone, "encoder_in_channels": [64, 128, 256], "encoder_hidden_dim": 64},
        **{
            "d_model": 64,
            "decoder_in_channels": [64] * 3,
            "num_queries": 100,
            "decoder_layers": 2,
            "num_labels": 80,
        },
        **{
            "encoder_ffn_dim": 128,
            "decoder_ffn_dim": 128,
            "anchor_image_size": [320, 320],
            "freeze_backbone_batch_norms": False,
        },
    )
    return RTDetrForObjectDetection(config), RTDetrImageProcessor(size={"height": 320, "width": 320})


# -- classifiers ---------------------------------------------------------------------------------------------


_CROPPED: Final = (256, 256)
"""A size whose center crop of 224 pixels begins at a whole pixel: the packages round the crop's position,
Lightloom does not.
"""


def classifier_of_torchvision(folder: Path) -> Case:
    """MobileNetV3 of torchvision with its weights' own transforms."""
    import torch
    from PIL import Image
    from torchvision import models

    torch.manual_seed(1)
    path, _ = picture_at(folder, _CROPPED)
    model = models.mobilenet_v3_small(weights=None)
    prepare = models.MobileNet_V3_Small_Weights.IMAGENET1K_V1.transforms()
    given = prepare(Image.open(path))[None]
    settle(model, lambda: model(given))
    spread(model.classifier[3], lambda: model(given), 2.5)
    with torch.no_grad():
        logits = model(given).numpy()
    write_onnx(model, (given,), folder / "model.onnx", ("input",), ("output",), dynamo=True)
    return Case(folder / "model.onnx", path, ("classify", "--top", "5"), compare_classes(logits))


def classifier_of_timm(name: str) -> Callable[[Path], Case]:
    """Return a function that exports a classifier of timm; its data configuration goes into a sidecar, as the
    file does not hold it.
    """

    def export(folder: Path) -> Case:
        import timm
        import torch
        from PIL import Image

        torch.manual_seed(1)
        path, _ = picture_at(folder, _CROPPED)
        model = timm.create_model(name, pretrained=False).eval()
        data = timm.data.resolve_model_data_config(model)
        given = timm.data.create_transform(**data, is_training=False)(Image.open(path))[None]
        settle(model, lambda: model(given))
        spread(model.get_classifier(), lambda: model(given), 2.5)
        with torch.no_grad():
            logits = model(given).numpy()
        target = folder / "model.onnx"
        write_onnx(model, (given,), target, ("input0",), ("output0",))
        lines = [f"{key} = {list(data[key])}" for key in ("mean", "std")]
        lines += [
            f'interpolation = "{data["interpolation"]}"',
            f"crop = {data['crop_pct']}",
            'scale = "0..1"',
            'resize = "crop"',
        ]
        Path(f"{target}.lightloom.toml").write_text("[preprocess]\n" + "\n".join(lines) + "\n")
        return Case(target, path, ("classify", "--top", "5"), compare_classes(logits))

    return export


def classifier_of_transformers(folder: Path) -> Case:
    """ViT of transformers with its image processor."""
    import torch
    from PIL import Image
    from transformers import ViTConfig, ViTForImageClassification, ViTImageProcessor

    torch.manual_seed(1)
    path, _ = picture_at(folder, _CROPPED)
    config = ViTConfig(
        hidden_size=96, num_hidden_layers=4, num_attention_heads=4, intermediate_size=192, num_labels=1000
    )
    model = ViTForImageClassification(config).eval()
    processor = ViTImageProcessor()
    given = processor(images=Image.open(path), return_tensors="pt")["pixel_values"]
    spread(model.classifier, lambda: model(given), 2.5)

    class Logits(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.model = model

        def forward(self, pixel_values: Any) -> Any:
            return self.model(pixel_values).logits

    with torch.no_grad():
        logits = model(given).logits.numpy()
    processor.save_pretrained(folder)
    axes = {
        "pixel_values": {0: "batch_size", 1: "num_channels", 2: "height", 3: "width"},
        "logits": {0: "batch_size"},
    }
    write_onnx(
        Logits().eval(), (given,), folder / "model.onnx", ("pixel_values",), ("logits",), dynamic_axes=axes
    )
    return Case(folder / "model.onnx", path, ("classify", "--top", "5"), compare_classes(logits))


# -- classes of pixels ---------------------------------------------------------------------------------------


def judge_pixels(wanted: np.ndarray, pixels: np.ndarray) -> Callable[[np.ndarray], Verdict]:
    """Return the smallest IoU of the classes that cover at least 1 % of the image; a class's color is its
    pixels' most frequent one.
    """

    def judge(painted: np.ndarray) -> Verdict:
        kinds = [kind for kind in np.unique(wanted) if (wanted == kind).mean() >= 0.01]
        ious: list[float] = []
        colors: list[tuple[int, ...]] = []
        for kind in kinds:
            values, counts = np.unique(painted[wanted == kind] // 8, axis=0, return_counts=True)
            color = np.median(painted[(painted // 8 == values[counts.argmax()]).all(-1)], axis=0)
            mine = np.abs(painted - color).max(-1) <= 3  # the picture is dithered by a step
            colors.append(tuple(map(int, color // 4)))
            ious.append(float((mine & (wanted == kind)).sum() / (mine | (wanted == kind)).sum()))
        same = len(colors) - len(set(colors))
        wrong = [f"{sum(iou < LEAST_IOU for iou in ious)} masks differ"] if min(ious) < LEAST_IOU else []
        wrong += [f"{same} classes have another's color"] if same else []
        return Verdict(len(kinds), min(ious), same, wrong="; ".join(wrong))

    return judge


def _class_map(logits: Any, size: tuple[int, int]) -> np.ndarray:
    """Return the best class of each pixel, of logits [1, classes, h, w] resized bilinearly to (width,
    height).
    """
    import torch

    large = torch.nn.functional.interpolate(logits, (size[1], size[0]), mode="bilinear", align_corners=False)
    return large[0].argmax(0).numpy()


def segmentation_of_torchvision(folder: Path) -> Case:
    """LR-ASPP of torchvision on a picture of the input's size."""
    import torch
    from torchvision import models

    torch.manual_seed(2)
    size = (320, 256)
    path, pixels = picture_at(folder, size)
    model = models.segmentation.lraspp_mobilenet_v3_large(weights=None, weights_backbone=None, num_classes=21)
    mean, std = (torch.tensor(v).reshape(3, 1, 1) for v in ((0.485, 0.456, 0.406), (0.229, 0.224, 0.225)))
    given = ((as_tensor(pixels) - mean) / std)[None]
    settle(model, lambda: model(given))

    class Out(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.model = model

        def forward(self, image: Any) -> Any:
            return self.model(image)["out"]

    with torch.no_grad():
        kinds = _class_map(model(given)["out"], size)
    write_onnx(Out().eval(), (given,), folder / "model.onnx", ("input",), ("out",))
    return Case(folder / "model.onnx", path, ("segmentation",), judge_pixels(kinds, pixels))


def segformer(folder: Path) -> Case:
    """SegFormer of transformers; the reference is `post_process_semantic_segmentation`."""
    import torch
    from PIL import Image
    from transformers import SegformerConfig, SegformerForSemanticSegmentation, SegformerImageProcessor

    torch.manual_seed(2)
    path, pixels = picture_at(folder, (256, 256))
    config = SegformerConfig(
        num_labels=19, depths=[1] * 4, hidden_sizes=[16, 32, 64, 128], decoder_hidden_size=64, image_size=256
    )
    model = SegformerForSemanticSegmentation(config).eval()
    processor = SegformerImageProcessor(size={"height": 256, "width": 256})
    given = processor(images=Image.open(path), return_tensors="pt")["pixel_values"]
    settle(model, lambda: model(given))

    class Logits(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.model = model

        def forward(self, pixel_values: Any) -> Any:
            return self.model(pixel_values).logits

    with torch.no_grad():
        found = model(given)
    kinds = processor.post_process_semantic_segmentation(found, target_sizes=[(256, 256)])[0].numpy()
    processor.save_pretrained(folder)
    write_onnx(Logits().eval(), (given,), folder / "model.onnx", ("pixel_values",), ("logits",))
    return Case(folder / "model.onnx", path, ("segmentation",), judge_pixels(kinds, pixels))


# -- trained networks ----------------------------------------------------------------------------------------


def _run_onnx(model: Path, given: np.ndarray) -> list[np.ndarray]:
    import onnxruntime

    session = onnxruntime.InferenceSession(str(model), providers=["CPUExecutionProvider"])
    return [np.asarray(each) for each in session.run(None, {session.get_inputs()[0].name: given})]


def _face(row: np.ndarray, size: tuple[int, int]) -> Detection:
    """One of OpenCV's faces: left, top, width, height, five points, score."""
    x, y, width, height = map(float, row[:4])
    points = tuple((float(row[k]), float(row[k + 1])) for k in range(4, 14, 2))
    return Detection("face", float(row[14]), _within((x, y, x + width, y + height), size), points)


def yunet(folder: Path) -> Case:
    """YuNet beside OpenCV's own detector, on a face."""
    import cv2

    size = (320, 320)
    path, pixels = picture_at(folder, size, SHARED / "images" / "samples" / "face.jpg")
    model = SHARED / "models" / "face" / "yunet_n_dynamic.onnx"
    beside = folder / model.name
    beside.write_bytes(model.read_bytes())
    sizes = "[preprocess]\nwidth = 320\nheight = 320\n"
    Path(f"{beside}.lightloom.toml").write_text(sizes)
    _, faces = cv2.FaceDetectorYN.create(str(beside), "", size, 0.5, 0.3).detect(
        np.ascontiguousarray(pixels[..., ::-1])
    )
    wanted = [_face(row, size) for row in (() if faces is None else faces)]
    return Case(beside, path, ("detect", "--score", "0.5"), compare_detections(wanted, 0.5, size))


def yolox(folder: Path) -> Case:
    """YOLOX nano beside the decoding of its own demonstration program, written anew, and OpenCV's
    suppression.
    """
    import cv2

    path, pixels = picture_at(folder, (416, 416), SHARED / "images" / "samples" / "pets.jpg")
    model = SHARED / "models" / "detect" / "yolox_nano_zoo.onnx"
    given = np.ascontiguousarray(pixels[..., ::-1].transpose(2, 0, 1)[None], np.float32)
    table = _run_onnx(model, given)[0][0]
    rows = [
        (x, y, stride) for stride in (8, 16, 32) for y in range(416 // stride) for x in range(416 // stride)
    ]
    grid = np.array(rows, np.float64)
    middle = (table[:, :2] + grid[:, :2]) * grid[:, 2:]
    sides = np.exp(table[:, 2:4]) * grid[:, 2:]
    boxes = np.hstack((middle - sides / 2, middle + sides / 2))
    scores = table[:, 4:5] * table[:, 5:]
    categories = [name for name in _torchvision_names()[1:] if name != "N/A"]
    wanted = []
    for kind in np.unique(scores.argmax(1)[scores.max(1) > 0.3]):
        mine = np.flatnonzero((scores.argmax(1) == kind) & (scores.max(1) > 0.3))
        flat = [(*boxes[i, :2], *(boxes[i, 2:] - boxes[i, :2])) for i in mine]
        for k in np.ravel(cv2.dnn.NMSBoxes(flat, scores[mine, kind].tolist(), 0.3, 0.45)):
            wanted.append(
                Detection(categories[kind], float(scores[mine[k], kind]), _within(boxes[mine[k]], (416, 416)))
            )
    return Case(model, path, ("detect", "--score", "0.3"), compare_detections(wanted, 0.3, (416, 416)))


def deeplab(folder: Path) -> Case:
    """DeepLab v3 of TensorFlow, trained on Pascal VOC, beside onnxruntime and an argmax."""
    size = (257, 257)
    path, pixels = picture_at(folder, size, SHARED / "images" / "samples" / "pets.jpg")
    model = SHARED / "models" / "segment" / "deeplab_v3_mnv2_257.onnx"
    found = _run_onnx(model, pixels[None].astype(np.float32) / 127.5 - 1)[0]
    kinds = found[0].argmax(-1 if found.shape[-1] == 21 else 0)
    return Case(model, path, ("segmentation",), judge_pixels(kinds, pixels))


def mobilenet(folder: Path) -> Case:
    """MobileNetV2 of TensorFlow, trained on ImageNet with a background, on a picture of which the crop is its
    input.
    """
    path, pixels = picture_at(folder, (256, 256), SHARED / "images" / "samples" / "owl.jpg")
    model = SHARED / "models" / "classify" / "mobilenet_v2_1.0_224_f32.onnx"
    given = pixels[16:240, 16:240].astype(np.float32) / 127.5 - 1
    (scores,) = _run_onnx(model, given.transpose(2, 0, 1)[None])
    is_share = abs(float(scores.sum()) - 1) < 1e-3
    return Case(model, path, ("classify", "--top", "5"), compare_classes(scores, softmax=not is_share))


FAMILIES: Final = (
    Family(
        "torchvision-fasterrcnn",
        detector_of_torchvision(_faster_rcnn, lambda m: m.roi_heads.box_predictor.cls_score),
    ),
    Family(
        "torchvision-maskrcnn",
        detector_of_torchvision(_mask_rcnn, lambda m: m.roi_heads.box_predictor.cls_score),
    ),
    Family(
        "torchvision-keypointrcnn",
        detector_of_torchvision(_keypoint_rcnn, lambda m: m.roi_heads.box_predictor.cls_score, deviation=0.5),
    ),
    Family(
        "torchvision-retinanet",
        detector_of_torchvision(
            _retinanet, lambda m: m.head.classification_head.cls_logits, mean=-7.0, deviation=1.5
        ),
    ),
    Family(
        "torchvision-fcos",
        detector_of_torchvision(
            _fcos,
            lambda m: m.head.classification_head.cls_logits,
            mean=-8.0,
            deviation=3.0,
            reaches=lambda m: m.head.regression_head.bbox_reg,
        ),
    ),
    Family(
        "torchvision-ssdlite",
        detector_of_torchvision(
            _ssdlite, lambda m: m.head.classification_head.module_list[0][1], size=(320, 320)
        ),
    ),
    Family("torchvision-lraspp", segmentation_of_torchvision),
    Family("torchvision-mobilenetv3", classifier_of_torchvision),
    Family("timm-regnetx", classifier_of_timm("regnetx_002")),
    Family("timm-vit", classifier_of_timm("vit_tiny_patch16_224")),
    Family("transformers-detr", queries_of_transformers(_detr, None)),
    Family("transformers-yolos", queries_of_transformers(_yolos, None)),
    Family("transformers-rtdetr", queries_of_transformers(_rt_detr, -3.0)),
    Family("transformers-vit", classifier_of_transformers),
    Family("transformers-segformer", segformer),
    Family("trained-yunet", yunet),
    Family("trained-yolox", yolox),
    Family("trained-deeplab", deeplab),
    Family("trained-mobilenet", mobilenet),
)


# -- running -------------------------------------------------------------------------------------------------


def _lightloom(python: str, *words: str) -> tuple[str | None, str]:
    """Run the command line; return its standard output, None if it failed, and its last message."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [python, "-m", "desktop", *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment, cwd=ROOT)
    said = [line for line in done.stderr.strip().splitlines() if line.startswith("lightloom")] or [
        "no message"
    ]
    return (None, f"status {done.returncode}: {said[-1]}") if done.returncode else (done.stdout, said[-1])


def run_lightloom(case: Case, backend: str, python: str) -> tuple[Any, str]:
    """Return a case's JSON results or segmentation image, None if the command failed, and the command's last
    message.
    """
    name, *options = case.command
    if name == "segmentation":
        from PIL import Image

        target = case.picture.with_name("painted.png")
        target.unlink(missing_ok=True)
        values = f"model={case.model},opacity=1,background=true,borders=0,backend={backend}"
        printed, said = _lightloom(
            python, "process", str(case.picture), "-o", str(target), "--filter", f"{name}:{values}"
        )
        return (None, said) if printed is None else (np.asarray(Image.open(target).convert("RGB")), said)
    words = [name, str(case.picture), "--model", str(case.model), *options, "--backend", backend, "--json"]
    printed, said = _lightloom(python, *words)
    return (None, said) if printed is None else (json.loads(printed)["results"][0], said)


def rows_of(family: Family, folder: Path, backends: Sequence[str], python: str) -> Iterator[Row]:
    """Export a family's network and run it on each backend."""
    try:
        case = family.make(folder)
    except Exception as error:  # a package that exports something else by now is a row, not the end
        yield Row(family.name, "-", Verdict(0, wrong=f"not exported: {type(error).__name__}: {error}"[:300]))
        return
    for backend in backends:
        found, said = run_lightloom(case, backend, python)
        yield Row(family.name, backend, Verdict(0, wrong=said) if found is None else case.judge(found))


def line_of(row: Row) -> str:
    """Format a row of the table."""
    verdict = row.verdict
    iou = "-" if verdict.iou is None else f"{verdict.iou:.3f}"
    points = "-" if verdict.points is None else f"{100 * verdict.points:.2f} %"
    same = "yes" if not verdict.classes else f"no ({verdict.classes})"
    ends = (verdict.wrong and f"WRONG: {verdict.wrong}") or "right"
    return f"{row.family:28} {row.backend:12} {verdict.objects:7} {iou:>7} {same:>8} {points:>8}  {ends}"


def main() -> int:
    """Print the table; return the exit status."""
    parser = argparse.ArgumentParser(description="Exported networks beside independent decoders.")
    parser.add_argument(
        "--only", nargs="+", default=[], metavar="NAME", help="families whose names contain one of these"
    )
    parser.add_argument("--backend", choices=("wgpu", "onnxruntime"), help="one backend alone")
    parser.add_argument(
        "--python", default=sys.executable, help="the interpreter with Lightloom's dependencies"
    )
    parser.add_argument("--folder", type=Path, help="keep the exported networks there")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the rows there, too")
    options = parser.parse_args()
    missing = [name for name in PACKAGES if importlib.util.find_spec(name) is None]
    if missing:
        print(
            f"The references need {', '.join(missing)}; install them for this interpreter.", file=sys.stderr
        )
        return 2
    chosen = [f for f in FAMILIES if not options.only or any(name in f.name for name in options.only)]
    backends = (options.backend,) if options.backend else ("wgpu", "onnxruntime")
    rows: list[Row] = []
    print(f"{'family':28} {'backend':12} {'objects':>7} {'IoU':>7} {'classes':>8} {'points':>8}  verdict")
    with tempfile.TemporaryDirectory() as temporary:
        for family in chosen:
            folder = (options.folder or Path(temporary)) / family.name
            folder.mkdir(parents=True, exist_ok=True)
            for row in rows_of(family, folder, backends, options.python):
                rows.append(row)
                print(line_of(row), flush=True)
    if options.json:
        options.json.write_text(json.dumps([asdict(row) for row in rows], indent=2))
    return int(any(row.verdict.wrong for row in rows))


if __name__ == "__main__":
    sys.exit(main())
