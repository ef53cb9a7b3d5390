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

[[texture]]
name = "half_a"
scale = 0.5
format = "rgba32float"

[[texture]]
name = "half_b"
scale = 0.5
format = "rgba32float"

[[pass]]
entry = "blocks"
output = "half_a"

[[pass]]
kind = "raw"
entry = "rows_of_blocks"
output = "half_b"
workgroup = [4, 16]
tile = [64, 16]

[[pass]]
kind = "raw"
entry = "lines"
output = "half_a"
workgroup = [16, 4]
tile = [16, 64]

[[pass]]
kind = "raw"
entry = "rows_of_lines"
output = "half_b"
workgroup = [4, 16]
tile = [64, 16]

[[pass]]
kind = "raw"
entry = "mean_lines"
output = "half_a"
workgroup = [16, 4]
tile = [16, 64]

[[pass]]
kind = "raw"
entry = "combine"
output = "output"
tile = [15, 15]
*/

// He, Sun, Tang, "Guided image filtering" (2010), each channel guided by itself: q = mean(a) I + mean(b) with
// a = var / (var + eps), b = (1 - a) mean. The coefficients are computed at half size (He and Sun, "Fast guided
// filter", 2015), yet from the variance of all pixels: a block of 2 x 2 pixels keeps its deviation beside its mean.
//
// Means are separable box filters. A thread walks along 16 texels and keeps a running sum, so that a texel costs two
// reads whatever the radius is. Sums are in single precision: the variance is a small difference of large numbers.

const WALK = 16;
const ACROSS = vec2i(1, 0);
const DOWN = vec2i(0, 1);

// The smallest normal number of half precision.
const TINY = 6.103515625e-5;

// Two numbers per channel in one texel, as a pass writes one texture only. They have half precision, like the
// picture. `high`, which is not negative, is at least TINY: GPUs may flush 32 bits to zero that are a denormal number.
fn pack_pair(high: vec3f, low: vec3f) -> vec4f {
  let h = max(high, vec3f(TINY));
  let bits = vec3u(pack2x16float(vec2f(low.r, h.r)), pack2x16float(vec2f(low.g, h.g)), pack2x16float(vec2f(low.b, h.b)));
  return vec4f(bitcast<vec3f>(bits), 1.0);
}

fn unpack_pair(c: vec4f) -> mat2x3f {
  let bits = bitcast<vec3u>(c.rgb);
  let r = unpack2x16float(bits.r);
  let g = unpack2x16float(bits.g);
  let b = unpack2x16float(bits.b);
  return mat2x3f(vec3f(r.y, g.y, b.y), vec3f(r.x, g.x, b.x));
}

// Moments are the means of squares and of values; a texel keeps them as deviation and mean.
fn pack_moments(m: mat2x3f) -> vec4f { return pack_pair(sqrt(max(m[0] - m[1] * m[1], vec3f(0.0))), m[1]); }

fn unpack_moments(c: vec4f) -> mat2x3f {
  let pair = unpack_pair(c);
  return mat2x3f(pair[0] * pair[0] + pair[1] * pair[1], pair[1]);
}

// Gain and offset of a window with these moments.
fn line_of(m: mat2x3f) -> vec4f {
  let variance = max(m[0] - m[1] * m[1], vec3f(0.0));
  let gain = variance / (variance + params.contrast * params.contrast);
  return pack_pair(gain, (1.0 - gain) * m[1]);
}

// What a pass sums.
const BLOCKS = 0;
const ROWS_OF_BLOCKS = 1;
const LINES = 2;
const ROWS_OF_LINES = 3;

fn term(what: i32, p: vec2i) -> mat2x3f {
  switch (what) {
    case BLOCKS: { return unpack_moments(texel(half_a, p)); }
    case ROWS_OF_BLOCKS: { return unpack_moments(texel(half_b, p)); }
    case LINES: { return unpack_pair(texel(half_a, p)); }
    default: { return unpack_pair(texel(half_b, p)); }
  }
}

fn stored(what: i32, mean: mat2x3f) -> vec4f {
  switch (what) {
    case BLOCKS: { return pack_moments(mean); }
    case ROWS_OF_BLOCKS: { return line_of(mean); }
    default: { return pack_pair(mean[0], mean[1]); }
  }
}

