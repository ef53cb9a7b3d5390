"""Optical flow of a network of two pictures: what it is given, and the colors and arrows that show it.

The color wheel is NumPy's, written after Baker et al., "A Database and Evaluation Methodology for Optical
Flow" (IJCV 2011), and its authors' table: 55 colors in six ramps, white at rest, a quarter darker beyond the
strongest. 3 codes of 255 hold the 8 bits of the saved picture, its dither and rgba16float.
"""

from __future__ import annotations

import time
from pathlib import Path

import cv2
import numpy as np
import onnxruntime
import pytest
from dense_models import convolution, flow_model
from test_pipeline import rgba_frame
from test_stages_network import picture8, until
from waiting import LIMIT_S

from desktop.pipeline.chain.network_stages import stage_for_model
from desktop.pipeline.chain.spec import chain_of

BACKENDS = ("wgpu", "onnxruntime")
STAGE = "optical_flow"


def color_wheel() -> np.ndarray:
    """The 55 colors, [55, 3] in 0..255."""
    rows = []
    for count, fixed, moving, rises in (
        (15, 0, 1, True),  # red to yellow
        (6, 1, 0, False),  # yellow to green
        (4, 1, 2, True),  # green to cyan
        (11, 2, 1, False),  # cyan to blue
        (13, 2, 0, True),  # blue to magenta
        (6, 0, 2, False),  # magenta to red
    ):
        ramp = np.floor(np.arange(count) * 255 / count)
        part = np.zeros((count, 3))
        part[:, fixed] = 255
        part[:, moving] = ramp if rises else 255 - ramp
        rows.append(part)
    return np.concatenate(rows)


def flow_colors(flow: np.ndarray) -> np.ndarray:
    """Colors in 0..255 of a flow [..., 2] in which 1 is the strongest."""
    wheel = color_wheel()
    speed = np.hypot(flow[..., 0], flow[..., 1])
    at = (np.arctan2(-flow[..., 1], -flow[..., 0]) / np.pi + 1) / 2 * (len(wheel) - 1)
    first = np.floor(at).astype(int)
    share = (at - first)[..., None]
    color = (1 - share) * wheel[first] / 255 + share * wheel[(first + 1) % len(wheel)] / 255
    within = (speed <= 1)[..., None]
    return 255 * np.where(within, 1 - speed[..., None] * (1 - color), color * 0.75)


def two_pictures(width: int = 64, height: int = 48) -> tuple[np.ndarray, np.ndarray]:
    """Pictures whose red and green change by all amounts from -1 to 1: every direction and speed of
    `flow_model`.
    """
    before = np.full((height, width, 4), 255, np.uint8)
    present = before.copy()
    across = np.linspace(-1, 1, width)[None, :].repeat(height, 0)
    down = np.linspace(-1, 1, height)[:, None].repeat(width, 1)
    for c, change in enumerate((across, down)):
        before[..., c] = np.rint(255 * np.clip(-change, 0, 1))
        present[..., c] = np.rint(255 * np.clip(change, 0, 1))
    return before, present


def change(before: np.ndarray, present: np.ndarray) -> np.ndarray:
    return (present[..., :2].astype(float) - before[..., :2]) / 255


def show(pipeline, picture: np.ndarray, pts: float) -> np.ndarray:
    pipeline.render(rgba_frame(picture, pts))
    assert [s.state for s in pipeline.chain.statuses] == ["running"], pipeline.chain.statuses[0].message
    return pipeline.export().result()[..., :3].astype(int)


def chain(library, model: Path, **values):
    return chain_of(library, [(STAGE, {"model": str(model), "input_range": "0..1", **values})])


