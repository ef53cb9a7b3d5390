"""A folder of models that changes while the server runs."""

from __future__ import annotations

import errno
import http.client
import json
import os
import re
import shutil
import threading
import time
from pathlib import Path

import numpy as np
import onnx
import pytest
import tritonclient.grpc as triton_grpc
import tritonclient.http as triton_http
import windows_marks
from onnx import TensorProto, helper, numpy_helper
from serving_rig import CPU, ServerRig, affine_model
from tritonclient.utils import InferenceServerException
from waiting import until

from desktop.base.errors import (
    GpuError,
    ModelInvalidError,
    ModelMemoryError,
    ModelUnsupportedError,
    NoAdapterError,
    UsageError,
)
from desktop.serving.limits import Limits
from desktop.serving.models import models_of
from desktop.serving.repository import Polling, Repository, is_name, version_folders
from desktop.serving.served_model import Batching, ModelLimits, ModelOptions
from desktop.serving.session_pool import SessionPool, own_pool

WAIT = 60.0


def times_model(path, factor):
    """y = factor x, of [N, 4]."""
    sizes_model(path, factor, 4)


def sizes_model(path, factor, size="M"):
    """y = factor x, of [N, size]."""
    path.parent.mkdir(parents=True, exist_ok=True)
    graph = helper.make_graph(
        [helper.make_node("Mul", ["x", "factor"], ["y"])],
        "times",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["N", size])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, ["N", size])],
        [numpy_helper.from_array(np.array(factor, np.float32), "factor")],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    onnx.save(model, str(path))


def add_version(folder, version, name="times", factor=None):
    times_model(folder / name / str(version) / "model.onnx", factor or version)


def remove(folder):
    """Remove a folder; on Windows once nobody reads a file of it."""

    def is_gone():
        try:
            shutil.rmtree(folder)
        except OSError as error:
            # Windows refuses, or deletes a file only once it is closed, and its folder not before.
            if error.errno in (errno.EACCES, errno.ENOTEMPTY):
                return False
            raise
        return True

    until(is_gone, lambda: f"{folder} is in use")


def by_http(rig, path, body=None, method=None):
    connection = http.client.HTTPConnection(rig.http, timeout=WAIT)
    data = None if body is None else json.dumps(body)
    connection.request(method or ("GET" if body is None else "POST"), path, data)
    response = connection.getresponse()
    text = response.read()
    connection.close()
    return response.status, json.loads(text) if text else None


ONES = {"inputs": [{"name": "x", "shape": [1, 4], "datatype": "FP32", "data": [1, 1, 1, 1]}]}


def answer(rig, version="", name="times"):
    """Status, the version that answered, and the factor that it multiplied with (or the error)."""
    where = f"/v2/models/{name}{f'/versions/{version}' if version else ''}/infer"
    status, said = by_http(rig, where, ONES)
    return (status, said["model_version"], said["outputs"][0]["data"][0]) if status == 200 else (status, said)


@pytest.fixture
def folder(tmp_path):
    add_version(tmp_path, 1)
    return tmp_path


@pytest.fixture
def rig(folder):
    with ServerRig({}, repository=folder, may_load=True) as found:
        yield found


def changes(rig):
    """What was reported since the last call: names, versions, whether loaded, problems."""
    found = [(each.name, each.version, each.model is not None, each.problem) for each in rig.changes]
    rig.changes.clear()
    return found


def test_the_newest_version_answers_and_older_ones_by_their_number(rig, folder):
    assert answer(rig) == (200, "1", 1.0)
    add_version(folder, 10)
    add_version(folder, 9)
    changes(rig)
    rig.repository.update(settled_only=False)
    assert changes(rig) == [("times", "10", True, ""), ("times", "9", True, "")]
    assert answer(rig) == (200, "10", 10.0)
    assert answer(rig, "9") == (200, "9", 9.0)
    assert answer(rig, "1") == (200, "1", 1.0)
    assert by_http(rig, "/v2/models/times")[1]["versions"] == ["1", "9", "10"]
    status, said = answer(rig, "2")
    assert status == 404 and "versions 1, 9, 10 alone" in said["error"]
    with triton_grpc.InferenceServerClient(rig.grpc) as client:
        x = triton_grpc.InferInput("x", [1, 4], "FP32")
        x.set_data_from_numpy(np.ones((1, 4), np.float32))
        found = client.infer("times", [x], model_version="9")
        assert found.get_response().model_version == "9" and found.as_numpy("y")[0, 0] == 9
        assert list(client.get_model_metadata("times").versions) == ["1", "9", "10"]


