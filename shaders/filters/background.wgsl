/* lightloom
title = "Background"
group = "Networks"
help = "Finds people, or another class, with a neural network, and blurs, replaces, dims or cuts out what is behind them."
tags = ["neural", "network", "onnx", "person", "segmentation", "mask", "virtual background", "webcam", "green screen"]
use = ["gaussian", "guided_lines", "mask_smoothing"]

[[param]]
name = "model"
type = "model"
tasks = ["mask"]
label = "Network"
help = "The bundled person mask, or an .onnx file that gives a mask."

[[param]]
name = "mode"
type = "choice"
choices = ["blur", "colour", "image", "dim", "cut out", "mask"]
help = "What becomes of the background; cut out makes it transparent, mask shows where the person is in white."

[[param]]
name = "blur"
min = 0
max = 48
default = 16
step = 0.5
unit = "px"
help = "Standard deviation of the blur."
when = { mode = "blur" }

[[param]]
name = "color"
label = "Color"
type = "color"
default = "#00b140"
help = "What is put in its place."
when = { mode = "colour" }

[[param]]
name = "picture"
label = "Image"
type = "image"
help = "What is put in its place; it fills the frame, what stands over is cut off."
when = { mode = "image" }

[[param]]
name = "dim"
min = 0
max = 1
default = 0.25
step = 0.01
help = "What is left of the background's light."
when = { mode = "dim" }

[[param]]
name = "threshold"
min = 0
max = 1
default = 0.5
step = 0.01
help = "Probability from which on a pixel belongs to the person."

[[param]]
name = "feather"
min = 0.005
max = 0.5
default = 0.2
step = 0.005
help = "Softness of the border: half the range of probability over which the person fades."

[[param]]
name = "edges"
type = "int"
min = 0
max = 8
default = 3
help = "How far the border is drawn to the picture's own edges: half width of the window in blocks of 4 pixels; 0 leaves the mask as it is."

[[param]]
name = "smoothing"
min = 0
max = 0.5
default = 0.08
step = 0.01
unit = "s"
help = "Time over which the mask is averaged, against flicker; large changes are let through at once where the picture moves, and it takes ten times as long where nothing does."

[[param]]
name = "invert"
type = "bool"
default = false
help = "Treat the person instead of the background."

[[param]]
name = "backend"
type = "choice"
help = "Where the network is computed; auto takes the GPU where there is one."

[[param]]
name = "timing"
type = "choice"
choices = ["newest result", "in step"]
help = "Where results come later than their pictures: the newest result with the newest picture, or each picture with its own result, later."

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

[[param]]
name = "channel"
label = "Class"
type = "int"
min = -1
max = 255
default = -1
help = "Which channel or class of the network is the mask; -1 takes the person's."

[network]
output = "mask"
texture = "mask"
seen = "mask_frame"
model = "model"
backend = "backend"
timing = "timing"
scale = "input_range"
colors = "input_colors"
channel = "channel"

[[texture]]
name = "history"
scale = 0.25
format = "rgba32float"
persistent = true

[[texture]]
name = "current"
scale = 0.25
format = "rg32float"

[[texture]]
name = "movements"
scale = 0.125
format = "rg32float"

[[texture]]
name = "pair"
scale = 0.25
format = "rgba32float"

[[texture]]
name = "rows"
scale = 0.25
format = "rgba32float"

[[texture]]
name = "fit"
scale = 0.25
format = "rg32float"

[[texture]]
name = "fit_rows"
scale = 0.25
format = "rg32float"

[[texture]]
name = "line"
scale = 0.25

[[texture]]
name = "far"
scale = 0.25

[[texture]]
name = "far_rows"
scale = 0.25

[[texture]]
name = "far_blurred"
scale = 0.25

[[pass]]
entry = "take"
output = "current"

[[pass]]
entry = "compare"
output = "movements"

[[pass]]
entry = "guide"
output = "pair"

[[pass]]
entry = "keep"
output = "history"

[[pass]]
entry = "mean_across"
output = "rows"

[[pass]]
entry = "fit_line"
output = "fit"

[[pass]]
entry = "line_across"
output = "fit_rows"

[[pass]]
entry = "line_down"
output = "line"

[[pass]]
entry = "behind"
output = "far"

[[pass]]
entry = "blur_across"
output = "far_rows"

[[pass]]
entry = "blur_down"
output = "far_blurred"

[[pass]]
entry = "main"
*/