// The window's 2 radius + 1 pixels are radius + 1/2 blocks: 2 reach() + 1 whole ones and part() of one at each end.
fn reach() -> i32 { return (2 * params.radius - 1) / 4; }
fn part() -> f32 { return select(0.75, 0.25, (params.radius & 1) == 1); }
fn share() -> f32 { return 1.0 / (f32(params.radius) + 0.5); }

// A sum, and the terms at the ends, of which a part is in it.
struct Window { sum: mat2x3f, first: mat2x3f, last: mat2x3f }

fn window(what: i32, p: vec2i, step: vec2i) -> Window {
  let end = reach() + 1;
  let first = term(what, p - end * step);
  let last = term(what, p + end * step);
  var sum = part() * (first + last);
  for (var i = 1 - end; i < end; i++) { sum += term(what, p + i * step); }
  return Window(sum, first, last);
}

// The window about p + step, from the one about p.
fn moved(w: Window, what: i32, p: vec2i, step: vec2i) -> Window {
  let first = term(what, p - reach() * step);
  let last = term(what, p + (reach() + 2) * step);
  return Window(w.sum + part() * (last - w.first) + (1.0 - part()) * (w.last - first), first, last);
}

fn walk(what: i32, id: vec3u, step: vec2i) {
  let size = vec2i(textureDimensions(result));
  var p = vec2i(id.xy) * (1 + (WALK - 1) * step);
  if (any(p >= size)) { return; }
  var w = window(what, p, step);
  for (var i = 0; i < WALK && all(p < size); i++) {
    textureStore(result, p, stored(what, share() * w.sum));
    w = moved(w, what, p, step);
    p += step;
  }
}

// Where a side is odd, `load` repeats the last row or column, so that a block is the mean of what there is.
fn blocks(p: vec2i) -> vec4f {
  var sum = mat2x3f();
  for (var i = 0; i < 4; i++) {
    let c = load(2 * p + vec2i(i & 1, i >> 1)).rgb;
    sum += mat2x3f(c * c, c);
  }
  return pack_moments(0.25 * sum);
}

@compute @workgroup_size(4, 16) fn rows_of_blocks(@builtin(global_invocation_id) id: vec3u) { walk(BLOCKS, id, ACROSS); }
@compute @workgroup_size(16, 4) fn lines(@builtin(global_invocation_id) id: vec3u) { walk(ROWS_OF_BLOCKS, id, DOWN); }
@compute @workgroup_size(4, 16) fn rows_of_lines(@builtin(global_invocation_id) id: vec3u) { walk(LINES, id, ACROSS); }
@compute @workgroup_size(16, 4) fn mean_lines(@builtin(global_invocation_id) id: vec3u) { walk(ROWS_OF_LINES, id, DOWN); }

fn mixed(a: mat2x3f, b: mat2x3f, at: f32) -> mat2x3f { return (1.0 - at) * a + at * b; }

// A thread does the 2 x 2 pixels between the centers of four blocks, and interpolates between these. The first pixel
// of all is outside of the picture: a tile is narrower by one than what its threads cover, so that none is left out.
@compute @workgroup_size(8, 8) fn combine(@builtin(global_invocation_id) id: vec3u) {
  let size = vec2i(frame.size);
  let block = vec2i(id.xy);
  if (any(2 * block > size)) { return; }
  let upper_left = unpack_pair(texel(half_a, block - vec2i(1, 1)));
  let upper_right = unpack_pair(texel(half_a, block - vec2i(0, 1)));
  let lower_left = unpack_pair(texel(half_a, block - vec2i(1, 0)));
  let lower_right = unpack_pair(texel(half_a, block));
  for (var i = 0; i < 4; i++) {
    let q = vec2i(i & 1, i >> 1);
    let p = 2 * block - 1 + q;
    if (any(p < vec2i(0)) || any(p >= size)) { continue; }
    let at = 0.25 + 0.5 * vec2f(q);
    let line = mixed(mixed(upper_left, upper_right, at.x), mixed(lower_left, lower_right, at.x), at.y);
    let c = load(p);
    textureStore(result, p, vec4f(line[0] * c.rgb + line[1], c.a));
  }
}
