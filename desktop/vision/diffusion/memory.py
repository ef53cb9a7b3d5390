"""Check that there is enough memory for the parts before anything is allocated.

The lower bound for a part is its weights, and the input and output of a full-width convolution. Not
`nn/compile/memory_estimate.py`: its shape inference took 2.4 s for SD 1.5's UNet.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from desktop.base.errors import ModelUnsupportedError
from desktop.base.trials import free_memory
from desktop.base.wording import sentence
from desktop.compute.gpu.memory import free_memory_of
from desktop.compute.nn.session import Precision
from desktop.vision.diffusion.folder import Folder
from desktop.vision.diffusion.part import Part
from desktop.vision.diffusion.plan import Plan
from desktop.vision.diffusion.running import Context

_GIB: Final = float(1 << 30)


@dataclass(frozen=True)
class Need:
    """Least memory of a part, in bytes: on the device, and in main memory.

    `host` is the size of the file's weights, which are read into main memory before they are uploaded.
    """

    part: Part
    device: int
    host: int


def needs_of(folder: Folder, plan: Plan, precision: Precision = "auto") -> tuple[Need, ...]:
    """Return the need of each part of a plan, each computed as if it were alone on the device."""
    _, _, height, width = plan.latents
    of_unet = plan.batch * height * width
    of_picture = plan.width * plan.height
    sized = [(folder.text_encoder, 0), (folder.unet, of_unet), (plan.decoder.part, of_picture)]
    if plan.encoder is not None:
        sized.append((plan.encoder.part, of_picture))
    return tuple(_need(part, pixels, precision) for part, pixels in sized)


def _need(part: Part, pixels: int, precision: Precision) -> Need:
    item = {"fp16": 2, "fp32": 4}.get(precision, part.item)
    weights = part.weights * item
    return Need(part, weights + 2 * pixels * _first_width(part) * item, part.weights * part.item)


def _first_width(part: Part) -> int:
    """Return the channels at a part's full size from its config; 0 if it does not state them."""
    keys = ("block_out_channels", "decoder_block_out_channels", "encoder_block_out_channels")
    widths = next((part.config.values[key] for key in keys if key in part.config.values), None)
    if not isinstance(widths, list) or not widths:
        return 0
    # `block_out_channels` goes from the full size down, for decoders too.
    return widths[0] if type(widths[0]) is int and 0 < widths[0] <= 1 << 14 else 0


def check_memory(folder: Folder, plan: Plan, context: Context) -> None:
    """Refuse a plan for which its device has too little memory: raise ModelUnsupportedError."""
    needs = needs_of(folder, plan, context.precision)
    # Another backend, or a software adapter, uses main memory.
    adapter = context.gpu.adapter if context.gpu is not None and context.backend in ("auto", "wgpu") else None
    where = adapter.name if adapter is not None else sentence("this machine")
    check_needs(folder, needs, device=free_memory_of(adapter), host=free_memory(), where=where)


def check_memory_together(folder: Folder, plan: Plan, context: Context, free: int | None = None) -> None:
    """Refuse a plan whose parts, except the temporary text encoder, exceed the device's memory together.

    `free` bytes are by default those that the device reports; raises ModelUnsupportedError.
    """
    check_memory(folder, plan, context)
    needs = [
        need for need in needs_of(folder, plan, context.precision) if need.part is not folder.text_encoder
    ]
    adapter = context.gpu.adapter if context.gpu is not None and context.backend in ("auto", "wgpu") else None
    if free is None:
        free = free_memory_of(adapter)
    needed = sum(need.device for need in needs)
    if free is not None and needed > free:
        raise ModelUnsupportedError(
            sentence(
                "{missing:.1f} GiB of memory are missing for {folder}: its networks together take at least "
                "{needed:.1f} GiB and {free:.1f} "
                "are free; close other programs, choose a smaller working size, or put a taesd_decoder "
                "into the folder.",
                missing=math.ceil((needed - free) / _GIB * 10) / 10,
                folder=folder.name,
                needed=needed / _GIB,
                free=free / _GIB,
            )
        )


def check_needs(
    folder: Folder, needs: tuple[Need, ...], *, device: int | None, host: int, where: str
) -> None:
    """Refuse parts for which there is too little memory: raise ModelUnsupportedError with the missing amount.

    Args:
        device: free bytes of the device; None if unknown, which leaves the check to the driver.
        host: free bytes of main memory, through which weights are loaded.
        where: the device, for the message.
    """
    largest = max(needs, key=lambda need: need.device)
    if device is not None and largest.device > device:
        raise _missing(folder, largest.part, largest.device, device, where)
    read = max(needs, key=lambda need: need.host)
    if read.host > host:
        raise _missing(folder, read.part, read.host, host, sentence("this machine"))


def _missing(folder: Folder, part: Part, needed: int, free: int, where: str) -> ModelUnsupportedError:
    # Rounded up, so that a small amount is not shown as 0.
    missing = math.ceil((needed - free) / _GIB * 10) / 10
    return ModelUnsupportedError(
        sentence(
            "{missing:.1f} GiB of memory are missing for {folder}: {part} takes at least {needed:.1f} GiB "
            "and {free:.1f} are free on {where}; close other programs, or choose a smaller image, fp16 "
            "(--precision fp16) or another adapter.",
            missing=missing,
            folder=folder.name,
            part=part,
            needed=needed / _GIB,
            free=free / _GIB,
            where=where,
        )
    )
