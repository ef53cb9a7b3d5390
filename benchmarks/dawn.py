"""Measure tensor cores: products and convolutions on Dawn's subgroup matrices beside the engine's own kernels
on wgpu, on one GPU.

    python benchmarks/dawn.py [SHAPE...] [--variants TEXT] [--networks FILE...] [--timeout 60] [--json FILE]
    python benchmarks/dawn.py --check

Needs the package `wgpudawn` (0.32 or later, beside wgpu) and an adapter on which Dawn lists float16 matrices
of 16x16x16 with float32 sums. It prints, for each shape, TFLOP/s of the engine in fp16 and of each variant of
the kernel (`_dawn_kernels.py`), with Dawn's checks of indices and zeroing of workgroup memory and without
them ("bare"), and the error: the norm of the difference over the norm of NumPy's float32 result, on 64 random
rows. A time is the median of five samples of at least 2 ms by timestamps, in each of which a dispatch is
repeated in one pass, for both libraries alike. Each variant, and the engine, has a process of its own with a
time limit: one that the driver refuses, or that hangs, is one line.

Of networks (`--networks`, ONNX files) it gives the time that they would take: the engine's for all dispatches
in one pass, in which each product or convolution with constant weights counts with the fastest variant's time
where that is less than its own (as `lightloom model tune` would choose), and everything else as it is.
Attention, products of two computed matrices and depthwise convolutions stay as they are. Both ways are
printed: with Dawn's checks and bare.

`--check` needs no such adapter: Tint reads every kernel on Dawn's adapter that does nothing, and every kernel
with loops in place of matrices is compared with NumPy on the first adapter that Dawn finds (llvmpipe of Mesa
25 is one). Exit status 1 where one is refused or wrong.
"""

from __future__ import annotations

import argparse
import functools
import importlib
import importlib.util
import json
import math
import os
import re
import statistics
import struct
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks._dawn_kernels import MEMORY, VARIANTS, Shape, Variant, shader

if TYPE_CHECKING:
    from desktop.compute.gpu.device import Gpu  # imports wgpu, whose name may yet become Dawn's

_MATRIX: Final = "chromium-experimental-subgroup-matrix"
_TOGGLES: Final = ("allow_unsafe_apis", "vulkan_enable_f16_on_nvidia")
_BARE: Final = ("disable_robustness", "disable_workgroup_init")
_LIMIT: Final = 1e-3
"""Of the error; a result rounded to float16 has 2e-4."""

_SAMPLES: Final = 5
_SAMPLE_MS: Final = 2.0
_ENGINE_KERNELS: Final = ("conv_tiled", "conv_sliced")

SHAPES: Final = {
    "square": [Shape.product(4096, 4096, 4096)],
    "vit": [Shape.product(197, k, n) for k, n in ((768, 768), (768, 2304), (768, 3072), (3072, 768))],
    "unet": [
        *(Shape.product(4096, k, n) for k, n in ((320, 320), (320, 2560), (1280, 320))),
        *(Shape.product(1024, k, n) for k, n in ((640, 640), (640, 5120), (2560, 640))),
        *(Shape.product(256, k, n) for k, n in ((1280, 1280), (1280, 10240), (5120, 1280))),
        *(Shape.convolution(s, c, n) for s, c, n in ((64, 320, 320), (32, 640, 640), (16, 1280, 1280))),
        *(Shape.convolution(s, c, n) for s, c, n in ((64, 640, 320), (32, 1280, 640), (8, 1280, 1280))),
    ],
    "resnet50": [
        *(Shape.convolution(s, c, c) for s, c in ((56, 64), (28, 128), (14, 256), (7, 512))),
        *(Shape.convolution(s, c, n, 1) for s, c, n in ((56, 64, 256), (28, 512, 128), (14, 1024, 256))),
        Shape.convolution(7, 2048, 512, 1),
        Shape.convolution(56, 128, 128, 3, 2),
    ],
    "style": [
        Shape.convolution(128, 128, 128),
        Shape.convolution(256, 64, 128, 3, 2),
        Shape.convolution(512, 32, 64, 3, 2),
        Shape.convolution(256, 128, 64),
        Shape.convolution(512, 64, 32),
    ],
}


