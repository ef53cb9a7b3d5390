"""The backend for PyTorch's files: what it computes beside ONNX Runtime, and what it does not take from a
stranger.
"""

from __future__ import annotations

import io
import json
import pickle
import subprocess
import sys
import warnings
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
import pytest

torch = pytest.importorskip("torch")

from torch_models import (  # noqa: E402
    changed,
    changed_json,
    resnet18,
    save_exported,
    save_onnx,
    save_script,
    small,
)

from desktop.base.errors import ModelError, ModelInvalidError, ModelUnsupportedError, UsageError  # noqa: E402
from desktop.compute.nn.frontends.pytorch import trial  # noqa: E402
from desktop.compute.nn.frontends.pytorch.archive import Archive  # noqa: E402
from desktop.compute.nn.frontends.pytorch.exported import is_harmless, read_exported  # noqa: E402
from desktop.compute.nn.frontends.pytorch.networks import load_network  # noqa: E402
from desktop.compute.nn.frontends.pytorch.words import first_line  # noqa: E402
from desktop.vision.backends import torch as backend  # noqa: E402
from desktop.vision.backends.loader import load_session  # noqa: E402
from desktop.vision.models.model_file import ModelFile  # noqa: E402

MODEL = "models/model.json"
WEIGHTS = "data/weights/model_weights_config.json"


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """ResNet-18 in three formats, and a small network in two; the tests keep to one core."""
    before = torch.get_num_threads()
    path = tmp_path_factory.mktemp("torch")
    net = resnet18()
    save_exported(net, path / "resnet.pt2", 224)
    save_script(net, path / "resnet.pt")
    save_onnx(net, path / "resnet.onnx", 224)
    save_exported(small(), path / "small.pt2", 32)
    save_script(small(), path / "small.pt", traced=32)
    yield path
    torch.set_num_threads(before)


def reference(path: Path, array: np.ndarray) -> np.ndarray:
    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    return session.run(None, {session.get_inputs()[0].name: array})[0]


@pytest.mark.parametrize("name", ["resnet.pt", "resnet.pt2"])
def test_resnet18_is_what_onnxruntime_computes(folder: Path, name: str) -> None:
    array = np.random.default_rng(3).standard_normal((1, 3, 224, 224), np.float32)
    expected = reference(folder / "resnet.onnx", array)
    loaded = load_session(folder / name, gpu=None, input_shapes={"input": (1, 3, 224, 224)})
    session = loaded.session
    assert isinstance(session, backend.TorchSession)
    assert (session.backend, session.precision) == ("torch", "fp32")
    device = backend.find_devices().devices[0]  # a GPU where there is one
    assert session.device == device.title
    assert (session.capabilities.run_times() is None) == (device.kind == "cpu")
    assert "onnxruntime does not read" in loaded.reason
    [found] = session.run({session.inputs[0].name: array}).values()
    assert session.outputs[0].shape == found.shape == (1, 1000)
    assert np.abs(found - expected).max() <= 1e-4 * np.abs(expected).max()
    with pytest.raises(ModelError, match="needs a value"):
        session.run({})
    session.close()
    with pytest.raises(ModelError, match="is closed"):
        session.run({session.inputs[0].name: array})


@pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device")
@pytest.mark.parametrize("name", ["resnet.pt", "resnet.pt2"])
def test_resnet18_on_cuda_is_what_onnxruntime_computes(folder: Path, name: str) -> None:
    array = np.random.default_rng(3).standard_normal((1, 3, 224, 224), np.float32)
    expected = reference(folder / "resnet.onnx", array)
    shapes = {"input": array.shape}
    session = load_session(
        folder / name, gpu=None, backend="torch", device="cuda:0", input_shapes=shapes
    ).session
    assert isinstance(session, backend.TorchSession)
    assert session.device.startswith("NVIDIA")
    [found] = session.run({session.inputs[0].name: array}).values()
    session.close()
    assert np.abs(found - expected).max() <= 1e-4 * np.abs(expected).max()


