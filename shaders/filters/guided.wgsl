/* lightloom
title = "Guided smoothing"
group = "Detail"
help = "Smooths surfaces and keeps edges with a guided filter; its cost does not grow with the radius."
tags = ["denoise", "smooth", "edge-preserving", "skin"]

[[param]]
name = "radius"
type = "int"
min = 1
max = 32
default = 8
unit = "px"
help = "Half width of the square window."

[[param]]
name = "contrast"
label = "Edge contrast"
min = 0.005
max = 0.5
default = 0.08
step = 0.005
help = "Standard deviation within the window that still counts as texture and is smoothed; more is an edge and stays."

[[param]]
name = "strength"
min = 0
max = 1
default = 1
step = 0.01
help = "Mix of the picture and the smoothed one; 0 changes nothing."

[[texture]]
name = "rows_a"
format = "rgba32float"

[[texture]]
name = "rows_b"
format = "rgba32float"

[[texture]]
name = "mean"
format = "rgba32float"

[[texture]]
name = "gain"

[[pass]]
kind = "raw"
entry = "rows_of_value"
output = "rows_a"
workgroup = [4, 16]
tile = [128, 16]

[[pass]]
kind = "raw"
entry = "rows_of_square"
output = "rows_b"
workgroup = [4, 16]
tile = [128, 16]

[[pass]]
kind = "raw"
entry = "mean_of_value"
output = "mean"
workgroup = [16, 4]
tile = [16, 128]

[[pass]]
kind = "raw"
entry = "gain_of_variance"
output = "gain"
workgroup = [16, 4]
tile = [16, 128]

[[pass]]
kind = "raw"
entry = "rows_of_gain"
output = "rows_a"
workgroup = [4, 16]
tile = [128, 16]

[[pass]]
kind = "raw"
entry = "rows_of_offset"
output = "rows_b"
workgroup = [4, 16]
tile = [128, 16]

[[pass]]
kind = "raw"
entry = "combine"
output = "output"
workgroup = [16, 4]
tile = [16, 128]
*/

// He, Sun, Tang, "Guided image filtering" (2010), each channel guided by itself: q = mean(a) I + mean(b) with
// a = var / (var + eps), b = (1 - a) mean. Sums are in single precision: the variance is a small difference of large numbers.
//
// Means are separable box filters. A thread walks along 32 texels and keeps a running sum, so that a texel costs two reads
// whatever the radius is.

const WALK = 32;

const VALUE = 0;
const SQUARE = 1;
const GAIN = 2;
const OFFSET = 3;
const ROWS_A = 4;
const ROWS_B = 5;

fn term(what: i32, p: vec2i) -> vec3f {
  switch (what) {
    case VALUE: { return load(p).rgb; }
    case SQUARE: { let c = load(p).rgb; return c * c; }
    case GAIN: { return texel(gain, p).rgb; }
    case OFFSET: { return (1.0 - texel(gain, p).rgb) * texel(mean, p).rgb; }
    case ROWS_A: { return texel(rows_a, p).rgb; }
    default: { return texel(rows_b, p).rgb; }
  }
}

fn window_sum(what: i32, p: vec2i, step: vec2i) -> vec3f {
  var sum = vec3f(0.0);
  for (var i = -params.radius; i <= params.radius; i++) { sum += term(what, p + i * step); }
  return sum;
}

// Sum about p + step, from the sum about p.
fn moved(sum: vec3f, what: i32, p: vec2i, step: vec2i) -> vec3f {
  return sum + term(what, p + (params.radius + 1) * step) - term(what, p - params.radius * step);
}

fn share() -> f32 { return 1.0 / f32(2 * params.radius + 1); }

fn walk_across(what: i32, id: vec3u) {
  let size = vec2i(frame.size);
  var p = vec2i(id.xy) * vec2i(WALK, 1);
  if (any(p >= size)) { return; }
  let end = min(p.x + WALK, size.x);
  var sum = window_sum(what, p, vec2i(1, 0));
  for (; p.x < end; p.x++) {
    textureStore(result, p, vec4f(sum * share(), 1.0));
    sum = moved(sum, what, p, vec2i(1, 0));
  }
}

@compute @workgroup_size(4, 16) fn rows_of_value(@builtin(global_invocation_id) id: vec3u) { walk_across(VALUE, id); }
@compute @workgroup_size(4, 16) fn rows_of_square(@builtin(global_invocation_id) id: vec3u) { walk_across(SQUARE, id); }
@compute @workgroup_size(4, 16) fn rows_of_gain(@builtin(global_invocation_id) id: vec3u) { walk_across(GAIN, id); }
@compute @workgroup_size(4, 16) fn rows_of_offset(@builtin(global_invocation_id) id: vec3u) { walk_across(OFFSET, id); }

@compute @workgroup_size(16, 4) fn mean_of_value(@builtin(global_invocation_id) id: vec3u) {
  let size = vec2i(frame.size);
  var p = vec2i(id.xy) * vec2i(1, WALK);
  if (any(p >= size)) { return; }
  let end = min(p.y + WALK, size.y);
  var sum = window_sum(ROWS_A, p, vec2i(0, 1));
  for (; p.y < end; p.y++) {
    textureStore(result, p, vec4f(sum * share(), 1.0));
    sum = moved(sum, ROWS_A, p, vec2i(0, 1));
  }
}

@compute @workgroup_size(16, 4) fn gain_of_variance(@builtin(global_invocation_id) id: vec3u) {
  let size = vec2i(frame.size);
  var p = vec2i(id.xy) * vec2i(1, WALK);
  if (any(p >= size)) { return; }
  let end = min(p.y + WALK, size.y);
  var sum = window_sum(ROWS_B, p, vec2i(0, 1));
  for (; p.y < end; p.y++) {
    let m = texel(mean, p).rgb;
    let variance = max(sum * share() - m * m, vec3f(0.0));
    textureStore(result, p, vec4f(variance / (variance + params.contrast * params.contrast), 1.0));
    sum = moved(sum, ROWS_B, p, vec2i(0, 1));
  }
}

@compute @workgroup_size(16, 4) fn combine(@builtin(global_invocation_id) id: vec3u) {
  let size = vec2i(frame.size);
  var p = vec2i(id.xy) * vec2i(1, WALK);
  if (any(p >= size)) { return; }
  let end = min(p.y + WALK, size.y);
  var a = window_sum(ROWS_A, p, vec2i(0, 1));
  var b = window_sum(ROWS_B, p, vec2i(0, 1));
  for (; p.y < end; p.y++) {
    let c = load(p);
    let smoothed = (a * c.rgb + b) * share();
    textureStore(result, p, vec4f(mix(c.rgb, smoothed, params.strength), c.a));
    a = moved(a, ROWS_A, p, vec2i(0, 1));
    b = moved(b, ROWS_B, p, vec2i(0, 1));
  }
}