# -- operands ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Operands:
    """Random ones of a shape: `x` (batch, height, width, channels) and `w` (taps, channels, columns) in
    float16, `bias` in float32.
    """

    x: np.ndarray
    w: np.ndarray
    bias: np.ndarray

    @classmethod
    def of(cls, shape: Shape) -> Operands:
        """Return the same ones for the same shape; numbers up to 0.5 in size."""
        rng = np.random.default_rng(0)

        def values(*sizes: int) -> np.ndarray:
            return rng.random(sizes, np.float32) - np.float32(0.5)

        taps = math.prod(shape.kernel)
        return cls(
            values(shape.batch, *shape.size, shape.channels).astype(np.float16),
            values(taps, shape.channels, shape.columns).astype(np.float16),
            values(shape.columns),
        )

    def rows(self, shape: Shape, rows: np.ndarray) -> np.ndarray:
        """Return rows of the result by NumPy in float32."""
        image, pixel = np.divmod(rows, math.prod(shape.output))
        place = np.stack(np.divmod(pixel, shape.output[1]))
        total = np.zeros((rows.size, shape.columns), np.float32) + self.bias
        for tap in range(math.prod(shape.kernel)):
            offset = np.array(divmod(tap, shape.kernel[1])) * shape.dilations
            before = np.array(shape.before).astype(np.uint32).astype(np.int32)
            y, x = place * np.array(shape.strides)[:, None] + (offset - before)[:, None]
            inside = (y >= 0) & (y < shape.size[0]) & (x >= 0) & (x < shape.size[1])
            taken = self.x[image, np.where(inside, y, 0), np.where(inside, x, 0)].astype(np.float32)
            total += (taken * inside[:, None]) @ self.w[tap].astype(np.float32)
        return np.asarray(total)


# -- Dawn ----------------------------------------------------------------------------------------------------


def load_dawn() -> Any:
    """Make `import wgpu` give Dawn in this process, with its experimental features; return its extras."""
    dawn = importlib.import_module("wgpudawn")
    dawn.install_as_wgpu()
    extras = importlib.import_module("wgpudawn.backends.dawn.extras")
    extras.set_instance_extras(enable_toggles=_TOGGLES)
    return extras


def first_adapter() -> Any:
    """Return Dawn's own choice of an adapter; each makes one device only."""
    import wgpu

    return wgpu.gpu.request_adapter_sync(power_preference="high-performance")


def open_device(extras: Any, *, bare: bool) -> Any:
    """Return a device with all that the kernels can use of the first adapter."""
    adapter = first_adapter()
    wanted = ("shader-f16", "subgroups", "timestamp-query", _MATRIX)
    limits = ("max-buffer-size", "max-storage-buffer-binding-size", "max-compute-workgroup-storage-size")
    return extras.request_device_sync(
        adapter,
        required_features=[name for name in wanted if name in adapter.features],
        required_limits={name: adapter.limits[name] for name in limits},
        enable_toggles=_BARE if bare else (),
        disable_toggles=("timestamp_quantization",),
    )


class Kernel:
    """A variant on a shape, ready to be recorded on a device.

    Attributes:
        encode: records one dispatch into a compute pass.
    """

    def __init__(
        self, device: Any, shape: Shape, variant: Variant, operands: Operands, *, plain: bool
    ) -> None:
        import wgpu

        self.device, self.shape, self.operands = device, shape, operands
        code = shader(shape, variant, plain=plain)
        module = device.create_shader_module(code=code)
        compute = {"module": module, "entry_point": "main"}
        self._pipeline = device.create_compute_pipeline(layout="auto", compute=compute)
        self._groups = variant.groups(shape)
        storage = wgpu.BufferUsage.STORAGE
        # What a matrix at the edge reads beyond a factor, where nothing is staged, counts for nothing.
        more = variant.rows * shape.depth if variant.staging == "none" else 0
        factors = [np.pad(each.reshape(-1), (0, more)) for each in (operands.x, operands.w)]
        buffers = [
            device.create_buffer_with_data(data=np.ascontiguousarray(each), usage=storage)
            for each in (*factors, operands.bias)
        ]
        usage = storage | wgpu.BufferUsage.COPY_SRC
        self._result = device.create_buffer(size=2 * shape.rows * shape.columns, usage=usage)
        entries = [
            {"binding": n, "resource": {"buffer": each, "offset": 0, "size": each.size}}
            for n, each in enumerate((*buffers, self._result))
        ]
        layout = self._pipeline.get_bind_group_layout(0)
        self._bound = device.create_bind_group(layout=layout, entries=entries)

    def encode(self, compute_pass: Any) -> None:
        """Record it once."""
        compute_pass.set_pipeline(self._pipeline)
        compute_pass.set_bind_group(0, self._bound)
        compute_pass.dispatch_workgroups(*self._groups)

    def error(self) -> float:
        """Run it and compare 64 rows with NumPy's."""
        encoder = self.device.create_command_encoder()
        compute_pass = encoder.begin_compute_pass()
        self.encode(compute_pass)
        compute_pass.end()
        self.device.queue.submit([encoder.finish()])
        shape = self.shape
        data = np.frombuffer(self.device.queue.read_buffer(self._result), np.float16)
        rng = np.random.default_rng(1)
        rows = np.unique(np.append(rng.integers(0, shape.rows, 64), (0, shape.rows - 1)))
        wanted = self.operands.rows(shape, rows)
        got = data.reshape(shape.rows, shape.columns)[rows].astype(np.float32)
        error = float(np.linalg.norm(got - wanted) / np.linalg.norm(wanted))
        return error if math.isfinite(error) else math.inf


