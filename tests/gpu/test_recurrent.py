"""Networks that remember, as Robust Video Matting: states go from frame to frame, and begin anew at a cut.

What is right is a loop with onnxruntime over the same pictures; 1e-4 holds what two implementations of
float32 differ by.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnxruntime
import pytest
from dense_models import recurrent_matting
from test_pipeline import rgba_frame

from desktop.base.errors import ModelUnsupportedError
from desktop.compute.nn.session import TensorInfo
from desktop.pipeline.chain.network_stages import stage_for_model
from desktop.pipeline.chain.spec import chain_of
from desktop.pipeline.running.dense.dense_network import load_dense
from desktop.pipeline.running.one.recurrent import recurrent, shapes_of_states
from desktop.vision.backends.loader import load_session
from desktop.vision.models.model_file import ModelFile
from desktop.vision.models.recurrence import state_pairs
from desktop.vision.tasks.common.dense import DenseRequest

BACKENDS = ("wgpu", "onnxruntime")
SIZE = (32, 24)


def loop(model: Path, pictures: list[np.ndarray], ratio: float = 1.0) -> list[dict[str, np.ndarray]]:
    """What onnxruntime gives for a sequence; the states begin as zeros of size 1 where their sizes are free."""
    session = onnxruntime.InferenceSession(str(model))
    results = [o.name for o in session.get_outputs()]
    states = {
        i.name: np.zeros([n if isinstance(n, int) else 1 for n in i.shape], np.float32)
        for i in session.get_inputs()[1:-1]
    }
    found = []
    for picture in pictures:
        feeds = {"src": picture, "downsample_ratio": np.float32([ratio]), **states}
        outputs = dict(zip(results, session.run(None, feeds), strict=True))
        states = dict(zip(states, [outputs[name] for name in results[2:]], strict=True))
        found.append(outputs)
    return found


def pictures(count: int, size: tuple[int, int] = SIZE) -> list[np.ndarray]:
    rng = np.random.default_rng(4)
    return [rng.random((1, 3, size[1], size[0]), np.float32) for _ in range(count)]


def opened(gpu, model: Path, backend: str, size: tuple[int, int] = SIZE):
    with ModelFile.opened(model) as file:
        shapes = {"src": (1, 3, size[1], size[0])}
        values = {"downsample_ratio": np.float32([1.0])}
        shapes |= shapes_of_states(file, shapes, values)
        loaded = load_session(file, gpu=gpu, backend=backend, input_shapes=shapes, input_values=values)
        return recurrent(gpu, loaded.session, file.facts.states)


def result(gpu, session, picture: np.ndarray) -> np.ndarray:
    """The matte of the next picture: recorded where the session can be, as in a frame."""
    recorded = session.capabilities.recorder
    if recorded is None:
        return session.run({"src": picture})["pha"]
    gpu.queue.write_buffer(recorded.tensor("src").buffer, 0, picture)
    encoder = gpu.device.create_command_encoder()
    compute_pass = encoder.begin_compute_pass()
    middle = recorded.dispatch_count // 2
    recorded.encode(compute_pass, 0, middle)  # in slices, as on a slow GPU
    recorded.encode(compute_pass, middle)
    compute_pass.end()
    gpu.queue.submit([encoder.finish()])
    tensor = recorded.tensor("pha")
    return np.frombuffer(gpu.queue.read_buffer(tensor.buffer), np.float32).reshape(tensor.shape)


@pytest.mark.parametrize("free", [True, False])
@pytest.mark.parametrize("backend", BACKENDS)
def test_five_pictures_are_as_in_a_loop(gpu, tmp_path, backend, free):
    model = recurrent_matting(tmp_path / "m.onnx", size=None if free else SIZE)
    session = opened(gpu, model, backend)
    assert [info.name for info in session.inputs] == ["src"]
    assert [info.name for info in session.outputs] == ["fgr", "pha"]
    given = pictures(5)
    for picture, expected in zip(given, loop(model, given), strict=True):
        np.testing.assert_allclose(result(gpu, session, picture), expected["pha"], atol=1e-4)
    # Without a past the third is another one.
    assert np.abs(loop(model, given[2:3])[0]["pha"] - loop(model, given)[2]["pha"]).max() > 0.1
    assert session.capabilities.reset_state is not None
    session.capabilities.reset_state()
    np.testing.assert_allclose(result(gpu, session, given[2]), loop(model, given[2:3])[0]["pha"], atol=1e-4)
    session.close()


@pytest.mark.shared
@pytest.mark.parametrize("backend", BACKENDS)
def test_a_network_like_robust_video_matting(gpu, shared, backend):
    """Four states of free sizes, gates, shapes that are computed."""
    model, size = shared / "repro" / "networks" / "rvm_like_dynamic.onnx", (72, 40)
    session, given = opened(gpu, model, backend, size), pictures(5, size)
    for picture, expected in zip(given, loop(model, given), strict=True):
        np.testing.assert_allclose(result(gpu, session, picture), expected["pha"], atol=1e-4)
    session.close()


def test_a_run_for_trial_leaves_no_past(gpu, tmp_path):
    model = recurrent_matting(tmp_path / "m.onnx")
    session = opened(gpu, model, "wgpu")
    given = pictures(2)
    for _ in range(2):
        np.testing.assert_allclose(
            session.run({"src": given[0]})["pha"], loop(model, given[:1])[0]["pha"], atol=1e-4
        )
    session.close()


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_stage_keeps_the_past_until_a_cut(pipeline, library, tmp_path, backend):
    model = recurrent_matting(tmp_path / "m.onnx")
    assert stage_for_model(model) == ("background", {"model": str(model)})
    # The mask itself is shown, whose edge is as soft as can be: 0..1 by a smooth step.
    values = {
        "mode": "mask",
        "edges": 0,
        "smoothing": 0,
        "threshold": 0.5,
        "feather": 0.5,
        "backend": backend,
    }
    pipeline.set_chain(chain_of(library, [("background", {"model": str(model), **values})]))
    levels = [0.2, 1.0, 0.4, 0.9, 0.0]

    def show(level: float, pts: float) -> int:
        picture = np.full((24, 32, 4), 255, np.uint8)
        picture[..., :3] = round(255 * level)
        pipeline.render(rgba_frame(picture, pts))
        assert [s.state for s in pipeline.chain.statuses] == ["running"], pipeline.chain.statuses[0].message
        return int(pipeline.export().result()[12, 16, 0])

    def shown(each: dict[str, np.ndarray]) -> float:
        matte = float(each["pha"].mean())
        return 255 * matte * matte * (3 - 2 * matte)

    given = [np.full((1, 3, 24, 32), round(255 * level) / 255, np.float32) for level in levels]
    for at, expected in enumerate(loop(model, given)):
        assert abs(show(levels[at], float(at)) - shown(expected)) <= 2
    pipeline.chain.reset()
    assert abs(show(levels[1], 9.0) - shown(loop(model, given[1:2])[0])) <= 2


@pytest.mark.parametrize("longer", [512, 1024])
def test_what_was_chosen_is_said(gpu, tmp_path, longer):
    model = recurrent_matting(tmp_path / "m.onnx")
    request = DenseRequest("mask", size=longer)
    network = load_dense(gpu, str(model), (longer, 256), request, backend="onnxruntime")
    said = network.describe()
    assert "It keeps states from frame to frame ('r1i', 'r2i')" in said
    assert f"The input 'downsample_ratio' is given {512 / longer:g}" in said
    network.close()


def test_sizes_that_do_not_follow_are_refused_in_words(gpu, tmp_path):
    import onnx
    from onnx import helper

    model = onnx.load(recurrent_matting(tmp_path / "m.onnx"))
    # The state grows with each picture: none of one size follows it.
    model.graph.node.append(helper.make_node("Concat", ["both_reds", "both_reds"], ["grown"], axis=2))
    next(o for o in model.graph.output if o.name == "r1o").name = "r1o"
    for node in model.graph.node:
        node.output[:] = ["kept" if name == "r1o" else name for name in node.output]
        node.input[:] = ["kept" if name == "r1o" else name for name in node.input]
    model.graph.node.append(helper.make_node("Identity", ["grown"], ["r1o"]))
    onnx.save(model, tmp_path / "m.onnx")
    with pytest.raises(ModelUnsupportedError, match=r"r1i, r2i"):
        load_dense(gpu, str(tmp_path / "m.onnx"), SIZE, DenseRequest("mask"))


@pytest.mark.parametrize(
    ("before", "after", "is_state"),
    [
        ("r1i", "r1o", True),
        ("h_in", "h_out", True),
        ("state_in", "state_out", True),
        ("lstm_input", "lstm_output", True),
        ("hiddenIn", "hiddenOut", True),
        ("state", "new_state", True),
        ("prev_mask", "mask", True),
        ("past_key.0", "present_key.0", True),
        ("h0", "hn", True),
        ("c0", "hn", False),
        ("r1i", "r2o", False),
        ("input", "output", False),
        ("img1", "output", False),
        ("mask_input", "masks", False),
        ("timestep", "out_sample", False),
    ],
)
def test_names_of_states(before, after, is_state):
    states = [TensorInfo(before, (1, 4, 0, 0), "float32")]
    results = [TensorInfo("picture", (1, 3, 8, 8), "float32"), TensorInfo(after, (1, 4, 8, 8), "float32")]
    assert bool(state_pairs(states, results)) is is_state


@pytest.mark.parametrize("after", [TensorInfo("h_out", (1, 4), "float32"), TensorInfo("h_out", (1, 5, 8, 8), "float32"),
                                   TensorInfo("h_out", (1, 4, 8, 8), "float16")])  # fmt: skip
def test_a_state_is_like_the_next_one(after):
    picture = TensorInfo("picture", (1, 3, 8, 8), "float32")
    assert state_pairs([TensorInfo("h_in", (1, 4, 8, 8), "float32")], [picture, after]) == ()
