/* lightloom
title = "Distance"
group = "Image"
help = "What is in a range of distances, found by a depth network."
tags = ["depth", "near", "far", "foreground", "background", "neural", "network", "onnx"]
use = ["depth_range"]

[[param]]
name = "model"
type = "model"
tasks = ["depth"]
label = "Network"
help = "An .onnx file that gives a depth map."

[[param]]
name = "near"
min = 0
max = 100
default = 100
step = 0.5
unit = "%"
help = "Where the range begins: 100 is what is nearest."

[[param]]
name = "far"
min = 0
max = 100
default = 60
step = 0.5
unit = "%"
help = "Where the range ends: 0 is what is farthest."

[[param]]
name = "softness"
min = 0
max = 50
default = 5
step = 0.5
unit = "%"
help = "Width of the ramps outside the range, in which the mask fades."

[[param]]
name = "smoothing"
min = 0
max = 2
default = 0.4
step = 0.05
unit = "s"
help = "Time over which the nearest and the farthest value are averaged, against flicker."

[[param]]
name = "invert"
type = "bool"
default = false
help = "Take large values for far."

[[param]]
name = "size"
label = "Working size"
type = "int"
min = 128
max = 1024
default = 384
step = 32
unit = "px"
help = "Longer side of what the network sees, where it takes any size: larger is finer and slower."

[[param]]
name = "backend"
type = "choice"
help = "Where the network is computed; auto takes the GPU where there is one."

[[param]]
name = "timing"
type = "choice"
choices = ["newest result", "in step", "moved"]
help = "Where masks come later than their frames: the newest mask with the newest frame, each frame with its own mask, later, or the newest mask moved to the newest frame by optical flow."

[[param]]
name = "input_range"
type = "choice"
choices = ["auto", "0..1", "-1..1", "0..255", "ImageNet"]
help = "The range of the network's input, where what was inferred is wrong; ImageNet is 0..1 less its mean, over its deviation."

[[param]]
name = "input_colors"
label = "Input colors"
type = "choice"
choices = ["auto", "RGB", "BGR"]
help = "The order of the network's channels, where what was inferred is wrong."

[network]
output = "map"
texture = "depth_map"
model = "model"
size = "size"
backend = "backend"
timing = "timing"
scale = "input_range"
colors = "input_colors"

[[buffer]]
name = "found"
type = "array<atomic<u32>, 4>"
bytes = 16

[[buffer]]
name = "settled"
type = "vec4f"
bytes = 16
clear = false

[[pass]]
kind = "raw"
entry = "measure"
workgroup = [8, 8]
tile = [64, 64]

[[pass]]
kind = "raw"
entry = "settle"
workgroup = [1, 1]
grid = [1, 1]

[[pass]]
entry = "main"
*/

@compute @workgroup_size(8, 8) fn measure(@builtin(global_invocation_id) id: vec3u) { measure_map(id); }
@compute @workgroup_size(1, 1) fn settle(@builtin(global_invocation_id) id: vec3u) { settle_range(); }

fn main(p: vec2i) -> vec4f {
  let nearness = 100.0 * nearness_at(uv_of(p));
  let soft = max(params.softness, 1e-3);
  let inside = min((nearness - params.far) / soft, (params.near - nearness) / soft) + 1.0;
  return vec4f(clamp(inside, 0.0, 1.0));
}
