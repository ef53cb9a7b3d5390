"""Show the regions that decide a classifier's result: its class activation map, drawn over live frames by
custom kernels.

    python examples/class_activation_map.py MODEL.onnx [INPUT] [-o OUT.mp4] [--frames 300]

INPUT is a video, an image or, by default, the built-in sample. Without -o it is drawn as fast as it comes and
nothing is kept.

The map is that of Zhou, Khosla, Lapedriza, Oliva and Torralba, "Learning deep features for discriminative
localization" (CVPR 2016): the inner tensor that is averaged over the picture before the last layer, each
channel weighted by the last layer's weight for the class on top. The network writes that tensor, and its
scores, into GPU buffers; the two kernels below read them there, and draw on the picture's texture. Nothing of
it passes through the CPU, and one command encoder holds all of a frame.
"""

from __future__ import annotations

import argparse
import itertools
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import wgpu
from onnx import numpy_helper

from desktop.base.errors import LightloomError, ModelUnsupportedError
from desktop.compute.gpu.device import Gpu
from desktop.compute.nn.runtime.session import WgpuSession
from desktop.compute.nn.session import Tensor
from desktop.media.sources.opening import open_source
from desktop.outputs.recording import Recorder
from desktop.pipeline.picture.present import Exporter, LaidOver
from desktop.pipeline.picture.upload import Uploader
from desktop.pipeline.running.inputs.gpu_preprocess import GpuPreprocessor
from desktop.vision.models.model_file import ModelFile
from desktop.vision.models.preprocess import choose_preprocess

# `features` is NHWC, channels padded to CHANNELS (docs/network-engine.md); scores and weights are row-major.
KERNEL = """
struct Map { most: f32, class_: u32, values: array<f32> }

@group(0) @binding(0) var<storage, read> features: array<Feature>;
@group(0) @binding(1) var<storage, read> scores: array<Score>;
@group(0) @binding(2) var<storage, read> weights: array<f32>;
@group(0) @binding(3) var<storage, read_write> map: Map;
@group(0) @binding(4) var picture: texture_2d<f32>;
@group(0) @binding(5) var drawn: texture_storage_2d<rgba16float, write>;

// One workgroup: the class on top, then its map and the map's largest value.
var<workgroup> best: array<vec2<f32>, 64>;
@compute @workgroup_size(64)
fn look(@builtin(local_invocation_index) me: u32) {
  var found = vec2<f32>(-1e30, 0.0);
  for (var i = me; i < CLASSES; i += 64u) {
    if (f32(scores[i]) > found.x) { found = vec2<f32>(f32(scores[i]), f32(i)); }
  }
  best[me] = found;
  workgroupBarrier();
  for (var i = 0u; i < 64u; i += 1u) { if (best[i].x > found.x) { found = best[i]; } }
  let top = u32(found.y);
  workgroupBarrier();
  var most = 1e-6;
  for (var at = me; at < PIXELS; at += 64u) {
    var sum = 0.0;
    for (var c = 0u; c < USED; c += 1u) { sum += weights[top * USED + c] * f32(features[at * CHANNELS + c]); }
    map.values[at] = sum;
    most = max(most, sum);
  }
  best[me].x = most;
  workgroupBarrier();
  if (me == 0u) {
    for (var i = 0u; i < 64u; i += 1u) { most = max(most, best[i].x); }
    map.most = most;
    map.class_ = top;
  }
}

fn value(x: i32, y: i32) -> f32 {
  let at = clamp(vec2<i32>(x, y), vec2<i32>(0), vec2<i32>(WIDTH - 1, HEIGHT - 1));
  return clamp(map.values[at.y * WIDTH + at.x] / map.most, 0.0, 1.0);
}

// BOX (x, y, width, height of the picture that the network saw) is drawn over in colors from blue to red, the rest stays.
@compute @workgroup_size(8, 8)
fn draw(@builtin(global_invocation_id) id: vec3<u32>) {
  let size = textureDimensions(picture);
  if (any(id.xy >= size)) { return; }
  let color = textureLoad(picture, id.xy, 0);
  let place = (vec2<f32>(id.xy) + 0.5 - vec2<f32>(BOX_X, BOX_Y)) / vec2<f32>(BOX_W, BOX_H);
  if (any(place < vec2<f32>(0.0)) || any(place >= vec2<f32>(1.0))) {
    textureStore(drawn, id.xy, color);
    return;
  }
  let at = place * vec2<f32>(f32(WIDTH), f32(HEIGHT)) - 0.5;
  let low = vec2<i32>(floor(at));
  let part = at - floor(at);
  let upper = mix(value(low.x, low.y), value(low.x + 1, low.y), part.x);
  let lower = mix(value(low.x, low.y + 1), value(low.x + 1, low.y + 1), part.x);
  let heat = mix(upper, lower, part.y);
  let shade = clamp(1.5 - abs(4.0 * heat - vec3<f32>(3.0, 2.0, 1.0)), vec3<f32>(0.0), vec3<f32>(1.0));
  textureStore(drawn, id.xy, vec4<f32>(mix(color.rgb, shade, 0.15 + 0.45 * heat), color.a));
}
"""


