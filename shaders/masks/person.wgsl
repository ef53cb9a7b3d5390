/* lightloom
title = "Person or class"
group = "Objects"
help = "People, or another class, found by a segmentation network."
tags = ["neural", "network", "onnx", "segmentation", "selfie", "matting", "sky", "road", "hair"]

[[param]]
name = "model"
type = "model"
tasks = ["mask"]
label = "Network"
help = "A bundled person mask, or an .onnx file that gives a mask or classes of pixels."

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
help = "Time over which the mask is averaged, against flicker; what changes much is let through at once."

[[param]]
name = "backend"
type = "choice"
help = "Where the network is computed; auto takes the GPU where there is one, and on a discrete GPU the large person mask in place of the small one."

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
model = "model"
channel = "channel"
backend = "backend"
timing = "timing"
scale = "input_range"
colors = "input_colors"

[[texture]]
name = "history"
scale = 0.5
format = "r32float"
persistent = true

[[texture]]
name = "smoothed"
scale = 0.5
format = "rgba16float"

[[pass]]
entry = "average"
output = "smoothed"

[[pass]]
entry = "keep"
output = "history"

[[pass]]
entry = "main"
*/

// The probability, smoothed over time by a first-order filter that lets large changes through.
fn average(p: vec2i) -> vec4f {
  let now = sample(found, (vec2f(p) + 0.5) / vec2f(textureDimensions(result))).r;
  let before = texel(history, p).r;
  let share = select(1.0 - exp(-frame.delta / max(params.smoothing, 1e-4)), 1.0, frame.reset == 1u || params.smoothing == 0.0);
  return vec4f(mix(before, now, max(share, smoothstep(0.4, 0.8, abs(now - before)))));
}

fn keep(p: vec2i) -> vec4f { return vec4f(texel(smoothed, p).r); }

fn main(p: vec2i) -> vec4f {
  let probability = sample(smoothed, uv_of(p)).r;
  return vec4f(smoothstep(params.threshold - params.softness, params.threshold + params.softness, probability));
}
