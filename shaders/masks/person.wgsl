/* lightloom
title = "Person or class"
group = "Objects"
help = "People, or another class, found by a segmentation network."
tags = ["neural", "network", "onnx", "segmentation", "selfie", "matting", "sky", "road", "hair"]
use = ["mask_smoothing"]

[[param]]
name = "model"
type = "model"
tasks = ["mask"]
label = "Network"
help = "The bundled person mask, or an .onnx file that gives a mask or classes of pixels."

[[param]]
name = "channel"
label = "Class"
type = "int"
min = -1
max = 255
default = -1
help = "Which channel or class of the network is the mask; -1 takes the person's."

[[param]]
name = "threshold"
min = 0
max = 1
default = 0.5
step = 0.01
help = "Probability from which on a pixel belongs to the person."

[[param]]
name = "softness"
min = 0.005
max = 0.5
default = 0.2
step = 0.005
help = "Half the range of probability over which the mask fades."

[[param]]
name = "smoothing"
min = 0
max = 0.5
default = 0.08
step = 0.01
unit = "s"
help = "Time over which the mask is averaged, against flicker; large changes are let through at once where the picture moves, and it takes ten times as long where nothing does."

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
output = "mask"
texture = "found"
seen = "mask_frame"
model = "model"
channel = "channel"
backend = "backend"
timing = "timing"
scale = "input_range"
colors = "input_colors"

[[texture]]
name = "history"
scale = 0.5
format = "rgba32float"
persistent = true

[[texture]]
name = "current"
scale = 0.5
format = "rg32float"

[[texture]]
name = "movements"
scale = 0.125
format = "rg32float"

[[texture]]
name = "averaged"
scale = 0.5
format = "rgba32float"

[[texture]]
name = "smoothed"
scale = 0.5
format = "rgba16float"

[[pass]]
entry = "take"
output = "current"

[[pass]]
entry = "compare"
output = "movements"

[[pass]]
entry = "average"
output = "averaged"

[[pass]]
entry = "copy_to_half"
output = "smoothed"

[[pass]]
entry = "keep"
output = "history"

[[pass]]
entry = "main"
*/

// (luma of the frame that the mask belongs to, probability).
fn take(p: vec2i) -> vec4f {
  let uv = (vec2f(p) + 0.5) / vec2f(textureDimensions(result));
  return vec4f(finite(luma(sample(mask_frame, uv).rgb)), finite(sample(found, uv).r), 0.0, 1.0);
}

fn compare(p: vec2i) -> vec4f { return vec4f(movement(current, history, p, params.smoothing), 0.0, 1.0); }
fn average(p: vec2i) -> vec4f { return vec4f(smoothed_mask(current, history, movements, p, params.smoothing), 1.0); }
fn keep(p: vec2i) -> vec4f { return texel(averaged, p); }

// As half floats, which can be sampled; steps of the slow average are too small for them.
fn copy_to_half(p: vec2i) -> vec4f { return vec4f(texel(averaged, p).g); }

fn main(p: vec2i) -> vec4f {
  let probability = sample(smoothed, uv_of(p)).r;
  return vec4f(smoothstep(params.threshold - params.softness, params.threshold + params.softness, probability));
}
