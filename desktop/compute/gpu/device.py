"""`Gpu`, the owner of a wgpu device: made once by a composition root and passed to everything that computes.

Threads: pipelines may be compiled on any thread; everything else belongs to the thread that renders.
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
import re
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
import wgpu

from desktop.base.errors import GpuError, LightloomError, NoAdapterError, ShaderError, StoppedError
from desktop.base.webgpu import chosen
from desktop.base.wording import Text, joined, sentence
from desktop.compute.gpu import webgpu
from desktop.compute.gpu.checks import Checks
from desktop.compute.gpu.matrices import MatrixConfiguration
from desktop.compute.gpu.recording import Mapping, Ticket
from desktop.compute.gpu.sharing import Shared

log = logging.getLogger(__name__)

# Limits raised to the adapter's maximum. Others keep WebGPU's defaults, so that shaders run on any machine.
_RAISED_LIMITS: Final = (
    "max-buffer-size",
    "max-storage-buffer-binding-size",
    "max-texture-dimension-2d",
    "max-compute-workgroup-storage-size",
    "max-compute-invocations-per-workgroup",
    "max-compute-workgroup-size-x",
    "max-compute-workgroup-size-y",
    "max-storage-buffers-per-shader-stage",
)

_DEFAULT_LIMITS: Final = {
    "max-buffer-size": 256 << 20,
    "max-storage-buffer-binding-size": 128 << 20,
    "max-texture-dimension-2d": 8192,
    "max-compute-workgroup-storage-size": 16384,
    "max-compute-invocations-per-workgroup": 256,
    "max-compute-workgroup-size-x": 256,
    "max-compute-workgroup-size-y": 256,
    "max-storage-buffers-per-shader-stage": 8,
}
"""Limits that WebGPU guarantees (https://www.w3.org/TR/webgpu/#limits); wgpu-native's are higher."""

_KINDS: Final = {
    "DiscreteGPU": "discrete",
    "IntegratedGPU": "integrated",
    "CPU": "software",
    "Unknown": "unknown",
}
_PREFERENCE: Final = ("discrete", "integrated", "unknown", "software")
# Number of cached shader modules and pipelines; on a software adapter each takes over a megabyte.
_HELD: Final = 16
_BACKEND_PREFERENCE: Final = ("Vulkan", "Metal", "D3D12", "OpenGL")


@dataclass(frozen=True)
class AdapterInfo:
    """Description of an adapter by its driver.

    `kind` is 'discrete', 'integrated', 'software' or 'unknown', `library` 'wgpu-native' or 'Dawn'. `number`
    distinguishes adapters of one name and backend, from 1.
    """

    name: str
    kind: str
    backend: str
    vendor: str
    driver: str
    library: str = "wgpu-native"
    number: int = 1

    @property
    def title(self) -> str:
        """Its name, followed by its number if that is not 1."""
        return self.name if self.number == 1 else f"{self.name} no. {self.number}"

    @property
    def choice(self) -> str:
        """The name by which `Gpu.open` finds it: the same GPU is listed once for each backend."""
        return f"{self.title} {self.backend}"

    @property
    def is_software(self) -> bool:
        """True for an adapter that computes on the CPU (llvmpipe, WARP, SwiftShader)."""
        return self.kind == "software"

    def __str__(self) -> str:
        told = [self.backend, self.kind, *([self.library] if self.library != "wgpu-native" else [])]
        return f"{self.title} ({', '.join(told)})"


def _describe(adapter: wgpu.GPUAdapter) -> AdapterInfo:
    info = adapter.info
    return AdapterInfo(
        name=str(info.get("device") or info.get("description") or "unnamed adapter"),
        kind=_KINDS.get(str(info.get("adapter_type")), "unknown"),
        backend=str(info.get("backend_type")),
        vendor=str(info.get("vendor")),
        driver=str(info.get("description")),
        library=chosen().title,
    )


def _rank(info: AdapterInfo) -> tuple[int, int]:
    backend = info.backend
    return (
        _PREFERENCE.index(info.kind),
        _BACKEND_PREFERENCE.index(backend) if backend in _BACKEND_PREFERENCE else len(_BACKEND_PREFERENCE),
    )


def _sorted_adapters() -> list[tuple[AdapterInfo, wgpu.GPUAdapter]]:
    chosen().check()
    # Sorted by (kind, backend): the same GPU is listed once per backend, best first.
    found: list[tuple[AdapterInfo, wgpu.GPUAdapter]] = []
    counted: Counter[tuple[str, str]] = Counter()
    for adapter in webgpu.listed():
        info = _describe(adapter)
        counted[info.name, info.backend] += 1
        found.append((replace(info, number=counted[info.name, info.backend]), adapter))
    return sorted(found, key=lambda pair: _rank(pair[0]))


def list_adapters() -> list[AdapterInfo]:
    """Return every adapter, best first: discrete, integrated, software; Vulkan/Metal/D3D12 before OpenGL.

    Raises UsageError if LIGHTLOOM_WEBGPU names no known implementation, GpuError if it is not installed.
    """
    return [info for info, _ in _sorted_adapters()]


def best_adapters() -> list[AdapterInfo]:
    """Return the adapters that '#0', '#1' and so on open: those of the best kind. Raises as `list_adapters`."""
    return [info for info, _ in _best(_sorted_adapters())]


def _best(found: Sequence[tuple[AdapterInfo, wgpu.GPUAdapter]]) -> list[tuple[AdapterInfo, wgpu.GPUAdapter]]:
    # Of the best rank only, so no other backend of a GPU, and no software adapter beside one.
    return [each for each in found if _rank(each[0]) == _rank(found[0][0])]


def _candidates(name: str | None) -> list[tuple[AdapterInfo, wgpu.GPUAdapter]]:
    """Return the adapters that may be opened for a name, in the order in which they are tried."""
    found = _sorted_adapters()
    if not found and chosen().name == "dawn":
        raise NoAdapterError(
            sentence(
                "Dawn found no GPU adapter that it can use; install a newer Vulkan driver (of Mesa 25.0 or "
                "later), or take wgpu "
                "(LIGHTLOOM_WEBGPU=wgpu)."
            )
        )
    if not found:
        raise NoAdapterError(
            sentence(
                "No GPU adapter was found; install a Vulkan driver (on Debian and Ubuntu: apt install "
                "mesa-vulkan-drivers) and start Lightloom again."
            )
        )
    if name is None:
        return found
    if number := re.fullmatch(r"#(\d{1,4})", name):
        best = _best(found)  # others follow
        at = int(number[1]) % len(best)
        return [*best[at:], *best[:at], *found[len(best) :]]
    named = [each for each in found if name.lower() in each[0].choice.lower()]
    if not named:
        if chosen().chosen_for is not None:
            raise NoAdapterError(
                sentence(
                    "Dawn, chosen for {model}, finds no adapter called '{name}' (it finds: {names}); set "
                    "LIGHTLOOM_WEBGPU=wgpu to look with wgpu-native.",
                    model=chosen().chosen_for,
                    name=name,
                    names=", ".join(str(info) for info, _ in found),
                )
            )
        raise NoAdapterError(
            sentence(
                "No GPU adapter is called '{name}'; this machine has: {names}.",
                name=name,
                names=", ".join(str(info) for info, _ in found),
            )
        )
    return named


@dataclass(frozen=True)
class _Unusable:
    """An adapter that was tried, the object that its driver could not create, and why."""

    adapter: AdapterInfo
    what: Text
    reason: str


def _refusal(tried: Sequence[_Unusable], others: str) -> GpuError:
    """Return the error for no usable adapter; `others` names the adapters that were not tried."""
    first = tried[0]
    if others:
        return GpuError(
            sentence(
                "The driver of {info} could not create {what} ({reason}); update it, or choose another "
                "adapter (--adapter): {others}.",
                info=first.adapter,
                what=first.what,
                reason=first.reason,
                others=others,
            )
        )
    if len(tried) == 1:
        return GpuError(
            sentence(
                "The driver of {info}, the only adapter here, could not create {what} ({reason}); update "
                "it, or install another driver.",
                info=first.adapter,
                what=first.what,
                reason=first.reason,
            )
        )
    each = "; ".join(f"{one.adapter}: {one.what}, {one.reason}" for one in tried)
    return GpuError(
        sentence(
            "No GPU adapter can be used; their drivers could not create what is needed ({each}); update "
            "them, or install another one.",
            each=each,
        )
    )


def _replaced(unusable: _Unusable, used: AdapterInfo) -> Text:
    return sentence(
        "The driver of {refused} could not create {what} ({reason}), so {used} is used instead; update "
        "that driver, or choose an adapter.",
        refused=unusable.adapter,
        what=unusable.what,
        reason=unusable.reason,
        used=used,
    )


def _open_device(adapter: wgpu.GPUAdapter, features: Sequence[str] | None) -> wgpu.GPUDevice:
    """Make a device; see `Gpu.open` for `features`. Raises RuntimeError or wgpu.GPUError if refused."""
    if features is not None:
        return webgpu.open_device(adapter, features, _DEFAULT_LIMITS)
    limits = {name: adapter.limits[name] for name in _RAISED_LIMITS if name in adapter.limits}
    return webgpu.open_device(adapter, webgpu.REQUESTED_FEATURES, limits)


class Gpu:
    """A wgpu device with its adapter, features, limits and pipeline cache.

    Attributes:
        limits: the device's limits, names as in WebGPU with hyphens.
        notes: sentences about opening it: which adapters cannot be used, and which one is used instead.
        turns: the right to submit; on a software adapter a frame is skipped while another thread has it.
        stopping: set, from any thread or signal handler, to end waits for the GPU with a `StoppedError`.
    """

    def __init__(self, adapter: wgpu.GPUAdapter, info: AdapterInfo, device: wgpu.GPUDevice) -> None:
        self.adapter = info
        self.device = device
        self.queue = device.queue
        self.features: frozenset[str] = frozenset(device.features)
        self.limits: dict[str, int] = dict(device.limits)
        self.notes: tuple[Text, ...] = ()
        self.stopping = threading.Event()
        self.turns = webgpu.make_turns(device)
        self._raw_adapter = adapter
        self._matrices = webgpu.matrices(adapter, device)
        self._modules, self._pipelines = Shared(_HELD), Shared(_HELD)
        self._layouts: dict[str, wgpu.GPUBindGroupLayout] = {}
        self._lock = threading.Lock()

    @classmethod
    def open(
        cls,
        name: str | None = None,
        *,
        features: Sequence[str] | None = None,
        check: Callable[[Gpu], None] = lambda gpu: None,
    ) -> Gpu:
        """Open the best adapter, or the first whose name or backend contains `name`.

        If a driver cannot create a device, the next adapter that fits is opened, and `notes` says so.

        Args:
            name: part of an adapter's name, ignoring case, or '#1': index among the best kind, modulo.
            features: request only these; by default all that the engine can use and the adapter has.
            check: creates e.g. a render pipeline; if it raises, the next adapter is tried.

        Raises:
            NoAdapterError: no adapter, or none of that name.
            GpuError: no device could be created, or LIGHTLOOM_WEBGPU's implementation is not installed.
            UsageError: LIGHTLOOM_WEBGPU names no known implementation.
        """
        candidates = _candidates(name)
        unusable: list[_Unusable] = []
        for info, adapter in candidates:
            what, gpu = sentence("a device"), None
            try:
                gpu = cls(adapter, info, _open_device(adapter, features))
                what = sentence("a render pipeline")
                check(gpu)
            except (RuntimeError, wgpu.GPUError, LightloomError) as error:
                if gpu is not None:
                    gpu.close()
                unusable.append(_Unusable(info, what, webgpu.gpu_reason(error)))
                log.warning("%s could not create %s: %s", info, what, unusable[-1].reason)
                continue
            log.info("adapter %s, features %s", info, ", ".join(sorted(gpu.features)))
            gpu.notes = tuple(_replaced(each, info) for each in unusable)
            return gpu
        tried = [info for info, _ in candidates]
        raise _refusal(unusable, ", ".join(str(info) for info in list_adapters() if info not in tried))

    @classmethod
    def open_or_another(cls, name: str | None, *, check: Callable[[Gpu], None] = lambda gpu: None) -> Gpu:
        """Open the adapter of a name or, if it is gone or refuses, the best other one, as `notes` then says.

        For windows, which must open in any case. Raises GpuError and UsageError as `open` without a name.
        """
        if name is None:
            return cls.open(check=check)
        try:
            return cls.open(name, check=check)
        except GpuError as error:
            log.warning("%s", error)
            gpu = cls.open(check=check)
            in_place = sentence("Lightloom computes on {used} now.", used=gpu.adapter)
            gpu.notes = (joined(" ", (str(error), in_place)),)
            return gpu

    def has(self, feature: str) -> bool:
        """Return True if the device was made with `feature`."""
        return feature in self.features

    @property
    def matrices(self) -> tuple[MatrixConfiguration, ...]:
        """Matrix products that a subgroup computes at once on this device; none on wgpu-native."""
        return self._matrices

    # -- compilation -----------------------------------------------------------------------------------------

    def shader_module(
        self, code: str, label: str, *, first_line: int = 1, checks: Checks = Checks.ALL
    ) -> wgpu.GPUShaderModule:
        """Compile WGSL, or return the cached module of the same text.

        Args:
            first_line: the line of `code` at which the user's file begins, to translate positions.
            checks: runtime checks; fewer for text that is entirely this program's own.

        Raises:
            ShaderError: with line and column in the user's file.
        """
        key = (hashlib.sha256(code.encode()).hexdigest(), checks)
        with self._lock:
            module = self._modules.get(key)
        if module is not None:
            return module
        try:
            with webgpu.refusals(self.device):
                module = webgpu.make_module(self.device, code, label, checks)
        except wgpu.GPUError as error:
            raise ShaderError(label, webgpu.parse_shader_messages(str(error), first_line)) from error
        with self._lock:
            return self._modules.put(key, module)

    def bind_group_layout(self, entries: Sequence[dict[str, Any]]) -> wgpu.GPUBindGroupLayout:
        """Return the layout of these entries, one object for equal entries so that pipelines are shared."""
        key = repr(list(entries))
        with self._lock:
            layout = self._layouts.get(key)
        if layout is not None:
            return layout
        layout = self.device.create_bind_group_layout(entries=list(entries))
        with self._lock:
            return self._layouts.setdefault(key, layout)

    def compute_pipeline(
        self,
        code: str,
        entry: str,
        *,
        label: str,
        layouts: Sequence[wgpu.GPUBindGroupLayout],
        constants: dict[str, float] | None = None,
        first_line: int = 1,
        checks: Checks = Checks.ALL,
    ) -> wgpu.GPUComputePipeline:
        """Return a compute pipeline, cached by text, constants and layouts while a caller references it.

        Args:
            layouts: the bind group layouts, one per group (`layout="auto"` cannot be shared).
            constants: values for `override` declarations.
            label, first_line, checks: see `shader_module`, which also raises ShaderError.
        """
        key = (
            hashlib.sha256(code.encode()).hexdigest(),
            entry,
            checks,
            tuple(sorted((constants or {}).items())),
            # The objects themselves, not their id(), which may be reused after they are gone.
            tuple(layouts),
        )
        with self._lock:
            cached = self._pipelines.get(key)
        if cached is not None:
            return cached
        module = self.shader_module(code, label, first_line=first_line, checks=checks)
        try:
            with webgpu.refusals(self.device):
                layout = self.device.create_pipeline_layout(bind_group_layouts=list(layouts))
                pipeline = self.device.create_compute_pipeline(
                    label=label,
                    layout=layout,
                    compute={"module": module, "entry_point": entry, "constants": constants or {}},
                )
        except wgpu.GPUError as error:
            raise ShaderError(label, webgpu.parse_shader_messages(str(error), first_line)) from error
        with self._lock:
            return self._pipelines.put(key, pipeline)

    # -- recording -------------------------------------------------------------------------------------------

    def command_encoder(self) -> wgpu.GPUCommandEncoder:
        """Return a new command encoder, with passes that begin and end quickly; see `webgpu.make_encoder`."""
        return webgpu.make_encoder(self.device)

    def compute(self, encode: Callable[[wgpu.GPUComputePassEncoder], None]) -> None:
        """Submit one compute pass, which `encode` records."""
        encoder = self.device.create_command_encoder()
        compute_pass = encoder.begin_compute_pass()
        encode(compute_pass)
        compute_pass.end()
        self.queue.submit([encoder.finish()])

    def texture_writer(self) -> webgpu.WriteTexture:
        """Return a function that writes pixels into textures, for one thread; see `webgpu.make_writer`."""
        return webgpu.make_writer(self.queue)

    @property
    def stages_uploads(self) -> bool:
        """True if frames are uploaded through staging memory, as `texture_writer` is slower."""
        return webgpu.STAGES_UPLOADS

    # -- buffers ---------------------------------------------------------------------------------------------

    def buffer(self, size: int, usage: int, label: str = "") -> wgpu.GPUBuffer:
        """Make a buffer of at least `size` bytes (rounded up to 16)."""
        return self.device.create_buffer(size=max(16, (size + 15) // 16 * 16), usage=usage, label=label)

    def poll(self) -> None:
        """Block until submitted work is finished and its maps resolved in this thread (`webgpu.poll`)."""
        webgpu.poll(self.device)

    def submit(self, commands: wgpu.GPUCommandBuffer) -> Ticket:
        """Submit commands; return a ticket by which to wait for them (`map_for_reading`)."""
        return webgpu.submit(self.device, commands)

    def map_for_reading(self, buffer: wgpu.GPUBuffer, ticket: Ticket = None, rest_s: float = 0.0) -> bool:
        """Block until work submitted to a buffer is finished, and map it; see `webgpu.map_for_reading`."""
        return webgpu.map_for_reading(self.device, buffer, ticket, rest_s)

    @property
    def can_poll_maps(self) -> bool:
        """True if `begin_map` may be called; not with versions of the library that are not known."""
        return webgpu.can_poll_maps()

    def begin_map(self, buffer: wgpu.GPUBuffer) -> Mapping:
        """Begin to map a buffer for reading, once submitted work on it is finished; never waits."""
        return webgpu.begin_map(self.device, buffer)

    def map_for_writing(self, buffer: wgpu.GPUBuffer) -> np.ndarray:
        """Block until submitted work on a buffer is finished, and map it; return its bytes, valid until it is
        unmapped. See `webgpu.map_for_writing`.
        """
        return webgpu.map_for_writing(self.device, buffer)

    def discard(self, commands: wgpu.GPUCommandBuffer) -> None:
        """Free a command buffer that was never submitted, and its memory; see `webgpu.discard`."""
        webgpu.discard(self.device, commands)

    def check_stopping(self) -> None:
        """Raise StoppedError once `stopping` is set."""
        if self.stopping.is_set():
            raise StoppedError(sentence("Stopped."))

    def wait_for(self, promise: Any) -> Any:
        """Wait for a promise of wgpu and return its result; raise StoppedError if `stopping` is set."""
        return webgpu.wait_for(promise, self.check_stopping)

    def wait(self) -> None:
        """Block until the GPU has finished everything submitted so far. Not for the display path."""
        webgpu.finish(self.device)

    def close(self) -> None:
        """Release the device; every object made from it becomes invalid."""
        with self._lock:
            self._modules.clear()
            self._pipelines.clear()
            self._layouts.clear()
        with contextlib.suppress(Exception):
            self.device.destroy()