def measure_variant(job: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Times and errors of a variant on shapes; job: {'variant', 'shapes'}."""
    extras = load_dawn()
    import wgpu

    adapter = first_adapter()
    if _MATRIX not in adapter.features:
        yield {"failed": f"Dawn lists no subgroup matrices on {adapter.info['device']}"}
        return
    variant = Variant(**job["variant"] | {"part": tuple(job["variant"]["part"])})
    devices = {mode: open_device(extras, bare=mode == "bare") for mode in ("checked", "bare")}
    for index, fields in job["shapes"]:
        shape = _shape(fields)
        operands = Operands.of(shape)
        for mode, device in devices.items():
            found = {"shape": index, "mode": mode}
            try:
                kernel = Kernel(device, shape, variant, operands, plain=False)
                yield found | {"error": kernel.error(), "ms": sample(device, kernel.encode)}
            except (wgpu.GPUError, RuntimeError, ValueError) as error:
                yield found | {"failed": str(error)}


def _shape(fields: dict[str, Any]) -> Shape:
    plain: dict[str, Any] = {name: tuple(v) if isinstance(v, list) else v for name, v in fields.items()}
    return Shape(**plain)


# -- times ---------------------------------------------------------------------------------------------------


def sample(device: Any, encode: Callable[[Any], None]) -> float:
    """Milliseconds of what `encode` records, repeated within one pass."""
    one = _pass_ms(device, encode, 3) / 3
    repeats = min(max(math.ceil(_SAMPLE_MS / max(one, 1e-4)), 1), 2000)
    _pass_ms(device, encode, repeats)  # the GPU's clock rises
    samples = [_pass_ms(device, encode, repeats) for _ in range(_SAMPLES)]
    return statistics.median(samples) / repeats


def _pass_ms(device: Any, encode: Callable[[Any], None], repeats: int) -> float:
    import wgpu

    queries = device.create_query_set(type="timestamp", count=2)
    usage = wgpu.BufferUsage.QUERY_RESOLVE | wgpu.BufferUsage.COPY_SRC
    ticks = device.create_buffer(size=16, usage=usage)
    encoder = device.create_command_encoder()
    writes = {"query_set": queries, "beginning_of_pass_write_index": 0, "end_of_pass_write_index": 1}
    compute_pass = encoder.begin_compute_pass(timestamp_writes=writes)
    for _ in range(repeats):
        encode(compute_pass)
    compute_pass.end()
    encoder.resolve_query_set(queries, 0, 2, ticks, 0)
    device.queue.submit([encoder.finish()])
    begin, end = struct.unpack("<2Q", device.queue.read_buffer(ticks))
    return float(max(end - begin, 0)) / 1e6


# -- the engine ----------------------------------------------------------------------------------------------


def measure_engine(job: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Times of networks on wgpu in fp16, and of each of their products; job: {'paths'}."""
    from desktop.compute.gpu.device import Gpu

    gpu = Gpu.open(os.environ.get("LIGHTLOOM_ADAPTER"))
    for index, path in enumerate(job["paths"]):
        for row in _measure_network(gpu, path):
            yield {"network": index, **row}


def _measure_network(gpu: Gpu, path: str) -> Iterator[dict[str, Any]]:
    from desktop.compute.nn.runtime.session import WgpuSession
    from desktop.vision.models.verification import random_input

    session = WgpuSession.load(gpu, path, precision="fp16")
    rng = np.random.default_rng(0)
    session.run({info.name: random_input(info, rng) for info in session.inputs})
    places: dict[tuple[str, tuple[int, int, int]], list[int]] = {}
    for index, dispatch in enumerate(session.plan.dispatches):
        if dispatch.kernel in _ENGINE_KERNELS:
            places.setdefault((dispatch.code, dispatch.workgroups), []).append(index)
    for (code, _), indices in places.items():
        one = functools.partial(session.encode, start=indices[0], stop=indices[0] + 1)
        yield {"product": asdict(shape_of(code)), "count": len(indices), "ms": sample(gpu.device, one)}
    yield {"adapter": str(gpu.adapter), "whole": sample(gpu.device, session.encode)}
    session.close()


def shape_of(code: str) -> Shape:
    """Return what one of the engine's convolution kernels computes, by the constants in its text.

    An input that the kernel reads through a map (a Pad or a nearest Resize before it) counts as it would be
    after the map.
    """
    number = {
        name: int(value) for name, value in re.findall(r"^const (\w+)(?:: u32)? = (\d+)u;$", code, re.M)
    }

    def pair(name: str) -> tuple[int, int]:
        return number[f"{name}_H"], number[f"{name}_W"]

    output = pair("OUT")
    return Shape(
        *(
            number["PIXELS"] // math.prod(output),
            pair("IN"),
            4 * number["IN_BLOCKS"],
            4 * number["OUT_BLOCKS"],
        ),
        *(output, pair("KERNEL"), pair("STRIDE"), pair("DILATION"), pair("PAD")),
    )


def save_network(shape: Shape, path: Path) -> None:
    """Write a network of one product or convolution."""
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    rng = np.random.default_rng(0)
    weights = rng.random((shape.depth, shape.columns), np.float32) - np.float32(0.5)
    if shape.size == (1, 1):
        sizes, result = [shape.rows, shape.depth], [shape.rows, shape.columns]
        node = helper.make_node("MatMul", ["x", "w"], ["y"])
    else:
        pads = [*shape.before, *shape.before]
        sizes = [1, shape.channels, *shape.size]
        result = [1, shape.columns, *shape.output]
        weights = weights.reshape(*shape.kernel, shape.channels, shape.columns).transpose(3, 2, 0, 1)
        node = helper.make_node("Conv", ["x", "w"], ["y"], pads=pads, strides=shape.strides)
    graph = helper.make_graph(
        [node],
        "product",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, sizes)],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, result)],
        [numpy_helper.from_array(np.ascontiguousarray(weights), "w")],
    )
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), path)