def test_convolutions_of_fp32_are_not_rounded_to_ten_bits(folder: Path) -> None:
    """PyTorch's own choice on NVIDIA's GPUs, TF32, is off by some 1e-3."""
    with torch.backends.cudnn.flags(enabled=True, allow_tf32=True):
        load_session(folder / "small.pt2", gpu=None, backend="torch", device="cpu").session.close()
        assert not torch.backends.cudnn.allow_tf32


def test_a_file_tells_what_it_takes(folder: Path) -> None:
    facts = ModelFile.open(folder / "resnet.pt2").facts
    assert (facts.input_shape, facts.classes, facts.input_name) == ((1, 3, 224, 224), 1000, "input")
    assert "conv2d" in facts.operators and facts.producer.startswith("PyTorch 2")


def test_torchscript_is_asked_by_running_it(folder: Path) -> None:
    """224 and all the others but 32 are refused by the last layer, which has 1024 inputs."""
    facts = ModelFile.open(folder / "small.pt").facts
    assert (facts.input_shape, facts.outputs[0].shape) == ((1, 3, 32, 32), (1, 5))
    session = load_session(folder / "small.pt", gpu=None, backend="torch", device="cpu").session
    array = np.random.default_rng(4).random((1, 3, 32, 32), np.float32)
    [found] = session.run({session.inputs[0].name: array}).values()
    with torch.inference_mode():
        expected = small()(torch.from_numpy(array)).numpy()
    assert np.abs(found - expected).max() <= 1e-6


def test_a_choice_is_never_replaced(folder: Path) -> None:
    path = folder / "small.pt2"
    with pytest.raises(ModelUnsupportedError, match=r"can't run on 'cuda:7': PyTorch has .*cpu here"):
        load_session(path, gpu=None, backend="torch", device="cuda:7")
    with pytest.raises(UsageError, match="chosen without its backend"):
        load_session(path, gpu=None, device="cpu")
    with pytest.raises(ModelUnsupportedError, match=r"onnxruntime does not read \.pt2 files; choose torch"):
        load_session(path, gpu=None, backend="onnxruntime")
    with pytest.raises(ModelUnsupportedError, match="computed in fp32 on the CPU"):
        load_session(path, gpu=None, backend="torch", device="cpu", precision="fp16")


def test_without_pytorch_a_sentence_says_what_to_install(folder: Path, monkeypatch) -> None:
    monkeypatch.setattr(trial, "find_spec", lambda name: None)
    for name in ("small.pt", "small.pt2"):
        with pytest.raises(ModelUnsupportedError, match=r"pip install '\.\[torch\]'"):
            load_session(folder / name, gpu=None)
    assert backend.find_devices().devices == ()


# -- strangers' files ----------------------------------------------------------------------------------------


def test_pickled_objects_are_not_unpickled(folder: Path, tmp_path: Path) -> None:
    class Trap:
        def __reduce__(self) -> Any:
            return Path.touch, (tmp_path / "ran",)

    for name, thing in (("module.pt", small()), ("weights.pth", small().state_dict()), ("trap.pt", Trap())):
        torch.save(thing, tmp_path / name)
        with pytest.raises(ModelInvalidError, match="pickled objects, which may be any program"):
            load_session(tmp_path / name, gpu=None)
        with pytest.raises(ModelUnsupportedError):
            load_session(tmp_path / name, gpu=None, backend="torch")
    assert not (tmp_path / "ran").exists()


