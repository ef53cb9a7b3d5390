"""Presets that carry what they need, and a preset in one file: there and back, and what a stranger may have
put into one.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
import shutil
import struct
import sys
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest
import tomli_w
import windows_marks

from desktop.base.errors import ExportError, PresetError
from desktop.pipeline.chain.spec import ChainSpec
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.layers.spec import Layers, LayerSpec
from desktop.pipeline.running.network_spec import NetworkSpec
from desktop.pipeline.setup import bundle as preset_bundle
from desktop.pipeline.setup.bundle import open_preset, save_bundle, unpack
from desktop.pipeline.setup.preset import load_preset, save_preset
from desktop.pipeline.setup.setup import Setup
from desktop.vision.models.settings import labels_path
from desktop.vision.models.sidecar import sidecar_path

SHADER = """/* lightloom
title = "Half red"
[[param]]
name = "amount"
default = 0.5
*/
fn main(p: vec2i) -> vec4f { let c = load(p); return vec4f(c.r * params.amount, c.gba); }
"""
CUBE = "LUT_3D_SIZE 2\n" + "\n".join(f"{r} {g} {b}" for b in (0, 1) for g in (0, 1) for r in (0, 1)) + "\n"


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A user's folders, and files that were dropped from somewhere else."""
    monkeypatch.setenv("LIGHTLOOM_PRESETS", str(tmp_path / "presets"))
    monkeypatch.setenv("LIGHTLOOM_MODELS", str(tmp_path / "models"))
    (tmp_path / "presets").mkdir()
    dropped = tmp_path / "downloads"
    dropped.mkdir()
    (dropped / "half_red.wgsl").write_text(SHADER, encoding="utf-8", newline="\n")
    (dropped / "my look.cube").write_text(CUBE, encoding="utf-8")
    (dropped / "net.onnx").write_bytes(b"no real network" * 50)
    (dropped / "net.onnx.lightloom.toml").write_text('task = "detection"\n', encoding="utf-8")
    return tmp_path


def setup_of(home: Path) -> tuple[Setup, FilterLibrary]:
    library = FilterLibrary(None)
    library.add(home / "downloads" / "half_red.wgsl")
    table = str(home / "downloads" / "my look.cube")
    chain = ChainSpec().added("half_red", {"amount": 0.25}).added("lut", {"table": table})
    chain = chain.with_mixing(2, opacity=0.5)
    return Setup(chain, NetworkSpec(str(home / "downloads" / "net.onnx"), every=3)), library


def forget(home: Path) -> FilterLibrary:
    """What was dropped is gone, and the program starts anew."""
    for path in (home / "downloads").iterdir():
        path.unlink()
    return FilterLibrary(None)


def check(loaded, library: FilterLibrary) -> None:
    for shader in loaded.shaders:
        library.add(shader)
    first, second = loaded.setup.chain.stages
    assert (first.filter, first.values["amount"]) == ("half_red", 0.25)
    assert library.get("half_red").text == SHADER
    assert Path(second.values["table"]).read_text(encoding="utf-8") == CUBE and second.opacity == 0.5


def test_a_preset_has_its_shader_and_table_after_a_restart(home):
    setup, library = setup_of(home)
    path = home / "presets" / "look.toml"
    save_preset(setup, library, path)
    save_preset(setup, library, path)
    carried = sorted(p.name for p in (home / "presets" / "look.files").iterdir())
    assert carried == ["half_red.wgsl", "my look.cube"]
    library = forget(home)
    loaded = load_preset(path, library)
    assert [w for w in loaded.warnings if "network's model" not in w] == []
    check(loaded, library)


def test_another_file_of_the_same_name_is_not_replaced(home):
    setup, library = setup_of(home)
    kept = home / "presets" / "look.files"
    kept.mkdir()
    (kept / "my look.cube").write_text("mine", encoding="utf-8")
    save_preset(setup, library, home / "presets" / "look.toml")
    assert (kept / "my look.cube").read_text(encoding="utf-8") == "mine"
    library = forget(home)
    check(load_preset(home / "presets" / "look.toml", library), library)


EDITED = SHADER.replace("c.gba", "c.bga")


