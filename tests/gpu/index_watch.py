"""WGSL that says which of its arrays it indexed beyond their end: every index of an array goes through a
function that compares it.
"""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import wgpu

_STORAGE = re.compile(r"@group\(0\) @binding\(\d+\) var<storage, \w+> (\w+): array<")
_SHARED = re.compile(r"var<workgroup> (\w+): array<")
_PAIRS = {"(": ")", "[": "]", "<": ">"}


def _end(text, at, opened):
    """The place behind the bracket that closes the one before `at`."""
    closed, depth = _PAIRS[opened], 1
    while depth:
        depth += (text[at] == opened) - (text[at] == closed)
        at += 1
    return at


def _length(text, at):
    """Of the array type whose `array<` ends at `at`: WGSL of its number of elements, '' where it is the
    buffer's.
    """
    inner = text[at : _end(text, at, "<") - 1]
    depth = 0
    for place, letter in enumerate(inner):
        depth += letter in "<(" or -(letter in ">)")
        if letter == "," and depth == 0:
            return inner[place + 1 :].strip()
    return ""


def _watched(text, names):
    found = re.compile(rf"(?<![\w.])({'|'.join(names)})\[")
    parts, at = [], 0
    while (match := found.search(text, at)) is not None:
        stop = _end(text, match.end(), "[")
        index = _watched(text[match.end() : stop - 1], names)
        parts += [text[at : match.start()], f"{match[1]}[seen_{match[1]}(u32({index}))]"]
        at = stop
    return "".join([*parts, text[at:]])


def watched(dispatch):
    """The dispatch's text, with a buffer `beyond` behind what it writes that has a word for each array; and
    the arrays' names.
    """
    text = dispatch.code
    lengths = {m[1]: f"arrayLength(&{m[1]})" for m in _STORAGE.finditer(text)}
    lengths |= {m[1]: _length(text, m.end()) for m in _SHARED.finditer(text)}
    names = list(lengths)
    functions = "".join(
        f"fn seen_{name}(i: u32) -> u32 {{ if (i >= {length}) {{ atomicMax(&beyond[{n}], i); return 0u; }} return i; }}\n"
        for n, (name, length) in enumerate(lengths.items())
    )
    declared = (
        f"@group(0) @binding({len(dispatch.touches)}) var<storage, read_write> beyond: array<atomic<u32>>;\n"
    )
    # Directives stay first.
    lines = text.split("\n")
    head = next(n for n, line in enumerate(lines) if not line.startswith(("enable", "requires")))
    body = _watched("\n".join(lines[head:]), names)
    return "\n".join([*lines[:head], declared + functions + body]), names


def beyond(gpu, session, dispatch):
    """Run a dispatch of a session once more, watched: the arrays that it indexed beyond their end, with the
    largest such index.
    """
    code, names = watched(dispatch)
    kinds = ["read-only-storage"] * len(dispatch.reads) + ["storage"] * (len(dispatch.writes) + 1)
    layout = gpu.bind_group_layout(
        [
            {"binding": n, "visibility": wgpu.ShaderStage.COMPUTE, "buffer": {"type": kind}}
            for n, kind in enumerate(kinds)
        ]
    )
    pipeline = gpu.compute_pipeline(code, "main", label="watched", layouts=[layout])
    usage = wgpu.BufferUsage.STORAGE | wgpu.BufferUsage.COPY_SRC
    found = gpu.buffer(4 * len(names), usage)
    # What it computes is right already, and may be what comes later is made of: it goes elsewhere.
    results = [gpu.buffer(session.memory(storage).size, usage) for storage in dispatch.writes]
    buffers = [*(session.memory(storage) for storage in dispatch.reads), *results, found]
    group = gpu.device.create_bind_group(
        layout=layout,
        entries=[
            {"binding": n, "resource": {"buffer": buffer, "offset": 0, "size": buffer.size}}
            for n, buffer in enumerate(buffers)
        ],
    )
    encoder = gpu.device.create_command_encoder()
    compute_pass = encoder.begin_compute_pass()
    compute_pass.set_pipeline(pipeline)
    compute_pass.set_bind_group(0, group)
    compute_pass.dispatch_workgroups(*dispatch.workgroups)
    compute_pass.end()
    gpu.queue.submit([encoder.finish()])
    largest = np.frombuffer(gpu.queue.read_buffer(found), np.uint32)
    return {name: int(index) for name, index in zip(names, largest, strict=False) if index}


def moved(dispatch, old, new):
    """The dispatch with a piece of its text replaced, which has to be there."""
    assert old in dispatch.code
    return replace(dispatch, code=dispatch.code.replace(old, new))
