/* lightloom
title = "Canny edges"
group = "Edges"
help = "Thin, connected outlines: blur, gradient, non-maximum suppression, two thresholds, hysteresis."
tags = ["outline", "contour", "edge detection", "line drawing"]
use = ["gaussian"]

[[param]]
name = "blur"
min = 0
max = 5
default = 1.4
step = 0.1
unit = "px"
help = "Standard deviation of the blur before the search; more finds fewer, larger outlines."

[[param]]
name = "low"
min = 0
max = 500
default = 40
step = 1
help = "Steepness that continues an edge: length of the 3 x 3 Sobel gradient of luma from 0 to 255."

[[param]]
name = "high"
min = 0
max = 500
default = 100
step = 1
help = "Steepness that begins an edge, in the same measure; below the low threshold it counts as that."

[[param]]
name = "style"
type = "choice"
choices = ["white_on_black", "black_on_white", "over_picture"]
default = "white_on_black"
help = "How edges are drawn."

[[texture]]
name = "rows"
format = "rgba16float"

[[texture]]
name = "gray"
format = "r32float"

[[texture]]
name = "slope"
format = "rg32float"

[[texture]]
name = "ridge"
format = "r32float"

[[buffer]]
name = "labels"
type = "array<atomic<u32>>"
bytes = 33554432
clear = false

[[pass]]
entry = "blur_across"
output = "rows"

[[pass]]
entry = "blur_down"
output = "gray"

[[pass]]
entry = "gradient"
output = "slope"

[[pass]]
entry = "thin"
output = "ridge"

[[pass]]
kind = "raw"
entry = "connect"
workgroup = [8, 8]
tile = [16, 16]

[[pass]]
kind = "raw"
entry = "settle"
workgroup = [8, 8]
tile = [16, 16]

[[pass]]
entry = "main"
*/

// Canny, "A computational approach to edge detection", 1986, in the integers of cv2.Canny with L2gradient: luma is rounded to 0..255
// after the blur, directions are told apart at 22.5 degrees. What lies beyond the picture has no edges.
//
// Hysteresis is complete, however long an edge is: ridges are joined to connected components by union-find on blocks of 2 x 2 pixels
// (whose pixels all touch each other), with the lock-free union of Komura, "GPU-based cluster-labeling algorithm without the use of
// conventional iteration", 2015, and the blocks of Allegretti, Bolelli and Grana, "Optimized block-based algorithms to label connected
// components on GPUs", 2020. A component with one strong pixel is an edge. Growing edges step by step instead would take as many
// passes as the longest one needs. Blocks fill 32 MiB for a picture of 33 million pixels (8K); edges end where blocks do.

fn blurred(t: texture_2d<f32>, p: vec2i, direction: vec2f) -> vec4f {
  return gaussian(t, p, direction, params.blur, i32(ceil(3.0 * params.blur)));
}

fn blur_across(p: vec2i) -> vec4f { return vec4f(luma(blurred(input, p, vec2f(1.0, 0.0)).rgb)); }

fn blur_down(p: vec2i) -> vec4f {
  return vec4f(floor(clamp(blurred(rows, p, vec2f(0.0, 1.0)).r, 0.0, 1.0) * 255.0 + 0.5));
}

fn gray_at(p: vec2i) -> f32 { return texel(gray, p).r; }

fn gradient(p: vec2i) -> vec4f {
  let nw = gray_at(p + vec2i(-1, -1)); let ne = gray_at(p + vec2i(1, -1));
  let sw = gray_at(p + vec2i(-1, 1)); let se = gray_at(p + vec2i(1, 1));
  let x = ne + 2.0 * gray_at(p + vec2i(1, 0)) + se - nw - 2.0 * gray_at(p + vec2i(-1, 0)) - sw;
  let y = sw + 2.0 * gray_at(p + vec2i(0, 1)) + se - nw - 2.0 * gray_at(p + vec2i(0, -1)) - ne;
  return vec4f(x, y, 0.0, 0.0);
}

// Squared length of the gradient, an integer below 2^24; 0 outside of the picture.
fn steepness(p: vec2i) -> f32 {
  let inside = all(p >= vec2i(0)) && all(p < vec2i(frame.size));
  let d = texel(slope, p).rg;
  return select(0.0, dot(d, d), inside);
}

fn is_ridge(p: vec2i, d: vec2i, m: f32) -> bool {
  let x = abs(d.x);
  let y = abs(d.y) << 15u;
  let flat = x * 13573; // tan(22.5 deg) * 2^15
  if (y < flat) { return m > steepness(p - vec2i(1, 0)) && m >= steepness(p + vec2i(1, 0)); }
  if (y > flat + (x << 16u)) { return m > steepness(p - vec2i(0, 1)) && m >= steepness(p + vec2i(0, 1)); }
  let diagonal = vec2i(select(1, -1, (d.x ^ d.y) < 0), 1);
  return m > steepness(p - diagonal) && m > steepness(p + diagonal);
}