def test_an_edited_shader_is_found_under_its_name(home):
    setup, library = setup_of(home)
    path = home / "presets" / "look.toml"
    save_preset(setup, library, path)
    own = home / "downloads" / "half_red.wgsl"
    own.write_text(EDITED, encoding="utf-8", newline="\n")
    library.add(own)
    save_preset(setup, library, path)
    library = forget(home)
    loaded = load_preset(path, library)
    assert loaded.has_all_filters and [w for w in loaded.warnings if "network's model" not in w] == []
    [shader] = loaded.shaders
    assert library.add(shader).id == "half_red" and library.get("half_red").text == EDITED
    # From there, too, and into one file.
    for again in (home / "presets" / "other.toml", path, home / "other.lightloom"):
        save = save_bundle if again.suffix == ".lightloom" else save_preset
        save(Setup(loaded.setup.chain), library, again)
        found = open_preset(again, FilterLibrary(None))
        assert found.has_all_filters and Path(found.shaders[0]).read_text(encoding="utf-8") == EDITED


def test_a_shader_is_saved_as_it_is_in_use(home):
    setup, library = setup_of(home)
    own = home / "downloads" / "half_red.wgsl"
    own.write_text("/* lightloom\nnothing yet", encoding="utf-8")
    assert library.add(own) is None
    save_preset(setup, library, home / "presets" / "look.toml")
    library = forget(home)
    check(load_preset(home / "presets" / "look.toml", library), library)


def test_a_copy_with_a_hash_in_its_name_is_found(home):
    setup, library = setup_of(home)
    path = home / "presets" / "look.toml"
    save_preset(setup, library, path)
    kept = home / "presets" / "look.files"
    (kept / "half_red.wgsl").rename(kept / "half_red-d67458b4.wgsl")
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("half_red.wgsl", "half_red-d67458b4.wgsl"), encoding="utf-8")
    library = forget(home)
    loaded = load_preset(path, library)
    assert loaded.has_all_filters
    check(loaded, library)


def test_a_preset_says_whether_all_its_filters_are_there(home):
    setup, library = setup_of(home)
    path = home / "presets" / "look.toml"
    save_preset(setup, library, path)
    library = forget(home)
    (home / "presets" / "look.files" / "half_red.wgsl").unlink()
    loaded = load_preset(path, library)
    assert not loaded.has_all_filters and [stage.filter for stage in loaded.setup.chain.stages] == ["lut"]
    assert any("half_red" in warning for warning in loaded.warnings)


def test_one_file_has_everything_on_another_machine(home):
    setup, library = setup_of(home)
    path = home / "given.lightloom"
    save_bundle(setup, library, path)
    library = forget(home)
    loaded = open_preset(path, library)
    assert loaded.warnings == ()
    check(loaded, library)
    network = loaded.setup.network
    assert network is not None and network.every == 3
    model = Path(network.model)
    assert model.read_bytes() == b"no real network" * 50
    assert model.with_name("net.onnx.lightloom.toml").read_text(encoding="utf-8") == 'task = "detection"\n'
    # All of it lies in one folder of its own, and a second time nothing is written.
    folder = model.parents[1]
    assert folder.parent == home / "presets" / "imported"
    stamps = {p: p.stat().st_mtime_ns for p in folder.rglob("*")}
    assert open_preset(path, library).setup.network == network
    assert {p: p.stat().st_mtime_ns for p in folder.rglob("*")} == stamps


def test_it_is_a_zip_with_the_layout_that_is_written_down(home):
    setup, library = setup_of(home)
    save_bundle(setup, library, home / "given.lightloom")
    with zipfile.ZipFile(home / "given.lightloom") as archive:
        assert archive.namelist()[:2] == ["contents.toml", "preset.toml"]
        assert set(archive.namelist()[2:]) == {
            *("files/half_red.wgsl", "files/my look.cube", "files/net.onnx", "files/net.onnx.lightloom.toml"),
        }
        assert str(home) not in archive.read("preset.toml").decode()


def test_a_network_that_is_too_large_is_named_with_its_checksum(home):
    setup, library = setup_of(home)
    save_bundle(setup, library, home / "given.lightloom", most_network=100)
    loaded = open_preset(home / "given.lightloom", forget(home))
    said = " ".join(loaded.warnings)
    assert "'net.onnx' was too large" in said and "SHA-256" in said


