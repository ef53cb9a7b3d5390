"""Canvas context that reads frames back on a thread, for Qt to paint; the window's thread never waits for the
GPU.
"""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import wgpu
from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QImage
from rendercanvas.contexts import WgpuContext

from desktop.compute.gpu.webgpu import map_for_reading

log = logging.getLogger(__name__)

_FORMAT: Final = "bgra8unorm"
_ROW: Final = 256  # required by copy_texture_to_buffer


class _Delivery(QObject):
    """Hands over what a thread has read, on the thread that made this."""

    done = Signal(object, object)


@dataclass(frozen=True)
class _Copy:
    """A frame on its way: the buffer that a submission fills, and its rows."""

    device: wgpu.GPUDevice
    buffer: wgpu.GPUBuffer
    size: tuple[int, int]
    bytes_per_row: int


class PendingBitmap:
    """A frame being read back, as rendercanvas awaits it."""

    def __init__(self) -> None:
        self._callback: Callable[[dict[str, Any]], None] | None = None
        self._is_over = False

    def then(self, callback: Callable[[dict[str, Any]], None]) -> None:
        """Have `callback` called with the result, on the window's thread."""
        self._callback = callback

    def finish(self, result: dict[str, Any]) -> None:
        """Pass a result on; only the first one."""
        if not self._is_over and self._callback is not None:
            self._callback(result)
        self._is_over = True


class BitmapContext(WgpuContext):
    """Context of a canvas that Qt paints. For the window's thread.

    Attributes:
        on_idle: called when a frame was read, and the next may be drawn.
    """

    present_methods = ("bitmap",)

    def __init__(self, present_info: dict[str, Any]) -> None:
        super().__init__(present_info)
        self._texture: wgpu.GPUTexture | None = None
        self._buffer: wgpu.GPUBuffer | None = None
        self._is_drawn = False
        self._copy: _Copy | None = None  # recorded, for the frame that is presented next
        self._pending: PendingBitmap | None = None
        self.on_idle: Callable[[], None] = lambda: None
        self._delivery = _Delivery()
        self._delivery.done.connect(self._deliver, Qt.ConnectionType.QueuedConnection)
        self._copies: queue.SimpleQueue[tuple[_Copy, PendingBitmap] | None] = queue.SimpleQueue()
        # Held while a mapped range is read: wgpu-native aborts if its device is destroyed meanwhile.
        self._reading = threading.Lock()
        self._thread: threading.Thread | None = None

    def _get_preferred_format(self, adapter: object) -> str:
        return _FORMAT

    def _configure(self, config: dict[str, Any]) -> None:
        self._drop()

    def _unconfigure(self) -> None:
        self._drop()

    def _drop(self) -> None:
        with self._reading:
            pending, self._pending = self._pending, None
            self._texture = self._buffer = self._copy = None
        self._is_drawn = False
        if pending is not None:
            pending.finish({"method": "skip"})
            self.on_idle()

    @property
    def is_reading(self) -> bool:
        """True while a frame is drawn or read back."""
        return self._pending is not None

    def _get_current_texture(self) -> wgpu.GPUTexture:
        assert self._config is not None
        width, height = (max(1, side) for side in self.physical_size)
        if self._texture is None or (self._texture.width, self._texture.height) != (width, height):
            self._texture = self._config["device"].create_texture(
                label="canvas",
                size=(width, height, 1),
                format=self._config["format"],
                usage=self._config["usage"] | wgpu.TextureUsage.COPY_SRC,
            )
        self._is_drawn = True
        return self._texture

    def _rc_present(self, *, force_sync: bool = False) -> dict[str, Any]:
        # A texture that was not requested since has nothing new.
        if not self._is_drawn or self._texture is None or self._pending is not None:
            return {"method": "skip"}
        self._is_drawn = False
        copy, self._copy = self._copy, None
        self._pending = PendingBitmap()
        self._copies.put((copy or self._submit_copy(), self._pending))
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="canvas", daemon=True)
            self._thread.start()
        return {"method": "async", "awaitable": self._pending}

    def _submit_copy(self) -> _Copy:
        assert self._config is not None
        encoder = self._config["device"].create_command_encoder()
        copy = self._encode_copy(encoder)
        self._config["device"].queue.submit([encoder.finish()])
        return copy

    def discard(self) -> None:
        """Present nothing: the current texture was not drawn into."""
        self._is_drawn, self._copy = False, None

    def encode_copy(self, encoder: wgpu.GPUCommandEncoder) -> None:
        """Record the copy of the current texture, after what draws into it; else it is submitted later."""
        if self._pending is None:
            self._copy = self._encode_copy(encoder)

    def _encode_copy(self, encoder: wgpu.GPUCommandEncoder) -> _Copy:
        assert self._config is not None and self._texture is not None
        texture = self._texture
        device: wgpu.GPUDevice = self._config["device"]
        width, height = texture.width, texture.height
        stride = -(-width * 4 // _ROW) * _ROW
        if self._buffer is None or self._buffer.size != stride * height:
            usage = wgpu.BufferUsage.MAP_READ | wgpu.BufferUsage.COPY_DST
            self._buffer = device.create_buffer(label="canvas", size=stride * height, usage=usage)
        encoder.copy_texture_to_buffer(
            {"texture": texture},
            {"buffer": self._buffer, "bytes_per_row": stride, "rows_per_image": height},
            (width, height, 1),
        )
        return _Copy(device, self._buffer, (width, height), stride)

    def _run(self) -> None:
        while (item := self._copies.get()) is not None:
            copy, pending = item
            try:
                map_for_reading(copy.device, copy.buffer)
                pixels = self._read(copy, pending)
            except Exception as error:  # a lost device; another one is configured then
                log.info("reading the canvas: %s", error)
                pixels = None
            del item, copy
            self._delivery.done.emit(pending, pixels)

    def _read(self, copy: _Copy, pending: PendingBitmap) -> np.ndarray | None:
        """Return a frame's pixels, uint8 [height, width, 4], or None if it is not awaited any more."""
        with self._reading:
            if pending is not self._pending:
                return None
            data = copy.buffer.read_mapped(copy=False)
            rows = np.frombuffer(data, np.uint8).reshape(copy.size[1], copy.bytes_per_row)
            pixels = rows.copy()
            del rows, data
            copy.buffer.unmap()
            return pixels.reshape(copy.size[1], -1, 4)[:, : copy.size[0]]

    def _deliver(self, pending: PendingBitmap, pixels: np.ndarray | None) -> None:
        if pending is self._pending:
            self._pending = None
        if pixels is None:
            pending.finish({"method": "skip"})
        else:
            pending.finish({"method": "bitmap", "data": pixels, "format": _FORMAT})
        with suppress(RuntimeError):  # the widget was deleted while a thread read
            self.on_idle()

    def _rc_close(self) -> None:
        self._drop()
        self._copies.put(None)


def image_of(pixels: np.ndarray) -> QImage:
    """Return an image, without alpha, that shares the pixels: uint8 [height, width, 4], in the order BGRA."""
    height, width = pixels.shape[:2]
    rows = pixels if pixels.base is None else pixels.base
    return QImage(rows.data, width, height, pixels.strides[0], QImage.Format.Format_RGB32)