def test_a_version_that_cannot_be_loaded_leaves_the_old_one(rig, folder):
    broken = folder / "times" / "2"
    broken.mkdir()
    (broken / "model.onnx").write_bytes(b"no network")
    changes(rig)
    rig.repository.update(settled_only=False)
    ((name, version, is_loaded, problem),) = changes(rig)
    assert (name, version, is_loaded) == ("times", "2", False) and "model.onnx" in problem
    assert answer(rig) == (200, "1", 1.0)
    index = by_http(rig, "/v2/repository/index", {})[1]
    assert [(each["version"], each["state"]) for each in index] == [("1", "READY"), ("2", "UNAVAILABLE")]
    assert index[1]["reason"] == problem
    assert len(by_http(rig, "/v2/repository/index", {"ready": True})[1]) == 1
    assert by_http(rig, "/v2/health/ready")[0] == 200
    # Neither tried nor reported again, before it changes.
    rig.repository.update(settled_only=False)
    assert changes(rig) == []
    add_version(folder, 2)
    rig.repository.update(settled_only=False)
    assert answer(rig) == (200, "2", 2.0)
    assert {each["state"] for each in by_http(rig, "/v2/repository/index", {})[1]} == {"READY"}


def test_a_replaced_file_is_reloaded_and_a_broken_one_is_not(rig, folder):
    add_version(folder, 1, factor=5)
    rig.repository.update(settled_only=False)
    assert answer(rig) == (200, "1", 5.0)
    assert rig.model("times").statistics.snapshot().requests == 1
    (folder / "times" / "1" / "model.onnx").write_bytes(b"cut off")
    changes(rig)
    rig.repository.update(settled_only=False)
    ((_, _, is_loaded, problem),) = changes(rig)
    assert not is_loaded and problem.endswith("The version from before stays.")
    assert answer(rig) == (200, "1", 5.0)
    known = {"name": "times", "version": "1", "state": "READY"}
    assert by_http(rig, "/v2/repository/index", {})[1] == [{**known, "reason": problem}]
    add_version(folder, 1, factor=6)
    rig.repository.update(settled_only=False)
    assert by_http(rig, "/v2/repository/index", {})[1] == [{**known, "reason": ""}]


def test_a_file_that_is_being_copied_waits(rig, folder):
    add_version(folder, 2)
    rig.repository.update()
    assert answer(rig)[1] == "1"
    old = time.time() - 10
    for path in (folder / "times" / "2").iterdir():
        os.utime(path, (old, old))
    rig.repository.update()
    assert answer(rig)[1] == "2"


def test_removed_versions_and_models_are_served_no_longer(rig, folder):
    add_version(folder, 2)
    add_version(folder, 1, "other", factor=7)
    rig.repository.update(settled_only=False)
    assert answer(rig, name="other") == (200, "1", 7.0)
    shutil.rmtree(folder / "times" / "2")
    shutil.rmtree(folder / "other")
    rig.repository.update()
    assert answer(rig) == (200, "1", 1.0)
    assert answer(rig, "2")[0] == 404
    assert answer(rig, name="other")[0] == 404


def test_load_and_unload(rig, folder):
    with triton_http.InferenceServerClient(rig.http) as client:
        client.unload_model("times")
        assert answer(rig)[0] == 503
        with triton_grpc.InferenceServerClient(rig.grpc) as other:
            assert not client.is_model_ready("times") and not other.is_model_ready("times")
        rig.repository.update(settled_only=False)
        assert answer(rig)[0] == 503, "what a client unloaded stays so"
        assert client.get_model_repository_index()[0]["reason"] == "it was unloaded; load it again."
        add_version(folder, 3)
        client.load_model("times")
        assert answer(rig) == (200, "3", 3.0)
        (folder / "times" / "4").mkdir()
        (folder / "times" / "4" / "model.onnx").write_bytes(b"no network")
        with pytest.raises(InferenceServerException, match="Version 4 of the model 'times' is not served"):
            client.load_model("times")
        assert answer(rig) == (200, "3", 3.0)
        (folder / "empty").mkdir()
        with pytest.raises(InferenceServerException, match="has no version"):
            client.load_model("empty")
    for name in ("..%2Ftimes", "none"):
        status, said = by_http(rig, f"/v2/repository/models/{name}/load", {})
        assert status == 404 and "There is no model" in said["error"]