def test_such_a_network_becomes_this_stage(tmp_path):
    assert stage_for_model(flow_model(tmp_path / "flow.onnx"))[0] == STAGE
    assert stage_for_model(convolution(tmp_path / "one.onnx", np.ones((2, 3, 1, 1), np.float32)))[0] != STAGE


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("size", [None, (64, 48)])
def test_colors_are_those_of_the_wheel(pipeline, library, tmp_path, backend, size):
    # 12 pixels in one of 64 wide; the strongest color at 6 pixels, so that half of the flows are beyond it.
    before, present = two_pictures()
    model = flow_model(tmp_path / "flow.onnx", size=size)
    pipeline.set_chain(chain(library, model, backend=backend, full=100 * 6 / 64))
    assert (
        np.abs(show(pipeline, before, 0.0) - 255).max() <= 1
    )  # the first picture is its own past: white, at rest
    result = show(pipeline, present, 1.0)
    flow = change(before, present) * 12 / 6
    expected = flow_colors(flow)
    # At the two places where the color jumps (speed 1, and the wheel's end) rounding decides.
    speed, at = np.hypot(*np.moveaxis(flow, -1, 0)), np.arctan2(-flow[..., 1], -flow[..., 0])
    sure = (np.abs(speed - 1) > 0.02) & (np.abs(np.abs(at) - np.pi) > 0.02)
    assert sure.mean() > 0.9
    assert np.abs(result - expected)[sure].max() <= 3
    # The next is compared with the second, not with the first.
    assert np.abs(show(pipeline, present, 2.0) - 255).max() <= 1


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_picture_is_never_its_own_past(pipeline, library, tmp_path, backend):
    # A slider is dragged while nothing plays: the same picture, drawn anew.
    before, present = two_pictures()
    model = flow_model(tmp_path / "flow.onnx")
    pipeline.set_chain(chain(library, model, backend=backend, full=20))
    show(pipeline, before, 0.0)
    once = show(pipeline, present, 1.0)
    for opacity in (0.5, 1.0):
        pipeline.set_chain(chain(library, model, backend=backend, full=20, opacity=opacity))
        pipeline.render(None)
        again = pipeline.export().result()[..., :3].astype(int)
        expected = once * opacity + present[..., :3] * (1 - opacity)
        assert np.abs(again - expected).max() <= 2


@pytest.mark.parametrize("backend", BACKENDS)
def test_behind_a_cut_there_is_no_past(pipeline, library, tmp_path, backend):
    before, present = two_pictures()
    pipeline.set_chain(chain(library, flow_model(tmp_path / "flow.onnx"), backend=backend))
    show(pipeline, before, 0.0)
    assert np.abs(show(pipeline, present, 1.0) - 255).max() > 100
    pipeline.chain.reset()
    assert np.abs(show(pipeline, before, 2.0) - 255).max() <= 1


def test_flow_is_in_the_pictures_pixels_whatever_the_working_size(pipeline, library, tmp_path):
    # The network sees half of the width, so that its flow of 6 pixels is one of 12.
    before, present = (
        cv2.resize(p, (512, 384), interpolation=cv2.INTER_NEAREST) for p in two_pictures(32, 24)
    )
    pipeline.set_chain(
        chain(library, flow_model(tmp_path / "flow.onnx", gain=6.0), size=256, full=100 * 12 / 512)
    )
    show(pipeline, before, 0.0)
    result = show(pipeline, present, 1.0)
    flow = change(before, present)
    inside = np.zeros((384, 512), bool)
    for row in range(24):  # the middles of the squares, which no resampling reaches
        for column in range(32):
            inside[row * 16 + 5 : row * 16 + 11, column * 16 + 5 : column * 16 + 11] = True
    sure = inside & (np.abs(np.hypot(*np.moveaxis(flow, -1, 0)) - 1) > 0.02)
    assert "256x192" in pipeline.chain.statuses[0].network.text
    assert np.abs(result - flow_colors(flow))[sure].max() <= 4


def test_arrows_begin_where_things_were_and_point_where_they_went(pipeline, library, tmp_path):
    # All of a gray picture goes right by 20 pixels and down by 10.
    before = np.full((120, 160, 4), 128, np.uint8)
    present = before.copy()
    present[..., 0] += 100
    present[..., 1] += 50
    model = flow_model(tmp_path / "flow.onnx", gain=51.0)
    pipeline.set_chain(chain(library, model, view="arrows", spacing=128))
    show(pipeline, before, 0.0)
    result = show(pipeline, present, 1.0)
    drawn = np.abs(result - present[..., :3]).max(axis=2) > 30
    # A cell is 128 * 120 / 1080 = 14.2 pixels; arrows are cut off at its length, along (2, 1).
    spacing = 128 * 120 / 1080
    for row, column in ((2, 3), (4, 6)):
        begin = np.array([(column + 0.5) * spacing, (row + 0.5) * spacing])
        way = np.array([2.0, 1.0]) / np.hypot(2, 1)
        for share in (0.1, 0.5, 0.9):
            x, y = begin + way * share * spacing
            assert drawn[int(y), int(x)]
        # Beside its beginning, away from where its neighbor ends, there is nothing.
        across = begin - np.array([-way[1], way[0]]) * spacing * 0.4
        assert not drawn[int(across[1]), int(across[0])]
    assert 0.05 < drawn.mean() < 0.6
    # What stands still has none, and its picture is as it was.
    assert np.abs(show(pipeline, present, 2.0) - present[..., :3]).max() <= 1


