"""A served network after a device loss, and with outputs that have other rows than requested."""

from __future__ import annotations

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper
from serving_rig import ServerRig, affine_model

from desktop.base.errors import DeviceLostError, GpuError, ModelError, ModelMemoryError, ServingError
from desktop.serving.gpu_channel import Failed
from desktop.serving.gpu_processes import GpuProcess
from desktop.serving.served_model import Batching
from desktop.serving.session_pool import Loading, SessionPool, own_pool

ROW = np.array([[1, 2, 3, 4]], np.float32)


class Device:
    """As far as a session on ONNX Runtime asks of one."""

    def close(self) -> None:
        """Nothing is held."""


def pool_on(tmp_path, opened: list) -> SessionPool:
    """A network whose devices are those of the list, one after the other; an error in it is raised."""
    opened = list(opened)

    def open_gpu():
        found = opened.pop(0)
        if isinstance(found, Exception):
            raise found
        return found

    pool = SessionPool(str(affine_model(tmp_path / "net.onnx")), Loading(open_gpu, "onnxruntime"))
    pool.open()
    return pool


@pytest.mark.parametrize("missing", [GpuError("none for now"), None], ids=["refused", "gone"])
def test_a_device_that_is_not_back_at_once_is_asked_for_again(tmp_path, monkeypatch, missing):
    pool = pool_on(tmp_path, [Device(), missing, missing, Device()])
    whole, lost = pool.run, [DeviceLostError("lost")]
    monkeypatch.setattr(pool, "run", lambda feeds: raised(lost.pop()) if lost else whole(feeds))
    for _ in range(2):  # and nothing else computes it meanwhile
        with pytest.raises(GpuError):
            pool.run_again({"x": ROW})
    for _ in range(2):
        np.testing.assert_array_equal(pool.run_again({"x": ROW})["y"], 2 * ROW + 1)
    pool.close()


def test_rows_that_a_network_leaves_out_are_nobody_elses(tmp_path):
    """Two rows are what the trial sees; the third is cut off, and must not become an empty answer."""
    graph = helper.make_graph(
        [helper.make_node("Slice", ["x", "begin", "end"], ["y"])],
        "two_at_most",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["N", 4])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, ["M", 4])],
        [numpy_helper.from_array(np.array([value]), name) for name, value in (("begin", 0), ("end", 2))],
    )
    path = tmp_path / "two.onnx"
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8), str(path))
    with ServerRig({"two": path}, batching=Batching(delay_s=0.2)) as rig:
        model = rig.model("two")
        assert model.description.max_batch == 8
        answers = [model.submit({"x": ROW * row}, 60.0) for row in range(4)]
        for row, answer in enumerate(answers):
            try:
                np.testing.assert_array_equal(answer.result(60)["y"], ROW * row)
            except ModelError as error:
                assert "--max-batch 1" in str(error)
        assert model.submit({"x": ROW}, 60.0).result(60)["y"].shape == (1, 4)


@pytest.mark.parametrize(
    "error",
    [
        GpuError("lost"),
        ModelMemoryError("too large"),
        ModelError("failed"),
        ServingError("conflict", "changed"),
    ],
)
def test_an_error_of_a_gpus_process_keeps_its_kind(error):
    again = Failed.of(error).exception()
    assert type(again) is type(error) and str(again) == str(error)
    assert getattr(again, "kind", "") == getattr(error, "kind", "")


def raised(error: Exception) -> None:
    raise error


def test_a_process_that_ends_at_once_is_started_twice(tmp_path, monkeypatch):
    starts = tmp_path / "starts"
    # What Python imports before anything else.
    (tmp_path / "sitecustomize.py").write_text(
        f"import os\nos.read(0, 1)\nopen({str(starts)!r}, 'a').write('started\\n')\nos._exit(1)\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    process = GpuProcess("#0", tmp_path)
    with pytest.raises(GpuError, match="does not start"):
        process.connect()
    process.close()
    assert starts.read_text().splitlines() == ["started"] * 2


def test_what_is_noted_about_a_network_is_logged_once_for_all_its_devices(tmp_path, caplog):
    path = affine_model(tmp_path / "net.onnx")
    model = onnx.load(path)
    for number in range(8):
        model.metadata_props.add(key=str(number), value="a" * (60 << 10))
    onnx.save(model, path)
    with ServerRig({"net": path}, pools=lambda *given: own_pool(*given) + own_pool(*given)) as rig:
        assert rig.model("net").description.served == ""
    said = "net.onnx has labels or metadata too large for its clients, who have to be given them."
    assert [record.getMessage() for record in caplog.records].count(said) == 1


def test_a_load_that_is_refused_is_not_its_own_cause(tmp_path):
    refused = None

    def pools(model, loading):
        if refused is not None:
            raise refused
        return own_pool(model, loading)

    with ServerRig({"net": affine_model(tmp_path / "net.onnx")}, pools=pools, may_load=True) as rig:
        rig.service.unload("net")
        refused = ServingError("conflict", "It was changed; load it again.")
        with pytest.raises(ServingError) as caught:
            rig.service.load("net")
    assert caught.value is refused and refused.__cause__ is None