class Writes(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        torch.save(x, "/tmp/lightloom-was-written")
        return x


class Reads(torch.nn.Module):
    def inner(self, x: torch.Tensor) -> torch.Tensor:
        return x + torch.from_file("/etc/passwd", False, 4, dtype=torch.uint8).sum()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if x.sum() > 3.0:
            x = self.inner(x)
        return x


class Prints(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        print("here")
        return x


@pytest.mark.parametrize(
    ("net", "what"), [(Writes, "aten::save"), (Reads, "aten::from_file"), (Prints, "prim::Print")]
)
def test_torchscript_that_does_more_than_compute_is_not_run(tmp_path: Path, net, what: str) -> None:
    data = save_script(net(), tmp_path / "a.pt").read_bytes()
    with pytest.raises(ModelUnsupportedError, match=f"it calls '{what}'"):
        load_network(data, ".pt", "a.pt", "cpu")
    assert not Path("/tmp/lightloom-was-written").exists()


def test_torchscript_that_runs_while_it_is_loaded_is_not_loaded(folder: Path, tmp_path: Path) -> None:
    def add(records: dict[str, bytes]) -> None:
        records["code/__torch__/b.py"] = (
            b"class B(Module):\n  def __setstate__(self, x: int) -> None:\n    return None\n"
        )

    data = changed(folder / "small.pt", tmp_path / "a.pt", add).read_bytes()
    with pytest.raises(ModelUnsupportedError, match="__setstate__"):
        load_network(data, ".pt", "a.pt", "cpu")

    def name(records: dict[str, bytes]) -> None:
        records["data.pkl"] += b"c__torch__.torch\nclasses.any.Thing\n"

    data = changed(folder / "small.pt", tmp_path / "b.pt", name).read_bytes()
    with pytest.raises(ModelUnsupportedError, match=r"C\+\+ classes"):
        load_network(data, ".pt", "b.pt", "cpu")


def test_hooks_of_the_module_itself_are_refused(tmp_path: Path) -> None:
    """They are no part of the graph of `forward`, and run when the module is called."""

    def before(self, input: tuple[torch.Tensor]) -> tuple[torch.Tensor]:
        torch.save(input[0], "/tmp/lightloom-was-written")
        return input

    def after(self, input: tuple[torch.Tensor], output: torch.Tensor) -> torch.Tensor:
        torch.save(output, "/tmp/lightloom-was-written")
        return output

    # TorchScript reads the types themselves, and this file's are texts.
    one = tuple[torch.Tensor]
    before.__annotations__ = {"input": one, "return": one}
    after.__annotations__ = {"input": one, "output": torch.Tensor, "return": torch.Tensor}
    for place, hook in (("register_forward_pre_hook", before), ("register_forward_hook", after)):
        net = torch.nn.Sequential(torch.nn.ReLU())
        getattr(net, place)(hook)
        data = save_script(net, tmp_path / "a.pt").read_bytes()
        with pytest.raises(ModelUnsupportedError, match="hooks"):
            load_network(data, ".pt", "a.pt", "cpu").call(torch.zeros(1))
    assert not Path("/tmp/lightloom-was-written").exists()


def test_tensors_that_claim_more_than_their_records_have_are_refused(tmp_path: Path) -> None:
    """PyTorch's loader believes the pickle: the same file reads what lies behind the record, or ends the
    process.
    """

    class Adds(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.register_buffer("offset", torch.arange(7.0))

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return x + self.offset

    whole = save_script(Adds(), tmp_path / "a.pt")

    def grow(records: dict[str, bytes]) -> None:
        assert records["data.pkl"].count(b"K\x07") == 2  # BININT1: the memory's elements, the tensor's size
        records["data.pkl"] = records["data.pkl"].replace(b"K\x07", b"M\x00\x08")

    [found] = load_network(whole.read_bytes(), ".pt", "a.pt", "cpu").call(torch.zeros(1)).values()
    assert found.tolist() == list(range(7))
    longer = changed(whole, tmp_path / "b.pt", grow)
    with pytest.raises(ModelInvalidError, match="weights '0' are cut off"):
        load_network(longer.read_bytes(), ".pt", "b.pt", "cpu")
    torn = changed(whole, tmp_path / "c.pt", lambda records: records.update({"data.pkl": b"\x80\x02Kq"}))
    with pytest.raises(ModelInvalidError, match=r"'data\.pkl' is missing or damaged"):
        load_network(torn.read_bytes(), ".pt", "c.pt", "cpu")
    old = changed(whole, tmp_path / "d.pt", lambda records: records.update({"model.json": b"{}"}))
    with pytest.raises(ModelUnsupportedError, match=r"before 1\.6"):
        load_network(old.read_bytes(), ".pt", "d.pt", "cpu")


def test_every_operator_that_takes_a_file_is_known() -> None:
    """PyTorch's own list of schemas: one that has a file's name as an argument must not be taken for
    harmless.
    """
    schemas = torch._C._jit_get_all_schemas()
    named = {s.name for s in schemas if any("file" in argument.name for argument in s.arguments)}
    assert {"aten::save", "aten::from_file"} <= named
    aten = {name.removeprefix("aten::") for name in named if name.startswith("aten::")}
    assert not any(map(is_harmless, aten))
    assert is_harmless("conv2d") and is_harmless("_softmax") and not is_harmless("_cudnn_init_dropout_state")


def _pickled(config: Any) -> None:
    next(iter(config["config"].values()))["use_pickle"] = True


def _elsewhere(config: Any) -> None:
    next(iter(config["config"].values()))["path_name"] = "../sample_inputs/model.pt"


def _huge(config: Any) -> None:
    meta = next(iter(config["config"].values()))["tensor_meta"]
    meta["sizes"], meta["strides"] = [{"as_int": 1 << 20}] * 2, [{"as_int": 0}] * 2


def _target(name: str):
    def change(program: Any) -> None:
        program["graph_module"]["graph"]["nodes"][0]["target"] = name

    return change


@pytest.mark.parametrize(
    ("record", "change", "error", "what"),
    [
        (WEIGHTS, _pickled, ModelUnsupportedError, "pickled objects"),
        (WEIGHTS, _elsewhere, ModelUnsupportedError, "pickled objects"),
        (WEIGHTS, _huge, ModelInvalidError, "cut off"),
        (MODEL, _target("torch.ops.aten.from_file.default"), ModelUnsupportedError, "it calls"),
        (MODEL, _target("torch.hub.load"), ModelUnsupportedError, r"it calls 'torch\.hub\.load'"),
        (MODEL, _target("_operator.methodcaller"), ModelUnsupportedError, "it calls"),
        (MODEL, lambda program: program.pop("graph_module"), ModelInvalidError, "not as expected"),
        (
            MODEL,
            lambda program: program["schema_version"].update(major=9),
            ModelUnsupportedError,
            "version 9",
        ),
    ],
)
def test_an_exported_program_is_data_or_refused(
    folder: Path, tmp_path: Path, record, change, error, what
) -> None:
    path = changed(folder / "small.pt2", tmp_path / "a.pt2", changed_json(record, change))
    with pytest.raises(error, match=what):
        read_exported(Archive.open(path.read_bytes(), path.name))


@pytest.mark.parametrize(
    "target", ["aten.relu.__class__", "aten.__dict__.update", "aten.relu.op", "aten.relu.no"]
)
def test_a_node_calls_operators_and_none_of_pythons_objects(
    folder: Path, tmp_path: Path, target: str
) -> None:
    change = changed_json(MODEL, _target(f"torch.ops.{target}"))
    path = changed(folder / "small.pt2", tmp_path / "a.pt2", change)
    with pytest.raises(ModelUnsupportedError, match="no operator"):
        load_network(path.read_bytes(), ".pt2", path.name, "cpu")


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("inputs", [{"name": "input", "arg": {"as_tensor": {}}}]),
        ("inputs", [{"name": "input", "arg": {"as_tensor": {"name": "\ud800"}}}]),
        ("outputs", [{"as_tensor": {"name": "\ud800"}}]),
        ("outputs", [{"as_tensor": {"name": ["x"]}}]),
    ],
)
def test_names_in_an_exported_program_are_texts(folder: Path, tmp_path: Path, key: str, value: Any) -> None:
    def change(program: Any) -> None:
        program["graph_module"]["graph"]["nodes"][0][key] = value

    path = changed(folder / "small.pt2", tmp_path / "a.pt2", changed_json(MODEL, change))
    with pytest.raises(ModelInvalidError, match="not as expected"), ModelFile.opened(path) as file:
        _ = file.facts


def test_text_in_an_exported_program_is_not_evaluated(folder: Path, tmp_path: Path) -> None:
    """`torch.export.load` does evaluate it: the same file touches the canary there."""
    canary = tmp_path / "ran"
    text = f"__import__('pathlib').Path({str(canary)!r}).touch() or 1"

    def change(program: Any) -> None:
        for meta in program["graph_module"]["graph"]["tensor_values"].values():
            meta["sizes"][0] = {"as_expr": {"expr_str": text, "hint": {"as_int": 1}}}

    def drop(records: dict[str, bytes]) -> None:
        changed_json(MODEL, change)(records)
        del records["data/sample_inputs/model.pt"]

    path = changed(folder / "small.pt2", tmp_path / "a.pt2", drop)
    network = load_network(path.read_bytes(), ".pt2", path.name, "cpu")
    with torch.inference_mode():
        [found] = network.call(torch.zeros(1, 3, 32, 32)).values()
    assert found.shape == (1, 5) and not canary.exists()


def test_of_a_traceback_the_last_words_are_shown() -> None:
    """TorchScript's interpreter says where it was, in a traceback of its own, and then what was wrong."""
    text = 'The following operation failed.\nTraceback:\n  File "a.py", line 1\nRuntimeError: sizes differ.\n'
    assert first_line(RuntimeError(text)) == "sizes differ"
    assert first_line(RuntimeError(text.replace("Runtime", "builtins.Value"))) == "sizes differ"
    assert first_line(RuntimeError("")) == "RuntimeError" and len(first_line(ValueError("x" * 999))) == 163


@pytest.mark.parametrize("release", ["2.8", "2.7"])
def test_a_program_of_an_older_pytorch_says_so(folder: Path, tmp_path: Path, release: str) -> None:
    """2.8 pickles the weights in the archive of today, 2.7 has another archive, without a folder."""
    path = tmp_path / "old.pt2"
    with zipfile.ZipFile(folder / "small.pt2") as today, zipfile.ZipFile(path, "w") as old:
        if release == "2.7":
            records = ("serialized_exported_program.json", "serialized_state_dict.pt", "version")
            for name in records:
                old.writestr(name, "8.7")
        else:
            for name in today.namelist():
                if "/weights/" not in name and "/constants/" not in name:
                    old.writestr(name, today.read(name))
            old.writestr("small/data/weights/model.pt", pickle.dumps({}))
    said = r"old\.pt2 can't be run: PyTorch 2\.8 or an older one wrote it, .*; export the network again"
    with pytest.raises(ModelUnsupportedError, match=said):
        load_session(path, gpu=None)


def test_a_damaged_archive_is_one_sentence(folder: Path, tmp_path: Path) -> None:
    whole = (folder / "small.pt2").read_bytes()
    generator = np.random.default_rng(5)
    for _ in range(40):
        data = bytearray(whole)
        for at in generator.integers(4, len(data), 60):
            data[at] = generator.integers(256)
        try:
            load_network(bytes(data), ".pt2", "a.pt2", "cpu")
        except (ModelInvalidError, ModelUnsupportedError) as error:
            assert "\n" not in str(error)
        else:
            continue
    with pytest.raises(ModelInvalidError, match="directory cannot be read"):
        Archive.open(whole[: len(whole) // 2], "a.pt2")


class Words(torch.nn.Module):
    """Words as numbers, with a mask of those that count."""

    def __init__(self) -> None:
        super().__init__()
        torch.manual_seed(5)
        self.words, self.last = torch.nn.Embedding(50, 8), torch.nn.Linear(8, 3)

    def forward(self, ids: torch.Tensor, mask: torch.Tensor, scale: torch.Tensor) -> torch.Tensor:
        found = self.words(ids.reshape(1, -1)).masked_fill(mask.unsqueeze(-1), 0.0)
        return self.last(found.sum(1)) * scale


class Row(torch.nn.Module):
    """A table whose rows are chosen."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("table", torch.arange(40.0).reshape(10, 4))

    def forward(self, at: torch.Tensor) -> torch.Tensor:
        return self.table[at].cumsum(-1)


def _scripted(net: torch.nn.Module, path: Path, given: tuple[torch.Tensor, ...], *, traced: bool) -> Path:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        made = torch.jit.trace(net, given) if traced else torch.jit.script(net)
        torch.jit.save(made, str(path))
    return path


@pytest.mark.parametrize("traced", [False, True])
def test_the_inputs_of_torchscript_are_of_the_numbers_that_it_takes(tmp_path: Path, *, traced: bool) -> None:
    ids, mask = torch.tensor([[3, 49, 0, 7]]), torch.tensor([[False, True, False, False]])
    given = (ids, mask, torch.tensor([2.0]))
    net = Words().eval()
    data = _scripted(net, tmp_path / "words.pt", given, traced=traced).read_bytes()
    network = load_network(data, ".pt", "words.pt", "cpu")
    assert network.dtypes == ("int64", "bool", "float32") and network.dtype == "float32"
    [found] = network.call(*given).values()
    np.testing.assert_allclose(found.detach(), net(*given).detach(), atol=1e-6)
    tried = trial.tried(data, ".pt", "words.pt", [(1, 4), (1, 4), (1,)])
    assert [info.dtype for info in tried.inputs] == ["int64", "bool", "float32"]


@pytest.mark.parametrize("traced", [False, True])
def test_torchscript_of_indices_runs_as_a_session(tmp_path: Path, *, traced: bool) -> None:
    path = _scripted(Row(), tmp_path / "row.pt", (torch.tensor([[1, 9, 4]]),), traced=traced)
    session = load_session(path, gpu=None, backend="torch", input_shapes={"at": (1, 3)}).session
    [info] = session.inputs
    assert (info.dtype, info.shape) == ("int64", (1, 3))
    at = np.array([[2, 0, 9]], np.int64)
    [found] = session.run({info.name: at}).values()
    expected = np.arange(40.0, dtype=np.float32).reshape(10, 4)[at].cumsum(-1)
    np.testing.assert_array_equal(found, expected)
    session.close()


@pytest.mark.parametrize("what", ["data", "method", "password"])
def test_a_record_that_cannot_be_unpacked_is_one_sentence(what: str) -> None:
    """Its compressed bytes are damaged, it is packed in a way that nobody knows, or it has a password."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("n/code", bytes(range(256)) * 50)
    data = bytearray(stream.getvalue())
    directory = data.index(b"PK\x01\x02")
    if what == "data":
        data[40:44] = b"\xff" * 4
    elif what == "method":
        data[8] = data[directory + 10] = 99
    else:
        data[6] |= 1
        data[directory + 8] |= 1
    with pytest.raises(ModelInvalidError, match="'code' is missing or damaged"):
        Archive.open(bytes(data), "a.pt").read("code")


def answering(text: str, status: int = 0) -> Callable[..., subprocess.Popen[bytes]]:
    """What starts a process that leaves an answer and ends with a status."""

    def start(arguments: list[str], *_: object) -> subprocess.Popen[bytes]:
        code = f"import os; open({arguments[2]!r}, 'w').write({text!r}); os._exit({status})"
        return subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE)

    return start


def test_a_refusal_is_kept_for_this_version_alone(folder: Path) -> None:
    data = (folder / "small.pt").read_bytes() + b"kept"
    refuses = answering(json.dumps({"refusal": "Not yet."}) + "\n")
    takes = answering(json.dumps({"inputs": [], "outputs": [], "ran": []}) + "\n")
    for start in (refuses, takes):  # the second is not asked
        with pytest.raises(ModelUnsupportedError, match="Not yet"):
            trial.tried(data, ".pt", "a.pt", start=start)
    assert trial.tried(data, ".pt", "a.pt", start=takes, program="newer") == trial.Tried()


@pytest.mark.parametrize(
    ("entry", "what"),
    [
        ({}, "PyTorch crashes on it"),
        ({"limit": "memory"}, "more memory than is free"),
        ({"limit": "time"}, "takes more than"),
    ],
)
def test_what_a_trial_dies_of_is_said_and_not_kept(folder: Path, entry, what: str) -> None:
    started = []

    lines = [{"step": "opening"}, {"step": "running"}, *([entry] if entry else [])]
    leave = answering("".join(json.dumps(line) + "\n" for line in lines), 3)

    def start(arguments, *more):
        started.append(arguments)
        return leave(arguments, *more)

    data = what.encode()
    for _ in range(2):
        with pytest.raises(ModelUnsupportedError, match=what):
            trial.tried(data, ".pt", "a.pt", start=start)
    assert len(started) == 2
