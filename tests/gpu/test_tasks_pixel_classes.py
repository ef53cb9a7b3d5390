"""Classes of pixels on both backends, against NumPy's argmax and OpenCV's enlargement of the scores; and
their legend.
"""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from test_pipeline import rgba_frame, target_texture
from tiny_models import fixed_network

import lightloom
from desktop.base.errors import ModelUnsupportedError
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.pipeline import Pipeline
from desktop.pipeline.running.network_spec import NetworkSpec
from desktop.pipeline.running.one.crop_network import RESULT_BYTES
from desktop.pipeline.running.one.live import LiveNetwork
from desktop.pipeline.running.one.loading import load_network
from desktop.vision.backends.onnxruntime import OnnxRuntimeSession
from desktop.vision.models.model_file import ModelFile
from desktop.vision.tasks import recognize
from desktop.vision.tasks.shapes import Label, Mask, bounds

SIZE, PICTURE = (64, 48), (200, 150)
BACKENDS = ["wgpu", "onnxruntime"]


def scores(channels, seed=2, size=(64, 48)):
    generator = np.random.default_rng(seed)
    raw = generator.normal(0, 2, (channels, 3, 4)).astype(np.float32)
    return np.stack([cv2.resize(one, size, interpolation=cv2.INTER_CUBIC) for one in raw])


def enlarged(map_, size=PICTURE):
    """Bilinear, the edge repeated, by middles of pixels."""
    return cv2.resize(map_, size, interpolation=cv2.INTER_LINEAR)


def blank():
    return np.zeros((PICTURE[1], PICTURE[0], 3), np.uint8)


def mask_iou(a, b):
    union = (a | b).sum()
    return 1.0 if union == 0 else (a & b).sum() / union


def network_of(gpu, path, backend, **extra):
    return load_network(gpu, path, "pixel_classes", backend=backend, **extra)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("last", [False, True])
@pytest.mark.parametrize("channels", [19, 21, 40])
def test_shares_and_masks_are_numpys(gpu, tmp_path, channels, last, backend):
    values = scores(channels)
    output = values.transpose(1, 2, 0)[None] if last else values[None]
    path = fixed_network(tmp_path / "seg.onnx", {"logits": output}, SIZE)
    network = network_of(gpu, path, backend)
    assert network.head.result_bytes <= RESULT_BYTES
    result = network.analyze_pixels(blank())
    counts = np.bincount(values.argmax(0).ravel(), minlength=channels)
    order = np.argsort(-counts, kind="stable")[: np.count_nonzero(counts)]
    assert [item.index for item in result.classes] == order.tolist()
    np.testing.assert_allclose([item.share for item in result.classes], counts[order] / (64 * 48))
    assert sum(item.share for item in result.classes) == pytest.approx(1)
    names = {item.index: item.label for item in result.classes}
    assert {19: "road", 21: "background", 40: "class 0"}[channels] == network.head.labels[0]
    # Background is told and not shown.
    shown = [index for index in order if names[index] != "background"][:16]
    assert [mask.index for mask in result.masks] == shown
    best = np.stack([enlarged(each) for each in values]).argmax(0)
    for mask in result.masks:
        expected = (best == mask.index).astype(np.uint8)
        # Where three classes meet, a margin's middle is not quite where the scores' is: of a patch of a few
        # texels that is much.
        assert bounds(mask) is None and mask.label == names[mask.index]
        assert mask_iou(mask.read(), expected) >= (0.98 if expected.mean() > 0.03 else 0.85)
    # Where masks meet there is neither a gap nor an overlap.
    if channels == 19:
        together = sum(mask.read().astype(int) for mask in result.masks)
        assert np.mean(together == 1) > 0.97 and together.max() <= 2
    network.close()


