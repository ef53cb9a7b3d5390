"""Has Dawn's shader compiler, Tint, read every shader of `shaders/`, on the adapter that does nothing; prints
what it refuses, as JSON.

    WGPU_BACKEND_TYPE=Null LIGHTLOOM_WEBGPU=dawn python tests/tint_reads.py

Needs no GPU and no driver. Filters, the engine's kernels (for ONNX's node suite) and what draws are made by
the program's own code; the shaders of tasks are read as they lie, with what their readers put before and
behind them.
"""

from __future__ import annotations

import itertools
import json
import sys
import tempfile
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent / "gpu"))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from desktop.base.errors import ShaderError
from desktop.base.resources import task_shader
from desktop.compute.gpu import device as devices
from desktop.compute.gpu import webgpu
from desktop.compute.gpu.bindings import Binding, Bindings
from desktop.compute.gpu.dawn.adapters import extras
from desktop.compute.gpu.device import Gpu
from desktop.media.conversion import WORKING_FORMAT
from desktop.media.frame import Warp
from desktop.media.sources.sample import SampleSource
from desktop.pipeline.filters.header import read_filter
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.filters.program import FilterProgram
from desktop.pipeline.masks.shapes import ShapeRenderer
from desktop.pipeline.picture.mask_layer import MaskLayer
from desktop.pipeline.picture.mosaic import Mosaic
from desktop.pipeline.picture.present import Exporter, Presenter
from desktop.pipeline.picture.redaction import RedactionRenderer
from desktop.pipeline.picture.upload import Uploader
from desktop.pipeline.scopes.passes import ScopePasses
from desktop.vision.tasks.detection.decoders import decoder_named

SHADERS = Path(__file__).resolve().parent.parent / "shaders"
TRANSLATED = Path(__file__).resolve().parent / "data" / "isf"
MODELS = SHADERS.parent / "assets" / "models"
COMMON, SCORES = "key_points.wgsl", "scores.wgsl"


def null_gpu() -> Gpu:
    """A device of the adapter that does nothing, which no list has."""
    import wgpu

    extras()
    adapter = wgpu.gpu.request_adapter_sync()
    return Gpu(
        adapter, devices._describe(adapter), webgpu.open_device(adapter, webgpu.REQUESTED_FEATURES, {})
    )


class Reader:
    """Notes what is refused, and which files were read."""

    def __init__(self, gpu: Gpu) -> None:
        self.gpu = gpu
        self.refused: dict[str, str] = {}
        self.seen: set[str] = set()

    def read(self, name: str, make: Any) -> None:
        """Make something of a file's (`name` in `shaders/`)."""
        self.seen.add(name)
        try:
            make()
        except ShaderError as error:
            self.refused[name] = str(error)

    def module(self, name: str, code: str) -> None:
        """Compile a text."""
        self.read(name, lambda: self.gpu.shader_module(code, name))


def read_filters(reader: Reader) -> None:
    """Every built-in filter's passes, those of masks, and translations of GLSL."""
    library = FilterLibrary(None)
    filters = (
        *library.filters.values(),
        *library.masks.values(),
        *library.mask_steps.values(),
        *library.layer_steps.values(),
    )
    for spec in filters:
        name = Path(spec.path).relative_to(SHADERS).as_posix()
        reader.read(name, lambda spec=spec: FilterProgram(reader.gpu, spec))
    for path in (*sorted(TRANSLATED.glob("*.fs")), *sorted(TRANSLATED.glob("*.glsl"))):
        reader.read(path.name, lambda path=path: FilterProgram(reader.gpu, read_filter(path)))
    # What they include; a file that no filter includes would be none of the program's.
    reader.seen |= {f"common/{name}.wgsl" for spec in filters for name in spec.included}


def read_drawing(reader: Reader) -> None:
    """What draws and exports pictures, and reads their formats."""
    gpu = reader.gpu
    for target in ("bgra8unorm", "rgba8unorm"):
        reader.read("present/present.wgsl", lambda target=target: Presenter(gpu, target))
        reader.read("present/masks.wgsl", lambda target=target: MaskLayer(gpu, target))
        reader.read("present/mosaic.wgsl", lambda target=target: Mosaic(gpu, target, (0.0, 0.0, 0.0)))
    reader.read("present/export.wgsl", lambda: Exporter(gpu))
    reader.read("present/shapes.wgsl", lambda: ShapeRenderer(gpu))
    for name in ("present/veil.wgsl", "present/veil_means.wgsl"):
        reader.read(name, lambda: RedactionRenderer(gpu, WORKING_FORMAT))
    for name in ("scopes/levels.wgsl", "scopes/chroma.wgsl", "scopes/pick.wgsl", "scopes/magnify.wgsl"):
        reader.read(name, lambda: ScopePasses(gpu))
    frame = next(iter(SampleSource((128, 72)).frames()))
    reader.read("color/color.wgsl", lambda: Uploader(gpu).upload(frame))
    reader.read("color/warp.wgsl", lambda: Uploader(gpu).upload(replace(frame, warp=Warp())))
    text = (SHADERS / "color" / "deinterlace.wgsl").read_text("utf-8")
    for kind, fmt in (("float", "r32float"), ("uint", "rg32uint")):
        textures = [Binding.texture(name, kind) for name in ("before", "current", "after")]
        bindings = Bindings(
            (Binding.uniform("u", "Interlaced"), *textures, Binding.storage_texture("whole", fmt))
        )
        if kind == "float":
            reader.module("color/deinterlace.wgsl", "\n".join(bindings.declarations(0)) + "\n" + text)


