"""Frames that lie in memory already, taken by Dawn without a copy, beside an upload: times of a 1080p frame
of 8-bit RGBA.

    LIGHTLOOM_WEBGPU=dawn python benchmarks/imports.py [--size 1920x1080] [--rounds 50]

Memory of CUDA stands for a frame that NVDEC decoded: exported as a dma-buf, imported as a texture; memory of
the host stands for one that the processor decoded: a buffer is laid on it. Each is copied into a texture of
the pipeline's and compared with what was written. What does not work here is said, with the driver's reason.
Times are medians, from the call to the end of the GPU's work.
"""

from __future__ import annotations

import argparse
import contextlib
import ctypes
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import desktop  # noqa: F401 - chooses what `import wgpu` gives

# isort: split

import wgpu

from desktop.compute.gpu.dawn.adapters import extras, listed

_DMA_BUF: Final = "shared-texture-memory-dma-buf"
_FENCE: Final = "shared-fence-sync-f-d"
_HOST: Final = "host-mapped-pointer"
_ABGR8888: Final = int.from_bytes(b"AB24", "little")
_LINEAR: Final = 0
_SUPPORTED: Final = 124  # CU_DEVICE_ATTRIBUTE_DMA_BUF_SUPPORTED
_PAGE: Final = 2 << 20


class Cuda:
    """The driver's few calls."""

    def __init__(self) -> None:
        self._library = ctypes.CDLL("libcuda.so.1")
        self._ask("cuInit", 0)
        device, self._context = ctypes.c_int(), ctypes.c_void_p()
        self._ask("cuDeviceGet", ctypes.byref(device), 0)
        supported = ctypes.c_int()
        self._ask("cuDeviceGetAttribute", ctypes.byref(supported), _SUPPORTED, device)
        self.exports = bool(supported.value)
        self._ask("cuDevicePrimaryCtxRetain", ctypes.byref(self._context), device)
        self._ask("cuCtxSetCurrent", self._context)

    def _ask(self, name: str, *arguments: Any) -> None:
        code = getattr(self._library, name)(*arguments)
        if code:
            raise OSError(f"{name} failed with {code}")

    def memory(self, data: np.ndarray) -> tuple[int, int]:
        """Fill memory with bytes; its dma-buf as a file descriptor, and its size."""
        address, size = ctypes.c_uint64(), -(-data.nbytes // _PAGE) * _PAGE
        self._ask("cuMemAlloc_v2", ctypes.byref(address), ctypes.c_size_t(size))
        self._ask(
            "cuMemcpyHtoD_v2",
            address,
            data.ctypes.data_as(ctypes.c_void_p),
            ctypes.c_size_t(data.nbytes),
        )
        self._ask("cuCtxSynchronize")
        fd = ctypes.c_int(-1)
        self._ask(
            "cuMemGetHandleForAddressRange",
            ctypes.byref(fd),
            address,
            ctypes.c_size_t(size),
            1,
            ctypes.c_ulonglong(0),
        )
        return fd.value, size


class Bench:
    """A device of Dawn's with what it can import, and a picture."""

    def __init__(self, width: int, height: int, rounds: int) -> None:
        adapter = listed()[0]
        self.has = [name for name in (_DMA_BUF, _FENCE, _HOST) if name in adapter.features]
        print(f"{adapter.info['device']}: {', '.join(self.has) or 'nothing of the kind'}")
        self.device = extras().request_device_sync(adapter, required_features=self.has)
        self.size, self.rounds = (width, height, 1), rounds
        self.picture = np.random.default_rng(0).integers(0, 255, (height, width, 4), np.uint8)
        usage = wgpu.TextureUsage.COPY_DST | wgpu.TextureUsage.COPY_SRC
        self.target = self.device.create_texture(size=self.size, format="rgba8unorm", usage=usage)
        self.layout = {"offset": 0, "bytes_per_row": width * 4, "rows_per_image": height}

    def wait(self) -> None:
        self.device.queue.on_submitted_work_done_sync()

    def check(self) -> None:
        """The target holds the picture."""
        found = np.frombuffer(
            self.device.queue.read_texture({"texture": self.target}, self.layout, self.size), np.uint8
        )
        if not np.array_equal(found.reshape(self.picture.shape), self.picture):
            raise SystemExit("the picture is another one")

    def report(self, name: str, run: Callable[[], None]) -> None:
        self.device.queue.write_texture(
            {"texture": self.target}, bytes(self.picture.nbytes), self.layout, self.size
        )
        took = []
        for _ in range(self.rounds):
            begin = time.perf_counter()
            run()
            self.wait()
            took.append((time.perf_counter() - begin) * 1e3)
        self.check()
        print(f"{name}: {statistics.median(took):.3f} ms")

    @contextlib.contextmanager
    def encoding(self) -> Iterator[Any]:
        encoder = self.device.create_command_encoder()
        yield encoder
        self.device.queue.submit([encoder.finish()])

    def upload(self) -> None:
        self.report(
            "upload",
            lambda: self.device.queue.write_texture(
                {"texture": self.target}, self.picture, self.layout, self.size
            ),
        )

    def of_host(self) -> None:
        """A buffer on the picture's own pages."""
        memory = extras().allocate_host_memory(self.device, self.picture.nbytes)
        np.frombuffer(memory, np.uint8)[: self.picture.nbytes] = self.picture.ravel()
        buffer = extras().create_buffer_from_host_memory(self.device, memory, usage=wgpu.BufferUsage.COPY_SRC)

        def run() -> None:
            with self.encoding() as encoder:
                encoder.copy_buffer_to_texture(
                    {"buffer": buffer, **self.layout}, {"texture": self.target}, self.size
                )

        self.report("the host's memory, read by the GPU where it lies", run)

    def of_cuda(self) -> None:
        """A texture on CUDA's memory."""
        cuda = Cuda()
        print(f"CUDA's memory as a dma-buf: {'yes' if cuda.exports else 'the driver says no'}")
        fd, _ = cuda.memory(self.picture)
        plane = {"fd": fd, "offset": 0, "stride": self.size[0] * 4}
        memory = extras().import_shared_texture_memory(
            self.device,
            dma_buf={
                "size": self.size[:2],
                "drm_format": _ABGR8888,
                "drm_modifier": _LINEAR,
                "planes": [plane],
            },
        )
        texture = memory.create_texture(usage=wgpu.TextureUsage.COPY_SRC)

        def run() -> None:
            memory.begin_access(texture, initialized=True)
            with self.encoding() as encoder:
                encoder.copy_texture_to_texture({"texture": texture}, {"texture": self.target}, self.size)
            memory.end_access(texture)

        self.report("CUDA's memory, imported as a texture", run)


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--size", default="1920x1080")
    parser.add_argument("--rounds", type=int, default=50)
    options = parser.parse_args()
    width, height = map(int, options.size.split("x"))
    bench = Bench(width, height, options.rounds)
    bench.upload()
    for feature, run in ((_HOST, bench.of_host), (_DMA_BUF, bench.of_cuda)):
        if feature not in bench.has:
            print(f"{feature}: the adapter has it not")
            continue
        try:
            run()
        except (OSError, RuntimeError, wgpu.GPUError) as error:
            print(f"{feature}: {type(error).__name__}: {' '.join(str(error).split())[:300]}")


if __name__ == "__main__":
    main()