def test_a_faulty_load_has_the_status_of_a_wrong_file_and_its_reason(rig, folder):
    with triton_grpc.InferenceServerClient(rig.grpc) as client:
        client.unload_model("times")
        (folder / "times" / "1" / "model.onnx").write_bytes(b"no network")
        status, said = by_http(rig, "/v2/repository/models/times/load", {})
        assert status == 400 and "model.onnx" in said["error"]
        assert said["error"].startswith("Version 1 of the model 'times' is not served: ")
        with pytest.raises(InferenceServerException) as refused:
            client.load_model("times")
        assert refused.value.status() == "StatusCode.INVALID_ARGUMENT"
        assert refused.value.message() == said["error"]
        (entry,) = by_http(rig, "/v2/repository/index", {})[1]
        assert entry["state"] == "UNAVAILABLE" and entry["reason"] in said["error"]
        status, said = answer(rig)
        assert status == 503 and entry["reason"] in said["error"]
        add_version(folder, 1)
        client.load_model("times")
        assert answer(rig) == (200, "1", 1.0)


def test_statistics_are_those_of_all_versions_unless_one_is_named(rig, folder):
    add_version(folder, 10)
    add_version(folder, 2)
    rig.repository.update(settled_only=False)
    answer(rig, "2")

    def counted(path):
        status, said = by_http(rig, path)
        assert status == 200
        return [(each["version"], each["inference_count"]) for each in said["model_stats"]]

    assert counted("/v2/models/times/stats") == [("1", 0), ("2", 1), ("10", 0)]
    assert counted("/v2/models/times/versions/2/stats") == [("2", 1)]
    assert by_http(rig, "/v2/models/none/stats")[0] == 404
    with triton_grpc.InferenceServerClient(rig.grpc) as client:
        found = client.get_inference_statistics("times").model_stats
        assert [each.version for each in found] == ["1", "2", "10"]
        (one,) = client.get_inference_statistics("times", "2").model_stats
        assert (one.version, one.inference_count) == ("2", 1)


NO_VERSION = (
    "has a network and is no version; name it with a whole number from 1, without leading zeros and of at most 18 "
    "digits."
)
LAYOUTS = {
    "loose/model.onnx": "model.onnx is not in the folder of a version; move it to loose/1/model.onnx.",
    "named/net.onnx": "It has no version; put its network into named/1/model.onnx.",
    "other/2/net.onnx": "Version 2 has no model.onnx or model.tflite; give its network that name.",
    "zero/0/model.onnx": f"The folder 0 {NO_VERSION}",
    "padded/01/model.onnx": f"The folder 01 {NO_VERSION}",
    "negative/-1/model.onnx": f"The folder -1 {NO_VERSION}",
    "long/9999999999999999999/model.onnx": f"The folder 9999999999999999999 {NO_VERSION}",
    "word/latest/model.onnx": f"The folder latest {NO_VERSION}",
}


def test_models_in_other_layouts_are_told_with_the_one_that_is_expected(rig, folder):
    for file in LAYOUTS:
        times_model(folder / file, 3)
    changes(rig)
    rig.repository.update()
    assert changes(rig) == [], "they may still be being copied"
    rig.repository.update(settled_only=False)
    names = [file.split("/")[0] for file in LAYOUTS]
    told = list(zip(names, LAYOUTS.values(), strict=True))
    assert sorted(changes(rig)) == sorted((name, "", False, said) for name, said in told)
    index = by_http(rig, "/v2/repository/index", {})[1]
    for name, said in told:
        assert {"name": name, "version": "", "state": "UNAVAILABLE", "reason": said} in index
        problem = f"The model '{name}' is not served: {said}"
        assert by_http(rig, f"/v2/repository/models/{name}/load", {}) == (400, {"error": problem})
        assert answer(rig, name=name) == (503, {"error": problem})
    rig.repository.update(settled_only=False)
    assert changes(rig) == []
    (folder / "loose" / "1").mkdir()
    (folder / "loose" / "model.onnx").rename(folder / "loose" / "1" / "model.onnx")
    rig.repository.update(settled_only=False)
    assert answer(rig, name="loose") == (200, "1", 3.0)