def read_tasks(reader: Reader) -> None:
    """What tasks do with a network's tensors."""
    common, scores = (task_shader(name) for name in (COMMON, SCORES))
    for path in sorted((SHADERS / "nn_tasks").glob("*.wgsl")):
        name, text = f"nn_tasks/{path.name}", path.read_text("utf-8")
        if path.name in (COMMON, SCORES):
            reader.seen.add(name)  # stands before others
        elif path.name in ("unpack.wgsl", "pixel_classes.wgsl"):
            reader.module(name, scores + text.replace("TARGET_FORMAT", "rgba16float"))
        elif path.name.startswith("key_points"):
            reader.module(name, common + text)
        elif path.name == "regions.wgsl":
            for decoder in map(decoder_named, ("yolov8", "yolox")):
                reader.module(
                    name, f"{text}\nconst COUNT = 8u;\nconst EXTRA = 1u;\n{decoder.shader((640, 640))}"
                )
        else:
            reader.module(name, text.replace("TARGET_FORMAT", "rgba16float"))


def read_kernels(reader: Reader) -> None:
    """The engine's kernels, of all cases of ONNX's node suite; that results are nothing here is no matter."""
    import nn_cases
    import onnx_suite

    import desktop.compute.nn.lowering.template as templates

    given = templates.resource

    def noted(*parts: str) -> Any:
        reader.seen.add("/".join(parts[1:]))
        return given(*parts)

    templates.resource = noted
    with tempfile.TemporaryDirectory() as folder:
        for path in (*sorted(MODELS.glob("*.onnx")), _layers(Path(folder) / "layers.onnx")):
            for precision, workgroups, kind in itertools.product(
                ("fp32", "fp16"), (1, 128), ("software", "discrete")
            ):
                gpu = reader.gpu
                gpu.adapter = replace(gpu.adapter, kind=kind)
                make = partial(nn_cases.session_for, gpu, path, workgroups=workgroups, precision=precision)
                make = partial(make, input_shapes=_shapes(path))
                reader.read(f"{path.name} {precision} {workgroups} {kind}", make)
    for outcome in onnx_suite.run_cases(reader.gpu, onnx_suite.all_cases()):
        if outcome.reason.startswith(("ShaderError", "GPUValidationError")):
            reader.refused[f"{outcome.name} ({', '.join(outcome.ops)})"] = outcome.reason


def _shapes(path: Path) -> dict[str, tuple[int, ...]]:
    """Shapes of a network's inputs, 64 where they are free."""
    import onnx

    given = onnx.load(path).graph.input
    return {each.name: tuple(d.dim_value or 64 for d in each.type.tensor_type.shape.dim) for each in given}


def _layers(path: Path) -> Path:
    """A network of the layers with constant weights that neither the suite nor the networks of the box have."""
    from onnx import TensorProto, helper, numpy_helper

    random = np.random.default_rng(0)

    def constant(name: str, *shape: int) -> Any:
        return numpy_helper.from_array(random.random(shape, np.float32), name)

    nodes = [
        helper.make_node("ConvTranspose", ["x", "w"], ["a"], strides=[2, 2], dilations=[2, 1], pads=[1] * 4),
        helper.make_node("GroupNormalization", ["a", "s", "b"], ["g"], num_groups=4),
        helper.make_node("InstanceNormalization", ["g", "s", "b"], ["i"]),
        helper.make_node("Pad", ["i", "pads"], ["p"], mode="reflect"),
        helper.make_node("Conv", ["p", "n"], ["y"]),
    ]
    pads = numpy_helper.from_array(np.array([0, 0, 2, 2, 0, 0, 2, 2], np.int64), "pads")
    constants = [
        *(constant("w", 8, 16, 4, 4), constant("s", 16), constant("b", 16), constant("n", 3, 16, 9, 9)),
        pads,
    ]
    given = {"x": (1, 8, 40, 40)}
    graph = helper.make_graph(
        nodes,
        "layers",
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in given.items()],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)],
        constants,
    )
    opset = [helper.make_opsetid("", 21)]
    path.write_bytes(helper.make_model(graph, opset_imports=opset, ir_version=10).SerializeToString())
    return path


def main() -> int:
    """Return 1 where anything is refused."""
    reader = Reader(null_gpu())
    for read in (read_filters, read_drawing, read_tasks, read_kernels):
        read(reader)
    all_files = {path.relative_to(SHADERS).as_posix() for path in SHADERS.rglob("*.wgsl")}
    print(json.dumps({"refused": reader.refused, "not_read": sorted(all_files - reader.seen)}))
    return 1 if reader.refused else 0


if __name__ == "__main__":
    sys.exit(main())
