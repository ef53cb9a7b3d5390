"""The catalogue, the folder of downloads, and what is written beside a network."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import onnx
import pytest
from library_server import FileServer, entry_of, stall_after
from onnx import TensorProto, helper

from desktop.base.errors import LibraryError, ModelUnsupportedError, UsageError
from desktop.pipeline.running.inputs.input_facts import read_input_facts, save_input, unclear_input
from desktop.vision.models.builtin import read_statement
from desktop.vision.models.labels import choose_labels
from desktop.vision.models.library.access import Access
from desktop.vision.models.library.catalogue import read_catalogue
from desktop.vision.models.library.checksum import sha256_of
from desktop.vision.models.library.store import Holding, ModelStore, format_size
from desktop.vision.models.model_file import ModelFile
from desktop.vision.models.preprocess import IMAGENET_MEAN, choose_preprocess
from desktop.vision.models.settings import read_settings, write_settings
from desktop.vision.tasks import stated_task

ENTRY = """
[[network]]
id = "net"
title = "The net"
task = "mask"
bytes = 3
sha256 = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
licence = "MIT"
source = "https://example.invalid"
addresses = ["https://example.invalid/net.onnx"]
"""


def classifier(path: Path, size: object = 224, classes: int = 10, **metadata: str) -> Path:
    """A global average and a fully connected layer: a classifier about whose input nothing is said."""
    nodes = [
        helper.make_node("GlobalAveragePool", ["x"], ["mean"]),
        helper.make_node("Flatten", ["mean"], ["flat"]),
        helper.make_node("Gemm", ["flat", "w"], ["y"], transB=1),
    ]
    weights = [helper.make_tensor("w", TensorProto.FLOAT, (classes, 3), [0.1] * 3 * classes)]
    graph = helper.make_graph(
        nodes,
        "mean",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, (1, 3, size, size))],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, (1, classes))],
        weights,
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    helper.set_model_props(model, metadata)
    onnx.save(model, str(path))
    return path


# -- the catalogue -------------------------------------------------------------------------------------------


def test_own_catalogue():
    catalogue = read_catalogue()
    assert len(catalogue) >= 10
    assert {entry.task for entry in catalogue.values()} == {
        "classification",
        "detection",
        "image",
        "mask",
        "depth",
    }
    for entry in catalogue.values():
        assert all(address.startswith("https://") for address in entry.addresses)
        assert entry.file_name == f"{entry.id}.onnx"


def test_own_catalogue_is_what_the_manifest_says(shared):
    """Size, checksum and origin of each entry, against the list of files that were looked at."""
    manifest = {item["sha256"]: item for item in json.loads((shared / "manifest.json").read_text())}
    for entry in read_catalogue().values():
        item = manifest[entry.sha256]
        assert item["bytes"] == entry.size == (shared / item["file"]).stat().st_size
        assert sha256_of(shared / item["file"]) == entry.sha256
        repository, path = item["from"].split(":", 1)
        assert entry.source == f"https://github.com/{repository}"
        assert entry.addresses[0].replace("%20", " ").endswith(path)


def test_own_catalogues_inputs_fit_the_files(shared, tmp_path):
    """What the catalogue says of each input is accepted by those who read it, and is what the file has."""
    manifest = {item["sha256"]: item for item in json.loads((shared / "manifest.json").read_text())}
    catalogue = read_catalogue()
    store = ModelStore(tmp_path, catalogue)
    for entry in catalogue.values():
        (tmp_path / entry.file_name).write_bytes((shared / manifest[entry.sha256]["file"]).read_bytes())
        path = store.finish(entry)
        found = read_input_facts(path)
        assert found.task == entry.task, entry.id
        assert not found.unclear
        assert found.plan.layout == entry.layout
        # A network that gives a picture back is planned on a picture's size where its own is free.
        if entry.width:
            assert (found.plan.width, found.plan.height) == (entry.width, entry.height), entry.id
        stated = entry.settings["preprocess"]
        for name in ("colors", "scale"):
            assert getattr(found.plan, name) == stated.get(name, getattr(found.plan, name)), entry.id
        for name in ("mean", "std"):
            assert list(getattr(found.plan, name)) == stated[name], entry.id
        if entry.labels:
            assert choose_labels(len(entry.labels), model=path).names == entry.labels


def test_entry_is_read(tmp_path):
    path = tmp_path / "c.toml"
    path.write_text(
        ENTRY
        + 'labels = ["a", "b"]\nwidth = 8\nheight = 4\n[network.preprocess]\ncolors = "BGR"\nscale = "0..255"\n'
    )
    entry = read_catalogue(path)["net"]
    assert entry.settings == {"preprocess": {"colors": "BGR", "scale": "0..255"}}
    assert entry.labels == ("a", "b")
    assert entry.input_text == "8x4 BGR, 0..255, NCHW"


@pytest.mark.parametrize(
    ("change", "word"),
    [
        (lambda t: t.replace('"net"', '"../../etc/x"'), "'id'"),
        (lambda t: t.replace('"net"', '"Net.onnx"'), "'id'"),
        (lambda t: t.replace('"net"', '"con"'), "device"),
        (lambda t: t.replace('"net"', '"com1"'), "device"),
        (lambda t: t.replace("bytes = 3", "bytes = -3"), "'bytes'"),
        (lambda t: t.replace("bytes = 3", "bytes = 99999999999"), "'bytes'"),
        (lambda t: t.replace("bytes = 3", "bytes = true"), "'bytes'"),
        (lambda t: t.replace("ba7816", "BA7816"), "'sha256'"),
        (lambda t: t.replace('"mask"', '"poetry"'), "'task'"),
        (lambda t: t.replace('["https', '["http'), "https"),
        (lambda t: t.replace('["https://example.invalid', '["file://'), "https"),
        (lambda t: t.replace('["https://example.invalid/net', '["https://a b/net'), "https"),
        (lambda t: t.replace('["https://example.invalid/net', '["https://a\\r\\nHost: b/net'), "addresses"),
        (lambda t: t.replace('["https://example.invalid/net.onnx"]', "[]"), "'addresses'"),
        (lambda t: t.replace('"The net"', '"The\\u0007net"'), "control"),
        (lambda t: t.replace('"The net"', '""'), "'title'"),
        (lambda t: t + "surprise = 1\n", "'surprise'"),
        (lambda t: t + "[network.preprocess]\nshape = 3\n", "'shape'"),
        (lambda t: t + '[network.preprocess]\ncolors = "RYB"\n', "'colors'"),
        (lambda t: t + "[network.output]\nscale = { a = 1 }\n", "'output'"),
        (lambda t: t + ENTRY, "two networks"),
        (lambda t: t.replace("[[network]]", "[network]"), "[[network]]"),
        (lambda t: 'network = ["a"]', "[[network]]"),
        (lambda t: "network = ", "not TOML"),
        (lambda t: "x = " + "[" * 5000, "not TOML"),
    ],
)
def test_wrong_catalogue_is_one_sentence(tmp_path, change, word):
    path = tmp_path / "c.toml"
    path.write_text(change(ENTRY))
    with pytest.raises(LibraryError) as caught:
        read_catalogue(path)
    text = str(caught.value)
    assert word in text and text.startswith("The catalogue ") and text.endswith(".")


def test_catalogue_that_cannot_be_read(tmp_path):
    for path in (tmp_path / "none.toml", tmp_path):
        with pytest.raises(LibraryError, match="cannot be read"):
            read_catalogue(path)
    (tmp_path / "large.toml").write_bytes(b"#" * (2 << 20))
    with pytest.raises(LibraryError, match="larger than 1 MiB"):
        read_catalogue(tmp_path / "large.toml")


# -- the folder ----------------------------------------------------------------------------------------------


def test_a_networks_life(tmp_path):
    data = b"abc" * 5000
    entry = entry_of(data, settings={"preprocess": {"colors": "BGR"}}, labels=("a", "b"))
    store = ModelStore(tmp_path / "models", {"net": entry})
    assert store.holding(entry) == Holding("missing")
    with pytest.raises(LibraryError, match="lightloom models get net"):
        store.verify(entry)
    server = FileServer(data)
    server.script(stall_after(6000))
    try:
        job = store.download(entry, Access(mirror=server.address, stall_s=0.3, attempts=1))
        with pytest.raises(LibraryError):
            job.run()
        assert store.holding(entry) == Holding("partial", 6000)
        assert store.download(entry, Access(mirror=server.address)).run()
    finally:
        server.close()
    path = store.finish(entry)
    assert store.holding(entry) == Holding("ready", len(data))
    store.verify(entry)
    assert tomllib.loads((tmp_path / "models" / "net.onnx.lightloom.toml").read_text()) == entry.settings
    assert choose_labels(2, model=path).names == ("a", "b")
    # What the user says later stays.
    write_settings(path, {"preprocess": {"colors": "RGB"}})
    store.finish(entry)
    assert read_settings(path)["preprocess"] == {"colors": "RGB"}
    path.write_bytes(b"xyz" * 5000)
    with pytest.raises(LibraryError, match="not the file that the catalogue names"):
        store.verify(entry)
    path.write_bytes(b"x")
    assert store.holding(entry) == Holding("damaged", 1)
    store.remove(entry)
    assert list((tmp_path / "models").iterdir()) == []
    store.remove(entry)


def test_unknown_name(tmp_path):
    with pytest.raises(LibraryError, match="no network 'nothing'"):
        ModelStore(tmp_path, {}).find("nothing")


@pytest.mark.parametrize(
    ("size", "text"), [(0, "0 B"), (999, "999 B"), (1000, "1.0 KB"), (13_970_437, "14.0 MB"), (5e9, "5.0 GB")]
)
def test_sizes(size, text):
    assert format_size(size) == text


# -- what is known of an input -------------------------------------------------------------------------------


def test_what_nothing_states_is_asked_for(tmp_path):
    found = unclear_input(classifier(tmp_path / "net.onnx"))
    assert found is not None and found.unclear == {"range"}
    assert (found.task, found.classes, found.free) == ("classification", 10, False)
    assert found.tensor == "x: float32 1 × 3 × 224 × 224, NCHW"
    assert found.plan.mean == IMAGENET_MEAN


def test_what_the_file_states_is_not_asked_for(tmp_path):
    path = classifier(tmp_path / "net.onnx", **{"Image.NominalPixelRange": "NominalRange_0_255"})
    assert unclear_input(path) is None
    assert read_input_facts(path).plan.scale == "0..255"


def test_free_size_is_asked_for(tmp_path):
    path = classifier(tmp_path / "net.onnx", "s", **{"Image.NominalPixelRange": "Normalized_0_1"})
    found = unclear_input(path)
    assert found is not None and found.unclear == {"size"} and found.free


def test_files_that_cannot_be_asked_about(tmp_path):
    (tmp_path / "broken.onnx").write_bytes(b"\x08\x07nonsense")
    assert unclear_input(tmp_path / "broken.onnx") is None
    assert unclear_input(tmp_path / "none.onnx") is None
    graph = helper.make_graph(
        [helper.make_node("Relu", ["x"], ["y"])],
        "vector",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, (1, 7))],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, (1, 7))],
    )
    onnx.save(
        helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8),
        str(tmp_path / "v.onnx"),
    )
    with pytest.raises(ModelUnsupportedError):
        read_input_facts(tmp_path / "v.onnx")


def test_what_the_user_says_is_kept_and_read(tmp_path):
    path = classifier(tmp_path / "net.onnx", "s", classes=3)
    names = tmp_path / "elsewhere.txt"
    names.write_text("red\ngreen\nblue\n")
    write_settings(path, {"output": {"name": "y"}, "preprocess": {"crop": 0.5}})
    values = {
        "colors": "BGR",
        "scale": "0..255",
        "mean": [1.0, 2.0, 3.0],
        "std": [4, 5, 6],
        "width": 96,
        "height": 64,
    }
    save_input(read_input_facts(path), {**values, "layout": "NHWC"}, "detection", names)
    assert read_settings(path) == {
        "output": {"name": "y"},
        "task": "detection",
        "preprocess": {"crop": 0.5, **values},
    }
    assert stated_task(path).id == "detection"
    found = read_input_facts(path)
    assert found.task == "detection" and not found.unclear
    assert choose_labels(3, model=path).names == ("red", "green", "blue")
    # The other readers of the file take it as it is.
    assert read_statement(path).output_name == "y"
    plan, _ = choose_preprocess(path, ModelFile.open(path).facts)
    assert (plan.width, plan.height, plan.colors, plan.mean, plan.std) == (
        96,
        64,
        "BGR",
        (1, 2, 3),
        (4, 5, 6),
    )


def test_what_does_not_fit_is_not_kept(tmp_path):
    path = classifier(tmp_path / "net.onnx")
    found = read_input_facts(path)
    names = tmp_path / "two.txt"
    names.write_text("a\nb\n")
    with pytest.raises(UsageError, match=r"two\.txt has 2 names and the network tells 10 classes apart"):
        save_input(found, {}, "classification", names)
    for values in ({"mean": [1.0]}, {"std": [0.0, 1.0, 1.0]}, {"scale": "0..7"}):
        with pytest.raises(UsageError):
            save_input(found, values, "classification", None)
    assert read_settings(path) == {}


def test_task_that_nobody_knows_is_not_taken(tmp_path):
    path = classifier(tmp_path / "net.onnx")
    write_settings(path, {"task": "poetry"})
    assert stated_task(path) is None
    assert read_input_facts(path).task == "classification"


def test_folder_that_cannot_be_written(tmp_path):
    with pytest.raises(LibraryError, match="copy the network to a folder of your own"):
        write_settings(tmp_path / "nowhere" / "net.onnx", {"task": "mask"})