def test_networks_outside_the_folders_of_models_are_named_and_in_the_index(tmp_path):
    for name in ("a.onnx", "b.tflite", "c.ONNX", "d.onnx"):
        times_model(tmp_path / name, 3)
    (tmp_path / ".hidden.onnx").touch()
    (tmp_path / "notes.txt").touch()
    with ServerRig({}, repository=tmp_path, may_load=True) as rig:
        said = f"{tmp_path} has 4 networks outside the folders of models (a.onnx, b.tflite, c.ONNX and 1 more); move each to "
        assert changes(rig) == [("", "", False, f"{said}a folder of its own, as a.onnx to a/1/model.onnx.")]

        def reasons():
            index = by_http(rig, "/v2/repository/index", {})[1]
            return {each["name"]: each["reason"] for each in index if each["state"] == "UNAVAILABLE"}

        wanted = {
            name: f"{file} is not in the folder of a model; move it to {place}."
            for name, file, place in (
                ("a", "a.onnx", "a/1/model.onnx"),
                ("b", "b.tflite", "b/1/model.tflite"),
                ("c", "c.ONNX", "c/1/model.onnx"),
                ("d", "d.onnx", "d/1/model.onnx"),
            )
        }
        assert reasons() == wanted
        problem = f"The model 'a' is not served: {wanted['a']}"
        assert by_http(rig, "/v2/repository/models/a/load", {}) == (400, {"error": problem})
        assert answer(rig, name="a") == (503, {"error": problem})
        rig.repository.update(settled_only=False)
        assert changes(rig) == [] and reasons() == wanted
        (tmp_path / "a" / "1").mkdir(parents=True)
        (tmp_path / "a.onnx").rename(tmp_path / "a" / "1" / "model.onnx")
        (tmp_path / "b.tflite").unlink()
        rig.repository.update(settled_only=False)
        assert answer(rig, name="a") == (200, "1", 3.0)
        assert reasons().keys() == {"c", "d"}
        assert by_http(rig, "/v2/repository/models/b/load", {})[0] == 404


def test_a_repository_without_a_folder_of_a_model_is_told(tmp_path):
    (tmp_path / "net.pt").touch()
    with ServerRig({}, repository=tmp_path) as rig:
        said = f"{tmp_path} has no folder of a model, only net.pt; add MODEL/1/model.onnx."
        assert changes(rig) == [("", "", False, said)]


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        pytest.param("new\nline", "new\\nline", marks=windows_marks.line_breaks_in_names),
        ("new\u2028line", "new\\u2028line"),
    ],
)
def test_names_and_files_that_cannot_be_served_are_reported(tmp_path, name, shown):
    times_model(tmp_path / name / "1" / "model.onnx", 3)
    (tmp_path / "folder" / "1" / "model.onnx").mkdir(parents=True)
    with ServerRig({}, repository=tmp_path) as rig:
        said = f"The folder '{shown}' in {tmp_path} cannot be a model's name; give it another one."
        assert sorted(changes(rig)) == [
            ("", "", False, said),
            ("folder", "", False, "model.onnx of version 1 is no file; put the network there."),
        ]


@pytest.mark.parametrize("is_removed", [False, True])
def test_a_file_that_changes_while_it_is_loaded_is_no_network_of_single_rows(folder, monkeypatch, is_removed):
    """Otherwise it would be served one row at a time, for a reason that is none of its own."""
    changed = folder / "times" / "2" / "model.onnx"
    try_once = SessionPool._try_once

    def trying(pool, inputs):
        found = try_once(pool, inputs)
        if is_removed:
            changed.unlink()
        elif pool._model == str(changed):
            times_model(changed, 5)
        return found

    with ServerRig({}, repository=folder) as rig:
        add_version(folder, 2)
        changes(rig)
        monkeypatch.setattr(SessionPool, "_try_once", trying)
        rig.repository.update(settled_only=False)
        ((_, version, is_loaded, problem),) = changes(rig)
        assert (version, is_loaded) == ("2", False) and "was changed since it was loaded" in problem
        assert answer(rig) == (200, "1", 1.0)
        monkeypatch.undo()
        add_version(folder, 2)
        rig.repository.update(settled_only=False)
        assert answer(rig) == (200, "2", 2.0)
        assert rig.model("times").description.max_batch == 8


def test_settings_of_triton_are_told_once_to_be_ignored(rig, folder):
    (folder / "times" / "config.pbtxt").write_text("max_batch_size: 2")
    changes(rig)
    for _ in range(2):
        rig.repository.update(settled_only=False)
    told = "config.pbtxt is not read; write its settings into config.toml (docs/serving.md)."
    assert changes(rig) == [("times", "", False, told)]
    assert [each["state"] for each in by_http(rig, "/v2/repository/index", {})[1]] == ["READY"]


FAULTS = {
    "memory": (MemoryError(), 503, "UNAVAILABLE", "There is not enough memory to load it"),
    "machine": (
        ModelMemoryError("It is too large for now; end others."),
        503,
        "UNAVAILABLE",
        "too large for now",
    ),
    "device": (NoAdapterError("There is no GPU; add one."), 503, "UNAVAILABLE", "There is no GPU"),
    "file": (ModelInvalidError("It is damaged; export it again."), 400, "INVALID_ARGUMENT", "It is damaged"),
    "operators": (
        ModelUnsupportedError("It has odd parts; choose others."),
        400,
        "INVALID_ARGUMENT",
        "odd parts",
    ),
    "settings": (UsageError("The size is wrong; correct it."), 400, "INVALID_ARGUMENT", "The size is wrong"),
    "bug": (KeyError("here"), 500, "INTERNAL", "It could not be loaded (KeyError: 'here')"),
}


