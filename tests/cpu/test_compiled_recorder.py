"""The compiled loop that records GPU commands: what it calls, when it is compiled, and when it is not used."""

from __future__ import annotations

import ctypes
import errno
import importlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from desktop.compute.gpu.native.compiled import (
    DISPATCH,
    SET_BIND_GROUP,
    SET_PIPELINE,
    Call,
    compiled_loop,
    load_loop,
)

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "packaging"))
recorder = importlib.import_module("recorder")

NEEDS_A_COMPILER = pytest.mark.skipif(
    recorder.find_compiler() is None,
    reason="this system has no C compiler that the loop is compiled with",
)


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    return recorder.compile_stale(folder=tmp_path_factory.mktemp("recorder"))


@NEEDS_A_COMPILER
def test_calls_are_made_in_order_with_their_arguments(library):
    made = []
    pointer, number = ctypes.c_void_p, ctypes.c_uint32
    set_pipeline = ctypes.CFUNCTYPE(None, pointer, pointer)(lambda *given: made.append(("pipeline", *given)))
    set_group = ctypes.CFUNCTYPE(None, pointer, number, pointer, ctypes.c_size_t, pointer)(
        lambda *given: made.append(("group", *given))
    )
    dispatch = ctypes.CFUNCTYPE(None, pointer, number, number, number)(
        lambda *given: made.append(("dispatch", *given))
    )
    calls = (Call * 5)(
        Call(11, SET_PIPELINE),
        Call(12, SET_BIND_GROUP, 0),
        Call((1 << 40) + 13, SET_BIND_GROUP, 1),
        Call(None, DISPATCH, 2, 3, 65535),
        Call(14, SET_PIPELINE),
    )
    functions = (pointer * 3)(
        *(ctypes.cast(each, pointer).value for each in (set_pipeline, set_group, dispatch))
    )
    load_loop(library)(99, ctypes.addressof(calls), 4, ctypes.addressof(functions))
    assert made == [
        ("pipeline", 99, 11),
        ("group", 99, 0, 12, 0, None),
        ("group", 99, 1, (1 << 40) + 13, 0, None),
        ("dispatch", 99, 2, 3, 65535),
    ]


@NEEDS_A_COMPILER
def test_the_checkout_has_it():
    """`tasks.py` compiles it before it runs tests: where there is a compiler, they are of the compiled loop."""
    assert compiled_loop() is not None, "run python3 packaging/recorder.py"


@NEEDS_A_COMPILER
def test_a_library_of_another_version_is_not_used(tmp_path):
    source = tmp_path / "record.c"
    text = recorder.SOURCE.read_text(encoding="utf-8")
    source.write_text(text.replace("#define VERSION 1", "#define VERSION 2"), encoding="utf-8")
    assert recorder.compile_stale(source) is None  # as it would not be used
    other = tmp_path / "record.so"
    subprocess.run(
        [recorder.find_compiler(), "-shared", "-fPIC", "-nostdlib", "-o", str(other), str(source)], check=True
    )
    assert ctypes.PyDLL(str(other)).lightloom_record_version() == 2 and load_loop(other) is None


def test_without_a_library_there_is_no_loop(tmp_path):
    damaged = tmp_path / "record.so"
    damaged.write_bytes(b"no library")
    assert load_loop(damaged) is None and load_loop(tmp_path / "missing.so") is None


@NEEDS_A_COMPILER
def test_it_is_compiled_again_only_if_its_source_is_newer(tmp_path):
    source = shutil.copy(recorder.SOURCE, tmp_path)
    target = recorder.compile_stale(Path(source))
    os.utime(target, (1, 1))
    os.utime(source, (0, 0))
    assert recorder.compile_stale(Path(source)).stat().st_mtime == 1
    os.utime(source, (2, 2))
    assert recorder.compile_stale(Path(source)).stat().st_mtime > 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["record.c", "record.so"]


@NEEDS_A_COMPILER
@pytest.mark.parametrize("size", [0, 63, 4200, 9000, -1])
def test_a_library_that_was_cut_is_not_loaded(library, tmp_path, size):
    """It would end the process."""
    (tmp_path / "record.so").write_bytes(library.read_bytes()[:size])
    assert load_loop(tmp_path / "record.so") is None


@NEEDS_A_COMPILER
@pytest.mark.parametrize("machine", [None, 183])
def test_a_library_that_cannot_be_loaded_is_compiled_again(library, tmp_path, machine):
    """Newer than its source: no library at all, and one of another processor."""
    source = Path(shutil.copy(recorder.SOURCE, tmp_path))
    data = bytearray(library.read_bytes())
    data[0x12:0x14] = (machine or 0).to_bytes(2, "little")
    (tmp_path / "record.so").write_bytes(data if machine else b"no library")
    os.utime(source, (0, 0))
    assert load_loop(recorder.compile_stale(source)) is not None


@NEEDS_A_COMPILER
def test_a_folder_that_cannot_be_written_to_is_reported(tmp_path, monkeypatch, capfd):
    def refuse(*_, **__):
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr(recorder.tempfile, "TemporaryDirectory", refuse)
    assert recorder.compile_stale(folder=tmp_path) is None
    assert "Read-only file system" in capfd.readouterr().err


def test_without_a_compiler_nothing_is_compiled(tmp_path, monkeypatch, capfd):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert recorder.compile_stale(folder=tmp_path) is None
    assert not list(tmp_path.iterdir()) and capfd.readouterr().err == ""


@NEEDS_A_COMPILER
@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("printf '\\377\\344' >&2; exit 1", "\ufffd\ufffd"),
        ("exit 3", "cc ended with status 3"),
        ("exit 0", "made no library that can be loaded"),
        ('while [ "$1" != -o ]; do shift; done; head -c 5000 /dev/urandom > "$2"', "made no library"),
    ],
)
def test_a_compiler_that_misbehaves(tmp_path, monkeypatch, capfd, script, said):
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "cc").write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    (tmp_path / "bin" / "cc").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}")
    assert recorder.compile_stale(folder=tmp_path) is None
    assert said in capfd.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["bin"]


@NEEDS_A_COMPILER
def test_a_compiler_that_fails_is_reported(tmp_path, capfd):
    source = tmp_path / "record.c"
    source.write_text("no C", encoding="utf-8")
    assert recorder.compile_stale(source) is None
    said = capfd.readouterr().err
    assert said.startswith("record.c was not compiled, so Python records GPU commands: ") and "error" in said
    assert [path.name for path in tmp_path.iterdir()] == ["record.c"]