@dataclass(frozen=True)
class Head:
    """The end of a classifier: the tensor that is averaged, (1, C, H, W), and the weights after it, (classes,
    C).
    """

    features: str
    weights: np.ndarray


def find_head(path: Path) -> Head:
    """Find the last average over the picture and the layer after it; a network without one (SqueezeNet) has a
    map a class already.

    Raises:
        ModelUnsupportedError: no average over the picture.
    """
    graph = onnx.load(path).graph
    constants = {tensor.name: tensor for tensor in graph.initializer}
    averages = [
        i
        for i, node in enumerate(graph.node)
        if node.op_type in ("GlobalAveragePool", "ReduceMean", "AveragePool")
    ]
    if not averages:
        raise ModelUnsupportedError(
            f"{path.name} has no average over the picture, so there is no class activation map of it."
        )
    start = averages[-1]
    for node in graph.node[start + 1 :]:
        if node.op_type in ("Gemm", "MatMul", "Conv") and node.input[1] in constants:
            array = numpy_helper.to_array(constants[node.input[1]]).astype(np.float32)
            by_column = node.op_type == "MatMul" or (
                node.op_type == "Gemm" and not any(a.name == "transB" and a.i for a in node.attribute)
            )
            weights = array.T if by_column else array.reshape(array.shape[0], -1)
            return Head(graph.node[start].input[0], np.ascontiguousarray(weights))
    return Head(graph.node[start].input[0], np.empty((0, 0), np.float32))


