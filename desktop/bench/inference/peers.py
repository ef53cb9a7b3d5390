"""Other engines as candidates, if installed; `PeerError` has the reason why one cannot run a network."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import numpy as np

from desktop.bench.inference.candidate import DEVICE, HOST, Candidate, wall
from desktop.bench.inference.networks import Network, module

Feeds = dict[str, np.ndarray]


Peer = Callable[[Network | None, Path, Feeds], Iterator[Candidate]]
"""Takes a network's module, if any, its ONNX file and inputs; raises `PeerError` if unsupported."""


class PeerError(Exception):
    """Error for a peer that cannot run a network."""


def _need(*packages: str) -> None:
    missing = [name for name in packages if find_spec(name) is None]
    if missing:
        raise PeerError(f"{', '.join(missing)} not installed")


def half_precision(path: Path) -> Path:
    """The same model in float16 with float32 inputs and outputs, beside it (ONNX Runtime's own converter)."""
    target = path.with_name(f"{path.stem}-fp16.onnx")
    if not target.exists():
        import onnx
        from onnxruntime.transformers.float16 import convert_float_to_float16

        onnx.save(convert_float_to_float16(onnx.load(path), keep_io_types=True), target)
    return target


def onnxruntime_cpu(network: Network | None, path: Path, feeds: Feeds) -> Iterator[Candidate]:
    """ONNX Runtime on the CPU, its default options."""
    import onnxruntime

    begin = time.perf_counter()
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    session.run(None, feeds)
    loaded = time.perf_counter() - begin
    yield Candidate("onnxruntime CPU", "fp32", HOST, wall(partial(session.run, None, feeds)), loaded)


def onnxruntime_webgpu(network: Network | None, path: Path, feeds: Feeds) -> Iterator[Candidate]:
    """ONNX Runtime's WebGPU provider, with host arrays, and with graph capture on device tensors."""
    _need("onnxruntime_ep_webgpu")
    import onnxruntime
    import onnxruntime_ep_webgpu as plugin

    if not any(device.ep_name == plugin.get_ep_name() for device in onnxruntime.get_ep_devices()):
        onnxruntime.register_execution_provider_library("webgpu", plugin.get_library_path())
    devices = [d for d in onnxruntime.get_ep_devices() if d.ep_name == plugin.get_ep_name()]
    if not devices:
        raise PeerError("ONNX Runtime's WebGPU provider finds no device")

    def load(file: Path, options: dict[str, str]) -> Any:
        session_options = onnxruntime.SessionOptions()
        session_options.log_severity_level = 3
        session_options.add_provider_for_devices(devices[:1], options)
        return onnxruntime.InferenceSession(str(file), sess_options=session_options)

    for precision, file in (("fp16", half_precision(path)), ("fp32", path)):
        begin = time.perf_counter()
        session = load(file, {})
        session.run(None, feeds)
        loaded = time.perf_counter() - begin
        yield Candidate(
            "onnxruntime WebGPU", precision, HOST, wall(partial(session.run, None, feeds)), loaded
        )


def ncnn_vulkan(network: Network | None, path: Path, feeds: Feeds) -> Iterator[Candidate]:
    """ncnn on Vulkan, from the PyTorch module through pnnx, ncnn's own converter."""
    _need("ncnn", "pnnx")
    if network is None:
        raise PeerError("pnnx converts the PyTorch networks only")
    import ncnn
    import pnnx
    import torch

    if ncnn.get_gpu_count() < 1:
        raise PeerError("ncnn finds no Vulkan device")
    picture = next(iter(feeds.values()))
    traced = path.with_suffix(".pt")
    for precision in ("fp16", "fp32"):
        pnnx.export(module(network), str(traced), (torch.from_numpy(picture),), fp16=precision == "fp16")
        begin = time.perf_counter()
        run = _ncnn_run(ncnn, traced, picture, precision == "fp16")
        run()
        yield Candidate("ncnn Vulkan", precision, HOST, wall(run), time.perf_counter() - begin)


def _ncnn_run(ncnn: Any, traced: Path, picture: np.ndarray, half: bool) -> Callable[[], np.ndarray]:
    net = ncnn.Net()
    net.opt.use_vulkan_compute = True
    net.opt.use_fp16_packed = net.opt.use_fp16_storage = net.opt.use_fp16_arithmetic = half
    net.opt.use_bf16_storage = False
    stem = str(traced.with_suffix(""))
    if net.load_param(f"{stem}.ncnn.param") or net.load_model(f"{stem}.ncnn.bin"):
        raise PeerError("ncnn does not load what pnnx made")

    def run() -> np.ndarray:
        with net.create_extractor() as extractor:
            extractor.input("in0", ncnn.Mat(picture[0]))
            status, result = extractor.extract("out0")
            if status:
                raise PeerError(f"ncnn failed with status {status}")
            return np.array(result)

    return run


def torch_cuda(network: Network | None, path: Path, feeds: Feeds) -> Iterator[Candidate]:
    """PyTorch on CUDA: eager host to host, and a CUDA graph timed on the device by events."""
    _need("torch", "torchvision")
    if network is None:
        raise PeerError("PyTorch runs its own networks only")
    import torch

    if not torch.cuda.is_available():
        raise PeerError("PyTorch finds no CUDA device")
    torch.backends.cudnn.benchmark = True
    picture = torch.from_numpy(next(iter(feeds.values())))
    for precision, dtype in (("fp16", torch.float16), ("fp32", torch.float32)):
        net = module(network).cuda().to(dtype).to(memory_format=torch.channels_last)

        def eager(net: Any = net, dtype: Any = dtype) -> Any:
            with torch.inference_mode():
                x = picture.cuda().to(dtype).contiguous(memory_format=torch.channels_last)
                return net(x).float().cpu()

        eager()
        yield Candidate("PyTorch CUDA eager", precision, HOST, wall(eager))
        yield Candidate("PyTorch CUDA graph", precision, DEVICE, _cuda_graph(torch, net, picture, dtype))


def _cuda_graph(torch: Any, net: Any, picture: Any, dtype: Any) -> Callable[[], float]:
    x = picture.cuda().to(dtype).contiguous(memory_format=torch.channels_last)
    stream = torch.cuda.Stream()
    with torch.inference_mode():
        with torch.cuda.stream(stream):
            for _ in range(5):
                net(x)
        torch.cuda.synchronize()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            net(x)
    begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))

    def sample() -> float:
        begin.record()
        graph.replay()
        end.record()
        torch.cuda.synchronize()
        return float(begin.elapsed_time(end))

    return sample


PEERS: Final[dict[str, Peer]] = {
    "ncnn": ncnn_vulkan,
    "onnxruntime-webgpu": onnxruntime_webgpu,
    "onnxruntime-cpu": onnxruntime_cpu,
    "torch": torch_cuda,
}