@pytest.mark.parametrize("is_named", [False, True])
@pytest.mark.parametrize("cause", FAULTS)
def test_the_status_of_a_load_that_fails_tells_whose_fault_it_is(folder, tmp_path_factory, cause, is_named):
    error, status, code, said = FAULTS[cause]
    fails = False

    def pools(model, loading):
        if fails:
            raise error
        return own_pool(model, loading)

    other = tmp_path_factory.mktemp("named")
    times_model(other / "times.onnx", 1)
    models = {"times": other / "times.onnx"} if is_named else {}
    with (
        ServerRig(models, repository=None if is_named else folder, pools=pools, may_load=True) as rig,
        triton_grpc.InferenceServerClient(rig.grpc) as client,
    ):
        client.unload_model("times")
        fails = True
        found, document = by_http(rig, "/v2/repository/models/times/load", {})
        assert (found, said in document["error"]) == (status, True)
        with pytest.raises(InferenceServerException, match=re.escape(said)) as refused:
            client.load_model("times")
        assert refused.value.status() == f"StatusCode.{code}"
        # The reason stays in the index, until it is loaded or unloaded.
        (entry,) = by_http(rig, "/v2/repository/index", {})[1]
        assert entry["state"] == "UNAVAILABLE" and said in entry["reason"]
        fails = False
        client.load_model("times")
        (entry,) = by_http(rig, "/v2/repository/index", {})[1]
        assert (entry["state"], entry["reason"]) == ("READY", "")
        assert by_http(rig, "/v2/repository/models/none/load", {})[0] == 404
        with pytest.raises(InferenceServerException) as refused:
            client.load_model("none")
        assert refused.value.status() == "StatusCode.NOT_FOUND"


def test_a_version_that_failed_for_lack_of_something_else_is_tried_again_later(folder):
    """A file that another program has open (Windows), a device that is busy, memory: with growing pauses."""
    tries, error = [], None

    def pools(model, loading):
        tries.append(model)
        if error is not None:
            raise error
        return own_pool(model, loading)

    def locked():
        try:
            raise PermissionError(13, "The process cannot access the file")
        except OSError as cause:
            found = ModelInvalidError("It cannot be read; close it elsewhere.")
            found.__cause__ = cause
            return found

    with ServerRig({}, repository=folder, pools=pools) as rig:
        for version, error, is_tried_again in (
            (2, locked(), True),
            (3, GpuError("It is busy; wait."), True),
            (4, MemoryError(), True),
            (5, ModelInvalidError("It is damaged; export it again."), False),
        ):
            changes(rig)
            tries.clear()
            add_version(folder, version)
            old = time.time() - 10
            os.utime(folder / "times" / str(version) / "model.onnx", (old, old))
            attempts = []
            for _ in range(16):
                rig.repository.update()
                attempts.append(len(tries))
            # At the passes 1, 2, 4, 8 and 16 from the first one on.
            wanted = [1, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4, 4, 5] if is_tried_again else [1] * 16
            assert attempts == wanted
            assert len(changes(rig)) == 1, "it is reported once"
            error = None
            if not is_tried_again:
                continue
            for _ in range(16):
                rig.repository.update()
            assert answer(rig) == (200, str(version), float(version))


def test_a_version_that_fails_again_for_the_same_cause_is_told_once(folder):
    """Though the sentence differs, as by the memory that is free, which the index has as it is."""
    error = None

    def pools(model, loading):
        raise error

    with ServerRig({}, repository=folder, pools=pools) as rig:
        changes(rig)
        add_version(folder, 2)
        for gib in range(1, 4):
            error = ModelMemoryError(f"It is too large, and {gib} GiB are free; end others.")
            rig.repository.update(settled_only=False)
        assert [problem for _, version, _, problem in changes(rig) if version == "2"] == [
            "It is too large, and 1 GiB are free; end others."
        ]
        rig.repository.update(settled_only=False)
        (entry,) = (e for e in by_http(rig, "/v2/repository/index", {})[1] if e["version"] == "2")
        assert "3 GiB" in entry["reason"]
        error = GpuError("The GPU is busy; wait.")
        for _ in range(4):
            rig.repository.update(settled_only=False)
        assert [problem for _, version, _, problem in changes(rig) if version == "2"] == [
            "The GPU is busy; wait."
        ]