@pytest.mark.parametrize("backend", BACKENDS)
def test_masks_of_a_large_output_are_thinned(gpu, tmp_path, backend):
    """1350 x 90: every third pixel is a texel; the shares are of all of them."""
    values = scores(5, size=(1349, 90))
    path = fixed_network(tmp_path / "wide.onnx", {"logits": values[None]}, (1349, 90))
    network = network_of(gpu, path, backend)
    result = network.analyze_pixels(np.zeros((60, 900, 3), np.uint8))
    counts = np.bincount(values.argmax(0).ravel(), minlength=5)
    found = {item.index: item.share for item in result.classes}
    np.testing.assert_allclose([found.get(k, 0.0) for k in range(5)], counts / values[0].size)
    best = np.stack([enlarged(each, (900, 60)) for each in values]).argmax(0)
    for mask in result.masks:
        expected = (best == mask.index).astype(np.uint8)
        assert mask.texture.width == 450 and mask_iou(mask.read(), expected) >= (
            0.98 if expected.mean() > 0.03 else 0.85
        )
    network.close()


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("kind", ["logits", "probabilities"])
def test_one_channel_has_two_sides(gpu, tmp_path, kind, backend):
    import onnx
    from onnx import helper

    values = scores(1)
    path = fixed_network(tmp_path / "matte.onnx", {"mask": values[None]}, SIZE)
    if kind == "probabilities":
        model = onnx.load(str(path))
        model.graph.node[-1].output[0] = "before"
        model.graph.node.append(helper.make_node("Sigmoid", ["before"], ["mask"]))
        onnx.save(model, str(path))
    network = network_of(gpu, path, backend)
    result = network.analyze_pixels(blank())
    assert {item.label for item in result.classes} == {"background", "foreground"}
    share = next(item.share for item in result.classes if item.label == "foreground")
    assert share == pytest.approx((values > 0).mean(), abs=2e-3)
    (mask,) = result.masks
    assert mask_iou(mask.read(), (enlarged(values[0]) > 0).astype(np.uint8)) >= 0.97
    network.close()


@pytest.mark.parametrize("backend", BACKENDS)
def test_classes_can_be_chosen_and_are_the_legend(gpu, tmp_path, backend):
    path = fixed_network(tmp_path / "seg.onnx", {"logits": scores(21)[None]}, SIZE)
    network = network_of(gpu, path, backend, settings={"classes": ("Dog", "cat")})
    result = network.analyze_pixels(blank())
    shapes = result.shapes()
    labels, masks = ([s for s in shapes if isinstance(s, kind)] for kind in (Label, Mask))
    present = {item.label for item in result.classes}
    assert {label.label for label in labels} == {"dog", "cat"} & present
    assert [label.index for label in labels] == [mask.index for mask in masks]
    assert all(label.colored for label in labels)
    network.head.adjust({})
    assert len(network.analyze_pixels(blank()).masks) > 2
    assert result.json()["classes"][0].keys() == {"index", "label", "share"}
    network.close()


@pytest.mark.parametrize("backend", BACKENDS)
def test_in_the_pipeline(gpu, tmp_path, backend):
    path = fixed_network(tmp_path / "seg.onnx", {"logits": scores(19)[None]}, SIZE)
    pipeline = Pipeline(gpu, FilterLibrary(None), wait=True)
    pipeline.set_analysis(LiveNetwork.load(gpu, NetworkSpec(str(path), backend, task="pixel_classes")))
    target = target_texture(gpu, *PICTURE)
    pipeline.render(rgba_frame(np.full((PICTURE[1], PICTURE[0], 4), 255, np.uint8)), target)
    pipeline.await_analysis()
    pipeline.drain()
    result = pipeline.analyses.latest
    assert len(result.masks) > 3
    pipeline.set_masks(result.masks)
    pipeline.render(None, target)
    pipeline.drain()
    pipeline.close()


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_real_network_names_what_is_there(gpu, shared, backend):
    path = shared / "models" / "segment" / "deeplab_v3_mnv2_257.onnx"
    network = network_of(gpu, path, backend)
    picture = cv2.imread(str(shared / "images" / "samples" / "pets.jpg"))[..., ::-1]
    result = network.analyze_pixels(np.ascontiguousarray(picture))
    assert [item.label for item in result.classes][:2] == ["background", "dog"]
    session = OnnxRuntimeSession.load(path)
    (output,) = session.run({session.inputs[0].name: network.read_input()}).values()
    best = output[0].argmax(-1)
    dogs = next(item.share for item in result.classes if item.label == "dog")
    assert dogs == pytest.approx((best == 12).mean(), abs=1e-3)
    large = np.stack([enlarged(v, picture.shape[1::-1]) for v in output[0].transpose(2, 0, 1)]).argmax(0)
    assert mask_iou(result.masks[0].read(), (large == 12).astype(np.uint8)) >= 0.98
    network.close()


ODD = st.sampled_from([np.nan, np.inf, -np.inf, 3e38, -3e38, 1e-40, 0.0, 7.0])


