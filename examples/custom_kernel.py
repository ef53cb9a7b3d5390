"""Run a kernel of your own on a network's output, on the GPU: python examples/custom_kernel.py IMAGE
[MODEL.onnx]

The kernel computes how undecided a classifier is: the entropy of its probabilities, in bits, divided by that
of a blind guess. Inference and kernel are recorded into one command encoder, and only the one number is read
back.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import numpy as np
import wgpu
from numpy.typing import NDArray

import lightloom

KERNEL = """
@group(0) @binding(0) var<storage, read> values: array<Value>;
@group(0) @binding(1) var<storage, read_write> entropy: f32;

var<workgroup> sums: array<f32, 64>;
@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) me: u32) {
  var sum = 0.0;
  for (var i = me; i < COUNT; i += 64u) {
    let p = f32(values[FIRST + i]);
    if (p > 0.0) { sum -= p * log2(p); }
  }
  sums[me] = sum;
  workgroupBarrier();
  if (me == 0u) {
    var all = 0.0;
    for (var i = 0u; i < 64u; i += 1u) { all += sums[i]; }
    entropy = all / log2(f32(COUNT));
  }
}
"""


class Entropy:
    """Classifier with the kernel behind it."""

    def __init__(self, network: lightloom.Network, output: str) -> None:
        """Compile the kernel for an output of probabilities."""
        self._network = network
        device = network.gpu.device
        tensor = network.tensor(output)
        count = int(np.prod(tensor.stored_shape))
        first = tensor.offset // np.dtype(tensor.dtype).itemsize
        lines = ["enable f16;"] if tensor.wgsl_type == "f16" else []
        lines += [
            f"alias Value = {tensor.wgsl_type};",
            f"const COUNT = {count}u;",
            f"const FIRST = {first}u;",
        ]
        module = device.create_shader_module(code="\n".join(lines) + KERNEL)
        self._pipeline = device.create_compute_pipeline(
            layout="auto", compute={"module": module, "entry_point": "main"}
        )
        usage = wgpu.BufferUsage.STORAGE | wgpu.BufferUsage.COPY_SRC
        self._result = device.create_buffer(size=16, usage=usage)
        entries = [
            {"binding": 0, "resource": {"buffer": tensor.buffer}},
            {"binding": 1, "resource": {"buffer": self._result, "offset": 0, "size": 4}},
        ]
        self._group = device.create_bind_group(
            layout=self._pipeline.get_bind_group_layout(0), entries=entries
        )

    def of(self, texture: Any) -> float:
        """Return the entropy for the image in a texture, 0 (decided) to 1 (undecided)."""
        gpu = self._network.gpu
        bound = self._network.bind(texture)
        encoder = gpu.device.create_command_encoder()
        compute_pass = encoder.begin_compute_pass()
        bound.encode(compute_pass)
        compute_pass.set_pipeline(self._pipeline)
        compute_pass.set_bind_group(0, self._group)
        compute_pass.dispatch_workgroups(1)
        compute_pass.end()
        gpu.queue.submit([encoder.finish()])
        return float(np.frombuffer(gpu.queue.read_buffer(self._result, 0, 4), np.float32)[0])


def entropy(image: NDArray[np.uint8], model: str = "classifier", output: str = "") -> float:
    """Return the entropy of a classifier's probabilities for an image, 0 to 1."""
    with lightloom.load(model, backend="wgpu") as network:
        texture = network.gpu.upload(image)
        return Entropy(network, output or next(iter(network.outputs))).of(texture)


def main(arguments: Sequence[str]) -> int:
    """Print the entropy for an image file; return the exit status."""
    if len(arguments) not in (1, 2):
        print(__doc__, file=sys.stderr)
        return 2
    try:
        frame = next(iter(lightloom.open(arguments[0])))
        print(f"{entropy(frame.array[..., :3], *arguments[1:]):.4f}")
    except lightloom.LightloomError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