class ActivationMap:
    """Uploads frames, runs the network on them and draws the map: all of a frame in one submission."""

    def __init__(self, gpu: Gpu, path: Path) -> None:
        """Load the network with its inner tensor kept readable."""
        self._gpu = gpu
        head = find_head(path)
        self.session = WgpuSession.load(gpu, path, keep=[head.features])
        self._features = self.session.tensor(head.features)
        self._scores = self.session.tensor(self.session.outputs[0].name)
        facts = ModelFile.open(path).facts
        self._preprocess, _ = choose_preprocess(path, facts)
        self._input = GpuPreprocessor(gpu, self._preprocess, self.session.tensor(self.session.inputs[0].name))
        self._uploader = Uploader(gpu)
        weights = head.weights if head.weights.size else np.eye(self._features.shape[1], dtype=np.float32)
        storage = wgpu.BufferUsage.STORAGE | wgpu.BufferUsage.COPY_SRC
        self._weights = gpu.device.create_buffer_with_data(data=weights, usage=storage)
        self._classes, self._used = weights.shape
        pixels = self._features.shape[2] * self._features.shape[3]
        self._map = gpu.buffer(8 + 4 * pixels, storage, "class activation map")
        self.drawn: Any = None
        self._bound: Any = None

    def render(self, frame: Any) -> Any:
        """Return the texture (rgba16float) of a frame with the map of its top class on it."""
        self._uploader.upload(frame)
        picture = self._uploader.texture
        if picture is not self._bound:
            self._bind(picture)
        encoder = self._gpu.device.create_command_encoder()
        self._uploader.encode(encoder)
        compute_pass = encoder.begin_compute_pass()
        self._input.encode(compute_pass)
        self.session.encode(compute_pass)
        compute_pass.set_bind_group(0, self._group)
        compute_pass.set_pipeline(self._look)
        compute_pass.dispatch_workgroups(1)
        compute_pass.set_pipeline(self._draw)
        compute_pass.dispatch_workgroups(-(-picture.width // 8), -(-picture.height // 8))
        compute_pass.end()
        self._gpu.queue.submit([encoder.finish()])
        return self.drawn

    def read_map(self) -> tuple[int, np.ndarray]:
        """The class on top and its map, (H, W), of the last frame."""
        shape = self._features.shape[2:]
        data = bytes(self._gpu.queue.read_buffer(self._map))
        values = np.frombuffer(data, np.float32, shape[0] * shape[1], 8).reshape(shape)
        return int(np.frombuffer(data, np.uint32, 1, 4)[0]), values

    def _bind(self, picture: Any) -> None:
        """Kernels for this picture's size; nothing is made anew while it stays."""
        device = self._gpu.device
        self._input.bind(picture)
        usage = wgpu.TextureUsage.STORAGE_BINDING | wgpu.TextureUsage.TEXTURE_BINDING
        self.drawn = device.create_texture(
            size=(picture.width, picture.height, 1), format="rgba16float", usage=usage
        )
        layout = device.create_bind_group_layout(entries=_layout_entries())
        code = self._code(picture)
        self._look, self._draw = (
            self._gpu.compute_pipeline(code, entry, label="class_activation_map", layouts=[layout])
            for entry in ("look", "draw")
        )
        buffers = (self._features.buffer, self._scores.buffer, self._weights, self._map)
        resources: list[Any] = [{"buffer": buffer} for buffer in buffers]
        resources += [picture.create_view(), self.drawn.create_view()]
        entries = [{"binding": i, "resource": each} for i, each in enumerate(resources)]
        self._group = device.create_bind_group(layout=layout, entries=entries)
        self._bound = picture

    def _code(self, picture: Any) -> str:
        box = self._preprocess.box(picture.width, picture.height)
        _, _, height, width = self._features.shape
        whole = {
            "CLASSES": self._classes,
            "PIXELS": height * width,
            "USED": self._used,
            "CHANNELS": self._features.padded_channels,
        }
        sizes = {"WIDTH": width, "HEIGHT": height}
        box_at = {"BOX_X": box.x, "BOX_Y": box.y, "BOX_W": box.width, "BOX_H": box.height}
        types = {"Feature": _element(self._features), "Score": _element(self._scores)}
        lines = ["enable f16;"] if "f16" in types.values() else []
        lines += [f"alias {name} = {value};" for name, value in types.items()]
        lines += [f"const {name} = {value}u;" for name, value in whole.items()]
        lines += [f"const {name} = {value};" for name, value in sizes.items()]
        lines += [f"const {name} = {float(value)!r};" for name, value in box_at.items()]
        return "\n".join(lines) + KERNEL


def _element(tensor: Tensor) -> str:
    return {"float32": "f32", "float16": "f16"}[tensor.dtype]


def _layout_entries() -> list[dict[str, Any]]:
    kinds = ["read-only-storage"] * 3 + ["storage"]
    entries: list[dict[str, Any]] = [
        {"binding": i, "visibility": wgpu.ShaderStage.COMPUTE, "buffer": {"type": kind}}
        for i, kind in enumerate(kinds)
    ]
    picture = {"sample_type": "float", "view_dimension": "2d"}
    drawn = {"access": "write-only", "format": "rgba16float", "view_dimension": "2d"}
    entries.append({"binding": 4, "visibility": wgpu.ShaderStage.COMPUTE, "texture": picture})
    entries.append({"binding": 5, "visibility": wgpu.ShaderStage.COMPUTE, "storage_texture": drawn})
    return entries


def main(arguments: Sequence[str] | None = None) -> int:
    """Draw the map over a source; return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("model", type=Path)
    parser.add_argument("input", nargs="?", default="sample:")
    parser.add_argument("-o", "--output", type=Path)
    parser.add_argument("--frames", type=int, default=300)
    options = parser.parse_args(arguments)
    gpu = Gpu.open()
    recorder: Recorder | None = None
    try:
        drawer = ActivationMap(gpu, options.model)
        exporter = Exporter(gpu)
        for frame in itertools.islice(open_source(options.input).frames(), options.frames):
            texture = drawer.render(frame)
            if options.output:
                pixels = exporter.begin(texture, LaidOver()).result()
                recorder = recorder or Recorder(
                    options.output, (texture.width, texture.height), 30.0, wait=True
                )
                recorder.add(pixels, frame.pts)
        print(f"{gpu.adapter}: class {drawer.read_map()[0]} is on top in the last picture")
    except LightloomError as error:
        print(error, file=sys.stderr)
        return 1
    finally:
        if recorder is not None:
            recorder.close()
        gpu.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