def test_names_are_those_of_the_folder_letter_by_letter(rig, folder, monkeypatch):
    """As on Windows, where 'TIMES' and 'times.' are found by the system too."""
    is_dir = Path.is_dir
    monkeypatch.setattr(
        Path, "is_dir", lambda path: is_dir(path.with_name(path.name.rstrip(". ").lower())) or is_dir(path)
    )
    for name in ("TIMES", "times.", "Times"):
        assert by_http(rig, f"/v2/repository/models/{name}/load", {})[0] == 404
    assert [each["name"] for each in by_http(rig, "/v2/repository/index", {})[1]] == ["times"]


def test_files_that_go_while_a_folder_is_listed_are_no_fault(rig, folder, monkeypatch):
    add_version(folder, 2)
    (folder / "times" / "2" / ".model.onnx.part").touch()
    is_file, seen = Path.is_file, []

    def going(path):
        found = is_file(path)
        if path.name == ".model.onnx.part":
            seen.append(found)
            path.unlink()
        return found

    changes(rig)
    monkeypatch.setattr(Path, "is_file", going)
    rig.repository.update(settled_only=False)
    assert [(version, problem) for _, version, _, problem in changes(rig)] == [("2", "")]
    assert seen == [True], "it went between the listing and the look at its size"
    assert answer(rig) == (200, "2", 2.0)


def test_a_version_that_stays_and_cannot_be_read_is_told_once(rig, folder, monkeypatch):
    """On Windows a folder that may not be read looks like one that is just being removed."""
    add_version(folder, 2)
    closed, iterdir = folder / "times" / "2", Path.iterdir

    def listed(path):
        if path == closed:
            raise FileNotFoundError(2, "No such file or directory")
        return iterdir(path)

    changes(rig)
    monkeypatch.setattr(Path, "iterdir", listed)
    for _ in range(3):
        rig.repository.update(settled_only=False)
    assert changes(rig) == [], "it may be going"
    for _ in range(3):
        rig.repository.update(settled_only=False)
    ((name, version, is_loaded, problem),) = changes(rig)
    assert (name, version, is_loaded) == ("times", "2", False)
    assert problem.startswith("It cannot be read: ") and "permissions" in problem
    entries = by_http(rig, "/v2/repository/index", {})[1]
    assert {"name": "times", "version": "2", "state": "UNAVAILABLE", "reason": problem} in entries
    assert answer(rig) == (200, "1", 1.0)
    monkeypatch.undo()
    rig.repository.update(settled_only=False)
    assert answer(rig) == (200, "2", 2.0)
    assert {entry["state"] for entry in by_http(rig, "/v2/repository/index", {})[1]} == {"READY"}


def test_a_version_that_is_copied_under_another_name_is_told_once_it_is_complete(rig, folder):
    new = folder / "faces" / "new"
    times_model(new / "model.onnx", 2)
    old = time.time() - 10
    for path in (new, new.parent):
        os.utime(path, (old, old))
    changes(rig)
    rig.repository.update()
    assert changes(rig) == [], "its file is still written"
    os.utime(new / "model.onnx", (old, old))
    rig.repository.update()
    ((name, _, _, problem),) = changes(rig)
    assert name == "faces" and "The folder new has a network and is no version" in problem


def test_an_unload_of_what_is_no_model_is_refused_as_its_load(rig, folder):
    (folder / "empty").mkdir()
    times_model(folder / "inside" / "model.onnx", 2)
    times_model(folder / "loose.onnx", 2)
    rig.repository.update(settled_only=False)
    for name, status in (("empty", 404), ("none", 404), ("inside", 400), ("loose", 400)):
        refused = by_http(rig, f"/v2/repository/models/{name}/unload", {})
        assert refused == by_http(rig, f"/v2/repository/models/{name}/load", {})
        assert refused[0] == status
    for _ in range(2):
        assert by_http(rig, "/v2/repository/models/times/unload", {})[0] == 200
    add_version(folder, 1, "empty")
    rig.repository.update(settled_only=False)
    assert answer(rig, name="empty") == (200, "1", 1.0)


def test_a_file_that_was_changed_since_it_was_loaded_is_a_conflict(rig, folder):
    # A size that is new needs another session of a file that is not the one that was loaded.
    sizes_model(folder / "sizes" / "1" / "model.onnx", 1)
    rig.repository.update(settled_only=False)

    def infer(size):
        sent = {"name": "x", "shape": [1, size], "datatype": "FP32", "data": [1] * size}
        return by_http(rig, "/v2/models/sizes/infer", {"inputs": [sent]})

    assert infer(3)[0] == 200
    sizes_model(folder / "sizes" / "1" / "model.onnx", 2)
    assert infer(3)[0] == 200
    status, said = infer(5)
    assert status == 409 and "was changed since it was loaded" in said["error"]
    rig.repository.update(settled_only=False)
    assert infer(5)[0] == 200