@settings(
    max_examples=8,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    numbers=st.lists(st.tuples(st.integers(0, 10**6), ODD), min_size=1, max_size=60),
    channels=st.sampled_from([1, 2, 7]),
)
def test_numbers_that_are_none_do_no_harm(gpu, tmp_path, numbers, channels):
    spoilt = scores(channels)[None]
    for place, value in numbers:
        spoilt.reshape(-1)[place % spoilt.size] = value
    path = fixed_network(tmp_path / "odd.onnx", {"mask": spoilt}, SIZE)
    results = []
    for backend in BACKENDS:
        network = network_of(gpu, path, backend)
        result = network.analyze_pixels(blank())
        assert sum(item.share for item in result.classes) == pytest.approx(1)
        for mask in result.masks:
            assert set(np.unique(mask.read())) <= {0, 1}
        results.append([(item.index, item.share) for item in result.classes])
        network.close()
    assert results[0] == results[1]


def test_asked_for_a_result_a_network_of_the_chain_says_its_classes(gpu, tmp_path):
    path = fixed_network(tmp_path / "seg.onnx", {"logits": scores(19)[None]}, SIZE)
    assert recognize(ModelFile.open(path)).task.id == "mask", "dropped on the window it is a stage"
    network = load_network(gpu, path)
    assert network.head.features.task == "pixel_classes"
    network.close()
    with pytest.raises(ModelUnsupportedError, match="belongs in the chain"):
        load_network(gpu, path, "mask")


def test_what_is_no_map_is_refused(gpu, tmp_path):
    path = fixed_network(tmp_path / "row.onnx", {"y": np.zeros((1, 1000), np.float32)}, SIZE)
    with pytest.raises(ModelUnsupportedError):
        network_of(gpu, path, "auto")


def torchs(map_, size):
    """PyTorch's interpolate with align_corners=False, in float64: taps and shares written out."""
    for axis, wanted in ((0, size[1]), (1, size[0])):
        count = map_.shape[axis]
        at = np.clip((np.arange(wanted) + 0.5) * count / wanted - 0.5, 0, count - 1)
        low = np.floor(at).astype(int)
        share = (at - low).reshape((-1, 1) if axis == 0 else (1, -1))
        above = np.minimum(low + 1, count - 1)
        map_ = map_.take(low, axis) * (1 - share) + map_.take(above, axis) * share
    return map_


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("last", [False, True])
@pytest.mark.parametrize("size", [(64, 48), (64, 50)])
@pytest.mark.parametrize("channels", [1, 2, 19])
def test_scores_on_a_small_map_are_enlarged_before_a_class_is_decided(
    gpu, tmp_path, channels, size, last, backend
):
    """A quarter of the input's size, as SegFormer gives it, or not quite."""
    values = np.random.default_rng(3).normal(0, 2, (channels, 12, 16)).astype(np.float32)
    output = values.transpose(1, 2, 0)[None] if last else values[None]
    path = fixed_network(tmp_path / "seg.onnx", {"mask": output}, size)
    large = np.stack([torchs(one.astype(np.float64), size) for one in values])
    np.testing.assert_allclose(large[0], enlarged(values[0], size), atol=1e-5)  # OpenCV's is the same
    best = (large[0] > 0).astype(int) if channels == 1 else large.argmax(0)
    network = network_of(gpu, path, backend)
    result = network.analyze_pixels(np.zeros((*size[::-1], 3), np.uint8))
    for item in result.classes:
        assert item.share == pytest.approx((best == item.index).mean(), abs=1e-3)
    assert len(result.masks) == min(16, max(2, channels) - (channels < 3))
    for mask in result.masks:
        assert mask_iou(mask.read(), (best == mask.index).astype(np.uint8)) >= 0.99
    network.close()


def test_an_infinite_score_on_a_small_map_spoils_no_neighbor(tmp_path):
    """-inf forbids a class: where it has no share, and beside it, the others are as they were."""
    values = np.random.default_rng(4).normal(0, 2, (4, 12, 16)).astype(np.float32)
    values[0] = -np.inf
    path = fixed_network(tmp_path / "seg.onnx", {"mask": values[None]}, SIZE)
    best = np.stack([torchs(np.maximum(one, -1e4).astype(np.float64), SIZE) for one in values]).argmax(0)
    for backend in BACKENDS:
        with lightloom.load(path, task="mask", backend=backend) as network:
            found = network(np.zeros((*SIZE[::-1], 3), np.uint8)).class_ids
        assert np.mean(found != best) <= 1e-3