const NONE = 0.0;
const WEAK = 1.0;
const STRONG = 2.0;

// A label is the block's parent, a block of a lower or the same number; the highest bit of a root says that its component is strong.
const IS_STRONG = 0x80000000u;

fn blocks_across() -> i32 { return (i32(frame.size.x) + 1) / 2; }

// Number of the block of pixel p.
fn block_of(p: vec2i) -> u32 { return u32((p.y / 2) * blocks_across() + p.x / 2); }

// NONE, WEAK or STRONG; beside it, each block becomes a component of its own.
fn thin(p: vec2i) -> vec4f {
  let block = block_of(p);
  if (block >= arrayLength(&labels)) { return vec4f(NONE); }
  if (all((p & vec2i(1)) == vec2i(0))) { atomicStore(&labels[block], block); }
  let m = steepness(p);
  let low = min(params.low, params.high);
  let high = max(params.low, params.high);
  if (m <= low * low || !is_ridge(p, vec2i(texel(slope, p).rg), m)) { return vec4f(NONE); }
  return vec4f(select(WEAK, STRONG, m > high * high));
}

fn ridge_at(p: vec2i) -> f32 {
  let inside = all(p >= vec2i(0)) && all(p < vec2i(frame.size));
  return select(NONE, texel(ridge, p).r, inside);
}

fn is_marked(p: vec2i) -> bool { return ridge_at(p) != NONE; }

fn parent_of(block: u32) -> u32 { return atomicLoad(&labels[block]) & ~IS_STRONG; }

// On the way every other block is made to point at its grandparent, without which a long edge would be one long chain.
fn root_of(block: u32) -> u32 {
  var at = block;
  var parent = parent_of(at);
  while (parent != at) {
    let above = parent_of(parent);
    if (above != parent) { atomicMin(&labels[at], above); }
    at = above;
    parent = parent_of(at);
  }
  return at;
}

// Joins two components. Parents only ever fall and each is one atomic word, so the outcome does not depend on who comes first.
fn join(one: u32, other: u32) {
  var a = root_of(one);
  var b = root_of(other);
  while (a != b) {
    let high = max(a, b);
    b = min(a, b);
    a = atomicMin(&labels[high], b);
    if (a == high) { return; }
    // It was no root any more: what it has been joined to meanwhile belongs to both.
    a = root_of(a);
    b = root_of(b);
  }
}

// One thread is a block: joined with its neighbors to the left and above, where pixels of both touch.
@compute @workgroup_size(8, 8) fn connect(@builtin(global_invocation_id) id: vec3u) {
  let p = 2 * vec2i(id.xy);
  if (any(p >= vec2i(frame.size)) || block_of(p) >= arrayLength(&labels)) { return; }
  let nw = is_marked(p); let ne = is_marked(p + vec2i(1, 0));
  let sw = is_marked(p + vec2i(0, 1)); let se = is_marked(p + vec2i(1, 1));
  if (!(nw || ne || sw || se)) { return; }
  let block = block_of(p);
  let above = block - u32(blocks_across());
  if ((nw || sw) && (is_marked(p + vec2i(-1, 0)) || is_marked(p + vec2i(-1, 1)))) { join(block, block - 1u); }
  if ((nw || ne) && (is_marked(p + vec2i(0, -1)) || is_marked(p + vec2i(1, -1)))) { join(block, above); }
  if (nw && is_marked(p + vec2i(-1, -1))) { join(block, above - 1u); }
  if (ne && is_marked(p + vec2i(2, -1))) { join(block, above + 1u); }
}

// Every block of a ridge points at its root, and the roots of strong pixels are marked.
@compute @workgroup_size(8, 8) fn settle(@builtin(global_invocation_id) id: vec3u) {
  let p = 2 * vec2i(id.xy);
  if (any(p >= vec2i(frame.size)) || block_of(p) >= arrayLength(&labels)) { return; }
  let most = max(max(ridge_at(p), ridge_at(p + vec2i(1, 0))), max(ridge_at(p + vec2i(0, 1)), ridge_at(p + 1)));
  if (most == NONE) { return; }
  let block = block_of(p);
  let root = root_of(block);
  if (root != block) { atomicStore(&labels[block], root); }
  if (most == STRONG) { atomicOr(&labels[root], IS_STRONG); }
}

fn is_edge(p: vec2i) -> bool {
  if (!is_marked(p)) { return false; }
  return (atomicLoad(&labels[parent_of(block_of(p))]) & IS_STRONG) != 0u;
}

fn main(p: vec2i) -> vec4f {
  let c = load(p);
  let edge = select(0.0, 1.0, is_edge(p));
  switch (params.style) {
    case 1: { return vec4f(vec3f(1.0 - edge), c.a); }
    case 2: { return vec4f(mix(c.rgb, vec3f(1.0), edge), c.a); }
    default: { return vec4f(vec3f(edge), c.a); }
  }
}