# -- the processes -------------------------------------------------------------------------------------------

_WORKERS: Final = {"dawn": measure_variant, "engine": measure_engine}


def run_worker(name: str, job: dict[str, Any], timeout: float) -> list[dict[str, Any]]:
    """Return what a process of its own printed, until it was done, died or had no time left; the last row
    then says why.
    """
    command = [sys.executable, __file__, "--worker", name]
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        out, problems = process.communicate(json.dumps(job), timeout)
        reason = "" if process.returncode == 0 else f"status {process.returncode}: {problems.strip()[-400:]}"
    except subprocess.TimeoutExpired:
        process.kill()
        out, _ = process.communicate()
        reason = f"no end after {timeout:.0f} s"
    rows = [json.loads(line) for line in out.splitlines() if line.startswith("{") and line.endswith("}")]
    return [*rows, {"failed": reason}] if reason else rows


def work(name: str) -> None:
    """Be such a process: the job comes on the standard input, a line a row goes out."""
    for row in _WORKERS[name](json.load(sys.stdin)):
        print(json.dumps(row), flush=True)


# -- what is printed -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Product:
    """A product of a network: how often it is there, and a time of the engine's in ms."""

    shape: Shape
    count: int
    ms: float


@dataclass(frozen=True)
class Network:
    """A network on the engine: its name, and the time of all of its dispatches in ms."""

    name: str
    ms: float
    products: tuple[Product, ...]


def ask_engine(paths: Sequence[Path], timeout: float) -> dict[Path, Network]:
    """Return networks' times, as far as the engine came; print why it came no further."""
    rows = run_worker("engine", {"paths": [str(path) for path in paths]}, timeout)
    found: dict[Path, Network] = {}
    for index, path in enumerate(paths):
        own = [row for row in rows if row.get("network") == index]
        if not (own and "whole" in own[-1]):
            continue
        products = [Product(_shape(row["product"]), row["count"], row["ms"]) for row in own[:-1]]
        found[path] = Network(path.stem, own[-1]["whole"], tuple(products))
        print(f"{path.stem} by the engine on {own[-1]['adapter']}: {own[-1]['whole']:.4f} ms", flush=True)
    if rows and "failed" in rows[-1]:
        print(f"the engine: {rows[-1]['failed']}", flush=True)
    return found