def test_what_could_not_be_opened_again_is_not_written(home, monkeypatch):
    """An animated logo, labels of more than a megabyte, four networks of 256 MiB."""
    setup, library = setup_of(home)
    path, network = home / "given.lightloom", home / "downloads" / "net.onnx"
    save_bundle(setup, library, path)
    before = path.read_bytes()
    logo = home / "downloads" / "logo.gif"
    logo.write_bytes(b"GIF89a")
    layered = replace(setup, layers=Layers((LayerSpec(1, "image", {"path": str(logo)}),)))
    with pytest.raises(ExportError, match=r"logo\.gif, and a \.lightloom file cannot hold files of its kind"):
        save_bundle(layered, library, path)
    labels_path(network).write_bytes(b"x\n" * (600 << 10))
    with pytest.raises(ExportError, match=r"labels\.txt, which has 1\.2 MiB, more than the 1 MiB that"):
        save_bundle(setup, library, path)
    labels_path(network).unlink()
    monkeypatch.setattr(preset_bundle, "_MAX_TOTAL", 3 << 20)
    with network.open("r+b") as file:
        file.truncate(2 << 20)
    with pytest.raises(ExportError, match="and at most 126 files and 3 MiB can be opened"):
        save_bundle(setup, library, path)
    assert path.read_bytes() == before and [each.name for each in home.glob("given*")] == [path.name]


def test_a_filter_of_the_user_is_not_replaced(home):
    setup, library = setup_of(home)
    save_bundle(setup, library, home / "given.lightloom")
    library = forget(home)
    mine = home / "half_red.wgsl"
    mine.write_text(SHADER.replace("c.gba", "c.rba"), encoding="utf-8", newline="\n")
    library.add(mine)
    loaded = open_preset(home / "given.lightloom", library)
    assert loaded.shaders == () and "another filter called 'half_red'" in loaded.warnings[0]


def test_what_is_needed_and_gone_is_named(home):
    setup, library = setup_of(home)
    (home / "downloads" / "my look.cube").unlink()
    with pytest.raises(ExportError, match=r"my look\.cube, which cannot be read"):
        save_bundle(setup, library, home / "given.lightloom")
    assert not list(home.glob("given*"))


def zipped(entries: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, data in entries.items():
            archive.writestr(name, data)
    return out.getvalue()


GOOD = {"contents.toml": b"lightloom_bundle = 1\n", "preset.toml": b"lightloom = 1\n"}


def with_contents(document: dict, files: dict[str, bytes] | None = None) -> bytes:
    return zipped(
        {"contents.toml": tomli_w.dumps(document).encode(), "preset.toml": b"lightloom = 1\n"} | (files or {})
    )


def entry(name: str, data: bytes) -> dict:
    return {"name": name, "kind": "lut", "bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}


def declared_smaller(data: bytes) -> bytes:
    """The directory says 10 bytes of what has 300,000."""
    at = data.rfind(b"PK\1\2")
    return data[: at + 24] + struct.pack("<I", 10) + data[at + 28 :]


def said_to_be_few(data: bytes) -> bytes:
    """The end record says that two files are in it."""
    at = data.rfind(b"PK\5\6")
    return data[: at + 8] + struct.pack("<HH", 2, 2) + data[at + 12 :]


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "damaged"),
        (b"lightloom = 1\n", "damaged"),
        (zipped(GOOD)[:-30], "damaged"),
        (zipped({"preset.toml": b"lightloom = 1\n"}), "contents.toml is missing"),
        (zipped(GOOD | {"../escaped.wgsl": b"x"}), "no look has"),
        (zipped(GOOD | {"/tmp/escaped.wgsl": b"x"}), "no look has"),
        (zipped(GOOD | {"files/../../escaped.wgsl": b"x"}), "no look has"),
        (zipped(GOOD | {"files/a\\..\\escaped.wgsl": b"x"}), "no look has"),
        (zipped(GOOD | {"files/deep/escaped.wgsl": b"x"}), "no look has"),
        (zipped(GOOD | {"files/.hidden.wgsl": b"x"}), "no look has"),
        (zipped(GOOD | {"files/nul.wgsl": b"x"}), "no look has"),
        (zipped(GOOD | {"files/run.exe": b"x"}), "no look has"),
        (zipped(GOOD | {"files/a.wgsl": b"x", "files/A.wgsl": b"y"}), "there twice"),
        (zipped(GOOD | {"files/large.wgsl": bytes(2 << 20)}), "1 at most"),
        (zipped(GOOD | {f"files/{n}.wgsl": b"x" for n in range(200)}), "more than 128 files"),
        (said_to_be_few(zipped(GOOD | {f"files/{n}.wgsl": b"x" for n in range(200)})), "more than 128 files"),
        (zipped(GOOD, zipfile.ZIP_LZMA), "packed in a way"),
        (zipped(GOOD, zipfile.ZIP_BZIP2), "packed in a way"),
        (with_contents({}), "does not say 'lightloom_bundle = 1'"),
        (with_contents({"lightloom_bundle": "1"}), "does not say 'lightloom_bundle = 1'"),
        (with_contents({"lightloom_bundle": 2}), "newer Lightloom"),
        (zipped(GOOD | {"contents.toml": b"lightloom_bundle = "}), "cannot be read"),
        # tomllib takes 9 GB for this one.
        (zipped(GOOD | {"contents.toml": b"a" + b".a" * 100_000 + b" = 1\n"}), "cannot be read"),
        (with_contents({"lightloom_bundle": 1}, {"files/a.cube": b"x"}), "not what its list of files says"),
        (
            with_contents({"lightloom_bundle": 1, "file": [entry("files/a.cube", b"x")]}),
            "not what its list of files says",
        ),
        (
            with_contents(
                {"lightloom_bundle": 1, "file": [entry("files/a.cube", b"x")]}, {"files/a.cube": b"y"}
            ),
            "not what its list of files says",
        ),
        (
            with_contents(
                {"lightloom_bundle": 1, "file": [{"name": "files/a.cube", "sha256": 5}]},
                {"files/a.cube": b"y"},
            ),
            "not what its list of files says",
        ),
        (declared_smaller(zipped(GOOD | {"files/bomb.wgsl": bytes(300_000)})), "damaged"),
    ],
)
def test_what_a_stranger_made_is_refused_and_leaves_nothing(home, data, words):
    path = home / "strange.lightloom"
    path.write_bytes(data)
    before = sorted(home.rglob("*"))
    with pytest.raises(PresetError, match=words):
        unpack(path, home / "presets" / "imported")
    left = [p for p in sorted(home.rglob("*")) if p not in before and p != home / "presets" / "imported"]
    assert left == []