def test_a_removed_model_that_was_not_served_is_forgotten(rig, folder):
    def index():
        return [(each["name"], each["version"]) for each in by_http(rig, "/v2/repository/index", {})[1]]

    times_model(folder / "loose" / "model.onnx", 3)
    add_version(folder, 1, "unloaded")
    rig.repository.update(settled_only=False)
    rig.repository.unload("unloaded")
    assert sorted(index()) == [("loose", ""), ("times", "1"), ("unloaded", "1")]
    shutil.rmtree(folder / "loose")
    shutil.rmtree(folder / "unloaded")
    changes(rig)
    rig.repository.update(settled_only=False)
    assert index() == [("times", "1")] and changes(rig) == []
    assert "There is no model 'loose' here." in answer(rig, name="loose")[1]["error"]


def test_a_fault_of_another_version_is_none_of_the_served_one(rig, folder):
    times_model(folder / "times" / "2" / "net.onnx", 2)
    rig.repository.update(settled_only=False)
    said = "Version 2 has no model.onnx or model.tflite; give its network that name."
    assert by_http(rig, "/v2/repository/index", {})[1] == [
        {"name": "times", "version": "1", "state": "READY", "reason": ""},
        {"name": "times", "version": "", "state": "UNAVAILABLE", "reason": said},
    ]
    assert answer(rig) == (200, "1", 1.0)


def test_a_repository_that_is_the_folder_of_a_model_is_told(folder):
    with ServerRig({}, repository=folder / "times") as rig:
        assert "has the versions of one model; give the folder above it." in rig.changes[0].problem
    times_model(folder / "model.onnx", 3)
    with ServerRig({}, repository=folder) as rig:
        assert "move it to MODEL/1/model.onnx." in rig.changes[0].problem
        assert answer(rig) == (200, "1", 1.0)


def test_clients_may_not_load_by_default(folder):
    with ServerRig({}, repository=folder) as rig:
        assert by_http(rig, "/v2/repository/models/times/unload", {})[0] == 403
        assert by_http(rig, "/v2/repository/models/times/load", {})[0] == 403


def test_settings_of_a_model(folder):
    add_version(folder, 2)
    (folder / "times" / "config.toml").write_text("versions = 1\nmax_batch = 4\nqueue = 3\n")
    with ServerRig({}, repository=folder) as rig:
        assert rig.models.versions("times") == ("2",)
        assert rig.model("times").description.max_batch == 4
        assert rig.model("times").limits == ModelLimits(queue=3)
        (folder / "times" / "config.toml").write_text("queue = 0\n")
        changes(rig)
        rig.repository.update(settled_only=False)
        ((name, version, _, problem),) = changes(rig)
        assert (name, version) == ("times", "") and problem.endswith(
            "'queue' is '0'; give a whole number from 1 to 65536."
        )
        assert answer(rig) == (200, "2", 2.0)
        (folder / "times" / "config.toml").write_text("max_batch = 2\n")
        rig.repository.update(settled_only=False)
        assert rig.models.versions("times") == ("1", "2")
        assert rig.model("times").description.max_batch == 2


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("dead = 3", "such a setting is not known"),
        ("deadline = 'a'", "give a number from 0.1 to 3600"),
        ("warm = 1", "give true or false"),
        ("backend = 'none'", "choose one of auto"),
        ("versions = true", "give a whole number from 1 to 8"),
        ("queue", "is no valid TOML"),
    ],
)
def test_wrong_settings_are_told_of(folder, text, said):
    (folder / "times" / "config.toml").write_text(text)
    with ServerRig({}, repository=folder) as rig:
        assert [said in each.problem for each in rig.changes] == [True]
        assert answer(rig)[0] == 503


def test_a_concurrency_is_kept(folder, tmp_path):
    affine = affine_model(tmp_path / "affine.onnx")
    with ServerRig({"affine": affine}, own={"affine": ModelLimits(concurrency=1)}) as rig:
        with rig.models.using("affine"):
            status, said = answer(rig, name="affine")
            assert status == 429 and said["error"].startswith("1 requests for the model 'affine' are under")
        assert answer(rig, name="affine") == (200, "1", 3.0)
        assert rig.model("affine").statistics.snapshot().refused == {"full": 1}


def test_names_and_folders_that_are_no_models(tmp_path):
    for name in ("", ".hidden", "a/b", "a\\b", "x" * 129, "a\nb"):
        assert not is_name(name)
    for version in ("0", "01", "1a", "-1", "2"):
        (tmp_path / "m" / version).mkdir(parents=True)
    (tmp_path / "m" / "2" / "other.onnx").touch()
    assert version_folders(tmp_path, "m") == ([], {})
    with pytest.raises(UsageError, match="is no folder of models"):
        ServerRig({}, repository=tmp_path / "none")