@dataclass(frozen=True)
class Best:
    """The fastest right variant of a shape, in ms."""

    ms: float
    variant: str


Times = dict[tuple[Shape, str], Best]
"""By shape and mode ('checked' or 'bare')."""


def measure_all(shapes: Sequence[Shape], variants: Sequence[Variant], timeout: float) -> Times:
    """Time all variants on the shapes that they take; print each as it comes."""
    best: Times = {}
    for variant in variants:
        taken = [(n, asdict(shape)) for n, shape in enumerate(shapes) if variant.takes(shape)]
        if not taken:
            continue
        print(f"{variant}: {variant.threads} threads, {variant.memory} bytes", flush=True)
        for row in run_worker("dawn", {"variant": asdict(variant), "shapes": taken}, timeout):
            shape = shapes[row["shape"]] if "shape" in row else None
            if shape is None or "failed" in row:
                print(f"  {shape or ''} {row.get('mode', '')} failed: {row['failed'][:400]}", flush=True)
                continue
            rate, wrong = shape.flops / row["ms"] / 1e9, row["error"] > _LIMIT
            note = "  WRONG" if wrong else ""
            print(
                f"  {rate:7.1f} TFLOP/s {row['ms']:8.4f} ms  error {row['error']:.1e}  {row['mode']:7}  {shape}{note}",
                flush=True,
            )
            key = shape, row["mode"]
            if not wrong and (key not in best or row["ms"] < best[key].ms):
                best[key] = Best(row["ms"], str(variant))
    return best


def as_it_would_be(network: Network, times: Times, mode: str) -> float:
    """Return a network's time in ms with the new kernels where they are faster."""
    saved = 0.0
    for product in network.products:
        found = times.get((product.shape, mode))
        if found is not None:
            saved += product.count * max(product.ms - found.ms, 0.0)
    return network.ms - saved


def print_networks(networks: Sequence[Network], times: Times) -> list[dict[str, Any]]:
    """Print what networks take and would take; return the same."""
    rows = []
    for network in networks:
        row: dict[str, Any] = {"network": network.name, "ms": network.ms}
        row["products"] = sum(each.count * each.ms for each in network.products)
        row |= {mode: as_it_would_be(network, times, mode) for mode in ("checked", "bare")}
        rows.append(row)
        ratios = ", ".join(
            f"{mode} {row[mode]:.3f} ms ({network.ms / row[mode]:.2f}x)" for mode in ("checked", "bare")
        )
        print(f"{network.name}: {network.ms:.3f} ms, {row['products']:.3f} of it products; would be {ratios}")
    for mode in ("checked", "bare") if rows else ():
        mean = statistics.geometric_mean(row["ms"] / row[mode] for row in rows)
        print(f"geometric mean of {len(rows)}, {mode}: {mean:.2f}x")
    return rows


def print_shapes(engine: dict[Shape, float], times: Times) -> list[dict[str, Any]]:
    """Print the engine and the fastest variants, shape by shape; return the same."""
    rows = []
    print("\nTFLOP/s: engine, Dawn checked, Dawn bare")
    for shape in dict.fromkeys([*engine, *(shape for shape, _ in times)]):
        row: dict[str, Any] = {"shape": str(shape), "flops": shape.flops, "engine": engine.get(shape)}
        row |= {mode: asdict(times[shape, mode]) for mode in ("checked", "bare") if (shape, mode) in times}
        rows.append(row)
        spent = [row["engine"], *(row.get(mode, {}).get("ms") for mode in ("checked", "bare"))]
        rates = [f"{shape.flops / ms / 1e9:7.1f}" if ms else "      -" for ms in spent]
        print(*rates, "", shape, "|", row.get("bare", row.get("checked", {})).get("variant", ""))
    return rows


def measure(options: argparse.Namespace) -> int:
    """Run everything that was asked for."""
    chosen = [v for v in VARIANTS if options.variants in str(v)]
    shapes = [each for name in options.shapes or SHAPES for each in SHAPES[name]]
    engine = _engine_alone(shapes, options.timeout)
    networks = [n for path in options.networks for n in ask_engine([path], 4 * options.timeout).values()]
    of_networks = [product.shape for network in networks for product in network.products]
    times = measure_all(list(dict.fromkeys([*shapes, *of_networks])), chosen, options.timeout)
    report = {"shapes": print_shapes(engine, times), "networks": print_networks(networks, times)}
    if options.json:
        options.json.write_text(json.dumps(report, indent=1))
    return 0 if times else 1