def test_a_broken_stream_is_damage(home):
    data = bytearray(zipped(GOOD | {"files/a.cube": CUBE.encode() * 50}))
    at = data.find(b"files/a.cube") + 20
    data[at : at + 8] = b"\xff" * 8
    path = home / "strange.lightloom"
    path.write_bytes(bytes(data))
    with pytest.raises(PresetError, match="damaged"):
        unpack(path, home / "presets" / "imported")


@pytest.mark.parametrize(
    "name",
    (
        "{home}/downloads/net.onnx",
        "../../../downloads/net.onnx",
        r"..\..\net.onnx",
        "/etc/passwd",
        "net.onnx",
    ),
)
def test_a_preset_in_one_file_opens_no_network_outside_itself(home, monkeypatch, name):
    """Not the one that it names, nor one of that name in the folder that the program was started in."""
    monkeypatch.chdir(home / "downloads")
    named = name.format(home=home)
    preset = f"lightloom = 1\n[[filter]]\nname = \"style\"\nvalues = {{ model = '{named}' }}\n"
    path = home / "strange.lightloom"
    path.write_bytes(zipped(GOOD | {"preset.toml": preset.encode()}))
    loaded = open_preset(path, FilterLibrary(None))
    (folder,) = home.glob("presets/imported/*")
    model = Path(loaded.setup.chain.stages[0].values["model"])
    assert model.parent == folder and not model.exists()
    assert "was left out" in loaded.warnings[0]


def test_a_preset_in_one_file_reads_nothing_beside_itself(home):
    outside = home / "downloads" / "my look.cube"
    for name in (str(outside), "../../../downloads/my look.cube"):
        preset = f"lightloom = 1\n[[filter]]\nname = \"lut\"\nvalues = {{ table = '{name}' }}\n"
        path = home / "strange.lightloom"
        path.write_bytes(zipped(GOOD | {"preset.toml": preset.encode()}))
        loaded = open_preset(path, FilterLibrary(None))
        assert loaded.setup.chain.stages[0].values["table"] == ""
        assert "was left out" in loaded.warnings[0]
        # Nor when what was unpacked is opened again, from the menu.
        (again,) = home.glob("presets/imported/*/preset.toml")
        assert open_preset(again, FilterLibrary(None)).setup == loaded.setup
        # By a relative path either, from the folder that it is in.
        with contextlib.chdir(again.parent):
            assert open_preset(Path(again.name), FilterLibrary(None)).setup == loaded.setup
        shutil.rmtree(again.parent)