def test_models_are_replaced_under_clients_without_a_failed_request(folder):
    """64 clients ask over kept and new connections while versions come, change and go."""
    over = threading.Event()
    failed, counts = [], [0] * 64

    def ask(number):
        connection = http.client.HTTPConnection(rig.http, timeout=WAIT)
        body = json.dumps(ONES)
        while not over.is_set():
            connection.request("POST", "/v2/models/times/infer", body)
            response = connection.getresponse()
            text = response.read()
            said = json.loads(text)
            # Each version multiplies with its number: an answer is that of the version that it names.
            if response.status != 200 or said["outputs"][0]["data"][0] != float(said["model_version"]):
                failed.append(text)
                return
            counts[number] += 1
            if number % 2:
                connection.close()
        connection.close()

    with ServerRig({}, repository=folder) as rig:
        threads = [threading.Thread(target=ask, args=(number,), daemon=True) for number in range(64)]
        for thread in threads:
            thread.start()
        try:
            for version in range(2, 8):
                add_version(folder, version)
                rig.repository.update(settled_only=False)
                remove(folder / "times" / str(version - 1))
                add_version(folder, version)  # the same once more, with another time of change
                rig.repository.update(settled_only=False)
        finally:
            # Otherwise the clients would ask for ever.
            over.set()
        for thread in threads:
            thread.join(WAIT)
        assert failed == []
        assert rig.models.versions("times") == ("7",)
    assert sum(counts) > 64


def test_polling_finds_what_is_new(folder):
    with ServerRig({}, repository=folder) as rig:
        polling = Polling(rig.repository, 0.05)
        polling.start()
        try:
            add_version(folder, 2)
            until = time.monotonic() + WAIT
            while answer(rig)[1] != "2":
                assert time.monotonic() < until
                time.sleep(0.05)
        finally:
            polling.close(WAIT)


def test_models_and_entries_that_are_too_many_are_told_of(folder):
    for number in range(300):
        (folder / f"zz{number}").mkdir()
    with ServerRig({}, repository=folder) as rig:
        said = "has 301 models, of which the first 256 by name are served"
        assert [said in problem for _, _, _, problem in changes(rig) if problem] == [True]
        rig.repository.update()
        assert changes(rig) == []
        for number in range(1024):
            (folder / "times" / f"note{number}").touch()
        rig.repository.update()
        ((name, _, _, problem),) = changes(rig)
        assert name == "times" and "has more than 1024 entries" in problem


def test_a_fault_in_one_model_keeps_no_other_from_being_served(folder, caplog):
    add_version(folder, 1, "faulty")

    def pools(model, loading):
        if "faulty" in model:
            raise RuntimeError("a fault of its own")
        return own_pool(model, loading)

    with ServerRig({}, repository=folder, pools=pools) as rig:
        found = {name: problem for name, _, _, problem in changes(rig)}
        assert found["times"] == "" and "RuntimeError: a fault of its own" in found["faulty"]
        assert answer(rig) == (200, "1", 1.0)
    assert "a fault of its own" in caplog.text


def test_a_report_that_fails_keeps_no_model_from_being_served(folder, caplog):
    add_version(folder, 1, "first")
    reported = []

    def report(change):
        reported.append(change.name)
        raise RuntimeError(f"no place for {change.name}")

    usual = ModelOptions(CPU, Batching(), ModelLimits(8))
    models = models_of({}, usual)
    try:
        Repository(folder, models, usual, Limits(), report).update(settled_only=False)
        assert reported == ["first", "times"] == sorted(model.name for model in models.all)
        assert "no place for first" in caplog.text and "no place for times" in caplog.text
    finally:
        models.close(WAIT)


def test_a_model_of_the_folder_with_the_name_of_one_named_at_the_start_is_told(folder, tmp_path_factory):
    named = tmp_path_factory.mktemp("named") / "times.onnx"
    times_model(named, 9)
    with ServerRig({"times": named}, repository=folder) as rig:
        rig.repository.update(settled_only=False)
        said = f"it is the one named at the start, and {folder / 'times'} is not served; rename one."
        assert changes(rig) == [("times", "", False, said)]
        assert answer(rig) == (200, "1", 9.0)
        shutil.rmtree(folder / "times")
        rig.repository.update(settled_only=False)
        add_version(folder, 1)
        for _ in range(2):
            rig.repository.update(settled_only=False)
        assert changes(rig) == [("times", "", False, said)], "it came again"
