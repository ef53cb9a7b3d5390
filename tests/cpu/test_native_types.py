"""wgpu's types from the tables are those that cffi reads in the header; without tables the header is read."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from desktop.base.webgpu import chosen

pytestmark = pytest.mark.skipif(
    chosen().name == "dawn", reason="of wgpu-native's insides; this process has Dawn"
)


def _printed(code: str, folder: Path) -> str:
    """What a fresh process prints that has prepared the types with `folder`; wgpu loads its library once a
    process.
    """
    begin = f"""
import sys
from pathlib import Path
from desktop.compute.gpu.wgpu_native import types as native_types
native_types.prepare(Path({str(folder)!r}))
from wgpu.backends.wgpu_native._ffi import ffi, lib, get_wgpu_header
"""
    done = subprocess.run([sys.executable, "-c", begin + code], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_types_are_those_of_the_header(tmp_path):
    """Size, alignment and every field's place of every type; every function's signature; every constant."""
    code = """
import cffi
parsed = cffi.FFI()
parsed.cdef(get_wgpu_header())
theirs = parsed.dlopen(str(__import__("wgpu").backends.wgpu_native._ffi.lib_path))

def plain(kind):
    # The tables say `struct` and `enum` where the header's typedef goes without.
    return kind.cname.replace("struct ", "").replace("enum ", "")

def described(ffi, name):
    kind = ffi.typeof(name)
    places = [(field, place.offset, plain(place.type)) for field, place in kind.fields or ()] if kind.kind == "struct" else []
    values = sorted(kind.elements.items()) if kind.kind == "enum" else []
    opaque = kind.kind == "void" or (kind.kind == "struct" and kind.fields is None)
    return kind.kind, plain(kind), () if opaque else (ffi.sizeof(kind), ffi.alignof(kind)), places, values

names = parsed.list_types()[0]
assert len(names) > 400 and names == ffi.list_types()[0], names
assert [name for name in names if described(ffi, name) != described(parsed, name)] == []
assert sorted(dir(lib)) == sorted(dir(theirs)) and len(dir(lib)) > 200

def found(library, name):
    try:
        return getattr(library, name)
    except (AttributeError, NotImplementedError, ffi.error):  # constants of the header that no library has
        return None

for name in dir(lib):
    ours, other = found(lib, name), found(theirs, name)
    if other is None or isinstance(other, int):
        assert ours == other, name
    else:
        assert plain(ffi.typeof(ours)) == plain(parsed.typeof(other)), name
print(len(names))
"""
    assert int(_printed(code, tmp_path)) > 400


def _frame_and_network(folder: Path) -> str:
    code = f"""
import numpy as np, onnx
from onnx import helper
from desktop.compute.gpu.device import Gpu
from desktop.compute.nn.runtime.session import WgpuSession
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.pipeline import Pipeline
from desktop.media.sources.sample import SampleSource
gpu = Gpu.open()
pipeline = Pipeline(gpu, FilterLibrary(None), wait=True)
pipeline.render(next(iter(SampleSource((160, 120)).frames())))
pipeline.drain()
x = helper.make_tensor_value_info("x", 1, [1, 4, 8, 8])
y = helper.make_tensor_value_info("y", 1, [1, 4, 1, 1])
graph = helper.make_graph([helper.make_node("GlobalAveragePool", ["x"], ["y"])], "g", [x], [y])
path = {str(folder / "m.onnx")!r}
onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)]), path)
got = WgpuSession.load(gpu, path).run({{"x": np.full((1, 4, 8, 8), 3, np.float32)}})
print(got["y"].ravel().tolist(), "pycparser" in sys.modules)
"""
    return _printed(code, folder / "types")


def test_second_start_parses_nothing(tmp_path):
    assert _frame_and_network(tmp_path) == "[3.0, 3.0, 3.0, 3.0] True"
    assert len(list((tmp_path / "types").iterdir())) == 1
    assert _frame_and_network(tmp_path) == "[3.0, 3.0, 3.0, 3.0] False"


def test_another_wgpu_is_imported_as_it_is(tmp_path):
    code = f"""
import sys
from pathlib import Path
import cffi, wgpu
from desktop.compute.gpu.wgpu_native import types
wgpu.__version__ = "0.99.0"
types.prepare(Path({str(tmp_path / "types")!r}))
from wgpu.backends.wgpu_native._ffi import ffi
print(type(ffi) is cffi.FFI, "pycparser" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["True", "True"] and not (tmp_path / "types").exists()


@pytest.mark.parametrize("keep", [0, 40, 5000])
def test_damaged_tables_are_made_anew(tmp_path, keep):
    folder = tmp_path / "types"
    _printed("", folder)
    [file] = folder.iterdir()
    whole = file.read_bytes()
    file.write_bytes(whole[:keep])
    assert _printed("print(ffi.sizeof('WGPULimits') > 0, 'pycparser' in sys.modules)", folder) == "True True"
    assert file.read_bytes() == whole


def test_folder_that_cannot_be_written_costs_only_time(tmp_path):
    (tmp_path / "types").write_text("a file where the folder would be")
    assert _frame_and_network(tmp_path) == "[3.0, 3.0, 3.0, 3.0] True"