def test_two_networks_of_one_name_keep_their_own_labels(home):
    """`net.onnx` and `net.tflite` look for their labels under one name, so one of them is called otherwise in
    the file.
    """
    folders = [home / "a", home / "b"]
    for folder, suffix in zip(folders, ("onnx", "tflite"), strict=True):
        folder.mkdir()
        (folder / f"net.{suffix}").write_bytes(suffix.encode() * 50)
        (folder / "net.labels.txt").write_text(f"label of {suffix}\n", encoding="utf-8")
    first, second = (str(next(folder.glob("net.[ot]*"))) for folder in folders)
    setup = Setup(network=NetworkSpec(first, second=NetworkSpec(second)))
    save_bundle(setup, FilterLibrary(None), home / "two.lightloom")
    found = open_preset(home / "two.lightloom", FilterLibrary(None)).setup.network
    for model in (found.model, found.second.model):
        suffix = Path(model).suffix[1:]
        assert Path(model).read_bytes() == suffix.encode() * 50
        assert labels_path(Path(model)).read_text("utf-8") == f"label of {suffix}\n"


@pytest.mark.parametrize("length", [80, 95, 120])
def test_what_stands_beside_a_network_of_a_long_name_is_found(home, length):
    model = home / "downloads" / f"{'n' * length}.onnx"
    model.write_bytes(b"a network")
    sidecar_path(model).write_text('task = "detection"\n', encoding="utf-8")
    save_bundle(Setup(network=NetworkSpec(str(model))), FilterLibrary(None), home / "long.lightloom")
    found = Path(open_preset(home / "long.lightloom", FilterLibrary(None)).setup.network.model)
    assert found.read_bytes() == b"a network" and sidecar_path(found).is_file()


@pytest.mark.parametrize("change", [b"another network", b"", b"longer than before " * 99])
def test_a_file_that_changes_while_a_preset_is_written_ends_it(home, monkeypatch, change):
    """Its checksum is in the file by then: nobody could open that."""
    setup, library = setup_of(home)
    whole = zipfile.ZipFile.writestr

    def writestr(self, name, data):
        (home / "downloads" / "net.onnx").write_bytes(change)
        whole(self, name, data)

    monkeypatch.setattr(zipfile.ZipFile, "writestr", writestr)
    with pytest.raises(ExportError, match=r"net\.onnx was changed while"):
        save_bundle(setup, library, home / "look.lightloom")
    assert not list(home.glob("look*"))


def test_files_from_before_1980_go_into_a_preset(home):
    """Package stores (Nix, OSTree) date all their files to 1970, which a ZIP cannot."""
    setup, library = setup_of(home)
    for path in (home / "downloads").iterdir():
        os.utime(path, (1, 1))
    save_bundle(setup, library, home / "old.lightloom")
    assert zipfile.ZipFile(home / "old.lightloom").testzip() is None


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such files")
def test_one_that_two_processes_unpack_at_once_is_unpacked(home, monkeypatch):
    """As two commands of one script begin: the other one is done between the look for the folder and the last
    step.
    """
    setup, library = setup_of(home)
    save_bundle(setup, library, home / "look.lightloom")
    chunks = preset_bundle._chunks
    others: list[Path] = []

    def overtaken(*arguments):
        if not others:
            others.append(Path())
            others[0] = unpack(home / "look.lightloom", home / "imported")
        return chunks(*arguments)

    monkeypatch.setattr(preset_bundle, "_chunks", overtaken)
    # One of another process has a number of its own in its name.
    numbers = iter((1, 2))
    monkeypatch.setattr(preset_bundle.os, "getpid", lambda: next(numbers))
    assert unpack(home / "look.lightloom", home / "imported") == others[0]
    assert others[0].is_file() and len(list((home / "imported").iterdir())) == 1


def test_where_nothing_can_be_unpacked_the_folder_is_named(home):
    setup, library = setup_of(home)
    save_bundle(setup, library, home / "look.lightloom")
    (home / "imported").write_text("in the way", encoding="utf-8")
    with pytest.raises(PresetError, match=r"look\.lightloom cannot be unpacked into .*imported: ") as told:
        unpack(home / "look.lightloom", home / "imported")
    assert "name" not in str(told.value)


@windows_marks.links
def test_a_device_is_no_preset(home):
    path = home / "zero.lightloom"
    path.symlink_to("/dev/zero")
    with pytest.raises(PresetError, match="it is not a file"):
        open_preset(path, FilterLibrary(None))