@pytest.mark.parametrize("backend", BACKENDS)
def test_live_in_slices_and_on_a_thread(live, library, tmp_path, backend):
    before, present = two_pictures()
    live.set_chain(
        chain(library, flow_model(tmp_path / "flow.onnx"), backend=backend, timing="in step", full=20)
    )
    live.network_budget_ms = 0.001  # of a recorded one a dispatch a frame
    until(live, before, lambda: live.chain.statuses[0].state == "running")
    # The next picture is drawn again and again, and looked at once: what it is compared with stays the one
    # before.
    expected = flow_colors(change(before, present) * 12 / (0.2 * 64))

    def is_shown() -> bool:
        live.render(rgba_frame(present, 5.0))
        live.drain()
        return bool(np.abs(live.export().result()[..., :3] - expected).mean() < 3)

    end = time.perf_counter() + LIMIT_S
    while not is_shown():
        assert time.perf_counter() < end
    assert all(is_shown() for _ in range(5))


def test_what_is_no_flow_is_told(pipeline, library, tmp_path):
    model = convolution(tmp_path / "one.onnx", np.ones((2, 3, 1, 1), np.float32))
    pipeline.set_chain(chain(library, model))
    pipeline.render(rgba_frame(picture8(32, 24)))
    (status,) = pipeline.chain.statuses
    assert status.state == "failed" and "where two images are the only ones" in status.message


def test_raft(pipeline, library, tmp_path):
    """torchvision's small RAFT, with random weights, end to end beside PyTorch."""
    torch = pytest.importorskip("torch")
    optical_flow = pytest.importorskip("torchvision.models.optical_flow", exc_type=Exception)
    torch.manual_seed(0)

    class Twice(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.raft = optical_flow.raft_small(weights=None).eval()

        def forward(self, before, present):
            return tuple(self.raft(before, present, num_flow_updates=2))

    raft = Twice()

    picture = picture8(128, 128, 4)
    moved = np.roll(picture, (2, 3), (0, 1))
    path = tmp_path / "raft.onnx"
    given = [
        torch.from_numpy(p[..., :3].astype(np.float32).transpose(2, 0, 1)[None] / 127.5 - 1)
        for p in (picture, moved)
    ]
    torch.onnx.export(
        raft, tuple(given), str(path), dynamo=False, opset_version=16, input_names=["before", "present"],
        output_names=["first", "second"],
    )  # fmt: skip
    with torch.no_grad():
        flow = raft(*given)[-1][0].numpy().transpose(1, 2, 0)
    ours = onnxruntime.InferenceSession(str(path)).run(
        None, {"before": given[0].numpy(), "present": given[1].numpy()}
    )
    np.testing.assert_allclose(ours[-1][0].transpose(1, 2, 0), flow, atol=1e-2)
    assert stage_for_model(path) == (STAGE, {"model": str(path)})
    full = float(np.percentile(np.hypot(*np.moveaxis(flow, -1, 0)), 90)) * 100 / 128
    values = {"model": str(path), "full": min(50.0, max(0.1, full))}
    pipeline.set_chain(chain_of(library, [(STAGE, values)]))
    show(pipeline, picture, 0.0)
    result = show(pipeline, moved, 1.0)
    expected = flow_colors(flow / (values["full"] / 100 * 128))
    # 8-bit pictures go in through rgba16float; a hundredth of the pixels may stand on the other side of the
    # strongest color.
    assert np.mean(np.abs(result - expected).max(axis=2) > 6) < 0.02
