"""Common interface to the WebGPU implementations where they differ: `desktop.base.webgpu.chosen` decides.

The modules of `wgpu_native/` and `dawn/` correspond by name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.base.webgpu import chosen
from desktop.compute.gpu.recording import Command, Record, WriteTexture
from desktop.compute.gpu.versions import Versions

if TYPE_CHECKING:  # two modules under one name would be two types
    from desktop.compute.gpu.wgpu_native import (
        adapters,
        encoder,
        failures,
        messages,
        modules,
        recorder,
        surfaces,
        version,
        waiting,
        writer,
    )
elif chosen().name == "dawn" and chosen().problem is None:
    from desktop.compute.gpu.dawn import (
        adapters,
        encoder,
        failures,
        messages,
        modules,
        recorder,
        surfaces,
        version,
        waiting,
        writer,
    )
else:
    from desktop.compute.gpu.wgpu_native import (
        adapters,
        encoder,
        failures,
        messages,
        modules,
        recorder,
        surfaces,
        version,
        waiting,
        writer,
    )

LossWatch = failures.LossWatch
STAGES_UPLOADS = writer.STAGES_UPLOADS
REQUESTED_FEATURES = adapters.REQUESTED_FEATURES
TRANSLATES_WHEN_SUBMITTED = encoder.TRANSLATES_WHEN_SUBMITTED
begin_map = waiting.begin_map
can_poll_maps = waiting.can_poll_maps
can_present = surfaces.can_present
discard = encoder.discard
finish = waiting.finish
gpu_reason = messages.gpu_reason
lacks_binding = messages.lacks_binding
listed = adapters.listed
make_encoder = encoder.make_encoder
make_module = modules.make_module
make_recorder = recorder.make_recorder
make_turns = waiting.make_turns
make_writer = writer.make_writer
map_for_reading = waiting.map_for_reading
map_for_writing = waiting.map_for_writing
matrices = adapters.matrices
open_device = adapters.open_device
parse_shader_messages = messages.parse_shader_messages
poll = waiting.poll
records_native = version.is_known
refusals = adapters.refusals
submit = waiting.submit
versions_in_use = version.versions_in_use
wait_for = waiting.wait_for

__all__ = [
    "REQUESTED_FEATURES",
    "STAGES_UPLOADS",
    "TRANSLATES_WHEN_SUBMITTED",
    "Command",
    "LossWatch",
    "Record",
    "Versions",
    "WriteTexture",
    "begin_map",
    "can_poll_maps",
    "can_present",
    "discard",
    "finish",
    "gpu_reason",
    "lacks_binding",
    "listed",
    "make_encoder",
    "make_module",
    "make_recorder",
    "make_turns",
    "make_writer",
    "map_for_reading",
    "map_for_writing",
    "matrices",
    "open_device",
    "parse_shader_messages",
    "poll",
    "records_native",
    "refusals",
    "submit",
    "versions_in_use",
    "wait_for",
]