def _engine_alone(shapes: Sequence[Shape], timeout: float) -> dict[Shape, float]:
    """Return the engine's time in ms of each shape as a network of its own, without what makes its input
    ready.
    """
    with tempfile.TemporaryDirectory() as folder:
        paths = {Path(folder) / f"{str(shape).replace(' ', '-')}.onnx": shape for shape in shapes}
        for path, shape in paths.items():
            save_network(shape, path)
        networks = ask_engine(list(paths), 2 * timeout)
    return {paths[path]: n.products[0].ms for path, n in networks.items() if n.products}


# -- the check -----------------------------------------------------------------------------------------------

_SMALL: Final = (
    Shape.product(200, 72, 136),
    Shape(2, (9, 12), 24, 40, (4, 11), (3, 2), (2, 1), (2, 1), (2, 0)),
)
"""No whole number of tiles; the second has two pictures, a window of 3x2, strides, dilation, and pads only
above and below.
"""


def null_device(extras: Any) -> Any:
    """Return a device of Dawn's adapter that does nothing: Tint reads and checks shaders for it, with every
    feature.
    """
    os.environ["WGPU_BACKEND_TYPE"] = "Null"
    try:
        adapter = first_adapter()
    finally:
        del os.environ["WGPU_BACKEND_TYPE"]
    return adapter.request_device_sync(required_features=["shader-f16", "subgroups", _MATRIX])


def check(chosen: Sequence[Variant]) -> int:
    """See that Tint takes every kernel, and that its indices are right."""
    extras = load_dawn()
    import wgpu

    reader = null_device(extras)
    device = open_device(extras, bare=False)
    print(f"loops in place of matrices on {device.adapter.info['device']}")
    wrong = 0
    for variant in chosen:
        run = _within(variant, min(MEMORY, device.limits["max-compute-workgroup-storage-size"]))
        for shape in (_fitting(each, variant) for each in _SMALL):
            try:
                reader.create_shader_module(code=shader(shape, variant))
                error = Kernel(device, shape, run, Operands.of(shape), plain=True).error() if run else 0.0
                note = f"error {error:.1e}" if run else "read, not run: too much workgroup memory"
            except (wgpu.GPUError, RuntimeError) as problem:
                error, note = math.inf, str(problem)
            wrong += error > _LIMIT
            smaller = f" (run as {run})" if run not in (None, variant) else ""
            print(f"  {variant}, {shape}: {note}{smaller}{'  WRONG' if error > _LIMIT else ''}", flush=True)
    print(f"{wrong} wrong")
    return 1 if wrong else 0


def _within(variant: Variant, room: int) -> Variant | None:
    """Return a variant, or its likeness with one buffer or no gaps, that needs no more than `room` bytes of
    workgroup memory.
    """
    likenesses = (variant, replace(variant, buffers=1), replace(variant, buffers=1, gap=0))
    return next((each for each in likenesses if each.memory <= room), None)


def _fitting(shape: Shape, variant: Variant) -> Shape:
    """Return a shape that the variant computes: without staging it takes whole steps and matrices."""
    if variant.staging != "none":
        return shape
    return Shape.product(shape.rows, 2 * variant.depth, -(-shape.columns // 16) * 16)


def main() -> int:
    """Parse the command line and measure."""
    parser = argparse.ArgumentParser(description="Tensor cores through Dawn, beside the engine.")
    parser.add_argument("shapes", nargs="*", metavar="SHAPE", help=f"of {', '.join(SHAPES)}; all")
    parser.add_argument("--variants", default="", help="only those whose names have this text in them")
    parser.add_argument("--networks", nargs="*", type=Path, default=[], help="ONNX files")
    parser.add_argument("--timeout", type=float, default=60.0, help="seconds for each process")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--check", action="store_true", help="read the kernels and check their indices only")
    parser.add_argument("--worker", choices=_WORKERS, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        work(options.worker)
        return 0
    if unknown := set(options.shapes) - set(SHAPES):
        parser.error(
            f"there are no shapes called {', '.join(sorted(unknown))}; there are {', '.join(SHAPES)}"
        )
    if importlib.util.find_spec("wgpudawn") is None:
        print("wgpudawn is not installed; pip install wgpudawn", file=sys.stderr)
        return 1
    if options.check:
        return check([v for v in VARIANTS if options.variants in str(v)])
    return measure(options)


if __name__ == "__main__":
    sys.exit(main())