// The mask is smoothed over time, then drawn to the picture's edges (guided_lines). The background is blurred at a quarter of the size.

const BLUR = 0;
const COLOR = 1;
const IMAGE = 2;
const CUT_OUT = 4;
const MASK = 5;

// (luma of the frame that the mask belongs to, mask) of a block.
fn take(p: vec2i) -> vec4f {
  let uv = block_uv(p);
  return vec4f(finite(luma(block(mask_frame, uv).rgb)), finite(block(mask, uv).r), 0.0, 1.0);
}

fn compare(p: vec2i) -> vec4f { return vec4f(movement(current, history, p, params.smoothing), 0.0, 1.0); }

// (luma, mask) of a block of the frame; then luma and movement for the next one.
fn guide(p: vec2i) -> vec4f {
  let kept = smoothed_mask(current, history, movements, p, params.smoothing);
  return vec4f(luma(block(input, block_uv(p)).rgb), kept.g, kept.r, kept.b);
}

fn keep(p: vec2i) -> vec4f { return vec4f(texel(pair, p).bga, 1.0); }

fn mean_across(p: vec2i) -> vec4f { return moments_across(pair, p, params.edges); }
fn fit_line(p: vec2i) -> vec4f { return fitted_line(rows, p, params.edges); }
fn line_across(p: vec2i) -> vec4f { return mean_line(fit, p, vec2i(1, 0), params.edges); }
fn line_down(p: vec2i) -> vec4f { return mean_line(fit_rows, p, vec2i(0, 1), params.edges); }

// What belongs to the person, 0 to 1.
fn person(uv: vec2f, c: vec3f) -> f32 {
  let l = sample(line, uv).rg;
  let probability = clamp(l.r * luma(c) + l.g, 0.0, 1.0);
  let inside = smoothstep(params.threshold - params.feather, params.threshold + params.feather, probability);
  return select(inside, 1.0 - inside, params.invert == 1u);
}

// The background alone, premultiplied: blurring that, and dividing by its opacity, keeps the person's colors out of it.
fn behind(p: vec2i) -> vec4f {
  if (params.mode != BLUR) { return vec4f(0.0); }
  let uv = block_uv(p);
  let c = block(input, uv).rgb;
  // A trace of everything stays, so that there is a color behind a person who fills the window.
  let share = max(1.0 - person(uv, c), 1e-3);
  return vec4f(c * share, share);
}

fn blurred(t: texture_2d<f32>, p: vec2i, direction: vec2f) -> vec4f {
  if (params.mode != BLUR) { return vec4f(0.0); }
  let sigma = 0.25 * params.blur;
  return gaussian(t, p, direction, sigma, i32(ceil(3.0 * sigma)));
}

fn blur_across(p: vec2i) -> vec4f { return blurred(far, p, vec2f(1.0, 0.0)); }
fn blur_down(p: vec2i) -> vec4f { return blurred(far_rows, p, vec2f(0.0, 1.0)); }

// The image, centered and as large as it must be to fill the frame.
fn filling(uv: vec2f) -> vec3f {
  let size = vec2f(textureDimensions(picture));
  let ratio = (frame.size.x / frame.size.y) / (size.x / size.y);
  let scale = select(vec2f(ratio, 1.0), vec2f(1.0, 1.0 / ratio), ratio > 1.0);
  return sample(picture, 0.5 + (uv - 0.5) * scale).rgb;
}

fn background(uv: vec2f, c: vec3f) -> vec3f {
  switch (params.mode) {
    case BLUR: {
      let b = sample(far_blurred, uv);
      return select(b.rgb / max(b.a, 1e-6), c, params.blur == 0.0);
    }
    case COLOR: { return params.color.rgb; }
    case IMAGE: { return filling(uv); }
    default: { return from_linear(to_linear(c) * params.dim); }
  }
}

fn main(p: vec2i) -> vec4f {
  let c = load(p);
  let uv = uv_of(p);
  let inside = person(uv, c.rgb);
  switch (params.mode) {
    case CUT_OUT: { return vec4f(c.rgb, c.a * inside); }
    case MASK: { return vec4f(vec3f(inside), 1.0); }
    default: { return vec4f(mix(background(uv, c.rgb), c.rgb, inside), c.a); }
  }
}
