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
name = "grey"
format = "r32float"

[[texture]]
name = "slope"
format = "rg32float"

[[buffer]]
name = "weak"
type = "array<atomic<u32>>"
bytes = 4194304

[[buffer]]
name = "strong"
type = "array<atomic<u32>>"
bytes = 4194304

[[pass]]
entry = "blur_across"
output = "rows"

[[pass]]
entry = "blur_down"
output = "grey"

[[pass]]
entry = "gradient"
output = "slope"

[[pass]]
kind = "raw"
entry = "thin"
workgroup = [32, 8]

[[pass]]
kind = "raw"
entry = "grow"
workgroup = [4, 64]
tile = [128, 64]

[[pass]]
kind = "raw"
entry = "grow"
workgroup = [4, 64]
tile = [128, 64]

[[pass]]
kind = "raw"
entry = "grow"
workgroup = [4, 64]
tile = [128, 64]

[[pass]]
kind = "raw"
entry = "grow"
workgroup = [4, 64]
tile = [128, 64]

[[pass]]
kind = "raw"
entry = "grow"
workgroup = [4, 64]
tile = [128, 64]

[[pass]]
kind = "raw"
entry = "grow"
workgroup = [4, 64]
tile = [128, 64]

[[pass]]
kind = "raw"
entry = "grow"
workgroup = [4, 64]
tile = [128, 64]

[[pass]]
kind = "raw"
entry = "grow"
workgroup = [4, 64]
tile = [128, 64]

[[pass]]
kind = "raw"
entry = "grow"
workgroup = [4, 64]
tile = [128, 64]

[[pass]]
kind = "raw"
entry = "grow"
workgroup = [4, 64]
tile = [128, 64]

[[pass]]
kind = "raw"
entry = "grow"
workgroup = [4, 64]
tile = [128, 64]

[[pass]]
kind = "raw"
entry = "grow"
workgroup = [4, 64]
tile = [128, 64]

[[pass]]
kind = "raw"
entry = "grow"
workgroup = [4, 64]
tile = [128, 64]

[[pass]]
kind = "raw"
entry = "grow"
workgroup = [4, 64]
tile = [128, 64]

[[pass]]
kind = "raw"
entry = "grow"
workgroup = [4, 64]
tile = [128, 64]

[[pass]]
kind = "raw"
entry = "grow"
workgroup = [4, 64]
tile = [128, 64]

[[pass]]
entry = "main"
*/

// Canny, "A computational approach to edge detection", 1986, in the integers of cv2.Canny with L2gradient: luma is rounded to 0..255
// after the blur, directions are told apart at 22.5 degrees. Pixels are bits from then on, 32 side by side in a word, so that a
// picture of 33 million pixels (8K) fits; what lies beyond has no edges.
//
// Hysteresis is 16 passes: each fills a tile of 128 x 64 pixels completely. An edge that enters more than 16 tiles between
// its strong pixel and its end is cut there.

fn blurred(t: texture_2d<f32>, p: vec2i, direction: vec2f) -> vec4f {
  return gaussian(t, p, direction, params.blur, i32(ceil(3.0 * params.blur)));
}

fn blur_across(p: vec2i) -> vec4f { return vec4f(luma(blurred(input, p, vec2f(1.0, 0.0)).rgb)); }

fn blur_down(p: vec2i) -> vec4f {
  return vec4f(floor(clamp(blurred(rows, p, vec2f(0.0, 1.0)).r, 0.0, 1.0) * 255.0 + 0.5));
}

fn grey_at(p: vec2i) -> f32 { return texel(grey, p).r; }

fn gradient(p: vec2i) -> vec4f {
  let nw = grey_at(p + vec2i(-1, -1)); let ne = grey_at(p + vec2i(1, -1));
  let sw = grey_at(p + vec2i(-1, 1)); let se = grey_at(p + vec2i(1, 1));
  let x = ne + 2.0 * grey_at(p + vec2i(1, 0)) + se - nw - 2.0 * grey_at(p + vec2i(-1, 0)) - sw;
  let y = sw + 2.0 * grey_at(p + vec2i(0, 1)) + se - nw - 2.0 * grey_at(p + vec2i(0, -1)) - ne;
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

fn words_across() -> i32 { return (i32(frame.size.x) + 31) / 32; }

@compute @workgroup_size(32, 8) fn thin(@builtin(global_invocation_id) id: vec3u) {
  let p = vec2i(id.xy);
  let word = u32(p.y * words_across() + p.x / 32);
  if (any(p >= vec2i(frame.size)) || word >= arrayLength(&weak)) { return; }
  let m = steepness(p);
  let low = min(params.low, params.high);
  let high = max(params.low, params.high);
  if (m <= low * low || !is_ridge(p, vec2i(texel(slope, p).rg), m)) { return; }
  let bit = 1u << u32(p.x % 32);
  atomicOr(&weak[word], bit);
  if (m > high * high) { atomicOr(&strong[word], bit); }
}

// Strong words of a tile with a rim of one word around it.
var<workgroup> tile: array<u32, 396>;
var<workgroup> changed: atomic<u32>;
var<workgroup> go_on: u32;

fn strong_at(x: i32, y: i32) -> u32 {
  let word = u32(y * words_across() + x);
  if (x < 0 || x >= words_across() || y < 0 || y >= i32(frame.size.y) || word >= arrayLength(&strong)) { return 0u; }
  return atomicLoad(&strong[word]);
}

// A row and its neighbours to the left and right: bit i of the result is set where pixel i, i - 1 or i + 1 is.
fn spread(i: i32) -> u32 {
  let here = tile[i];
  return here | (here << 1u) | (here >> 1u) | (tile[i - 1] >> 31u) | (tile[i + 1] << 31u);
}

@compute @workgroup_size(4, 64)
fn grow(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_id) id: vec3u, @builtin(local_invocation_index) index: u32) {
  let corner = vec2i(group.xy) * vec2i(4, 64);
  for (var i = i32(index); i < 396; i += 256) { tile[i] = strong_at(corner.x + i % 6 - 1, corner.y + i / 6 - 1); }
  let at = corner + vec2i(id.xy);
  let word = u32(at.y * words_across() + at.x);
  let inside = at.x < words_across() && at.y < i32(frame.size.y) && word < arrayLength(&weak);
  var candidates = 0u;
  if (inside) { candidates = atomicLoad(&weak[word]); }
  let own = (i32(id.y) + 1) * 6 + i32(id.x) + 1;
  if (index == 0u) { atomicStore(&changed, 0u); }
  workgroupBarrier();
  let before = tile[own];
  // 256 rounds reach every pixel of a tile that is not a maze; the loop ends as soon as a round changes nothing.
  for (var turn = 0; turn < 256; turn++) {
    let old = tile[own];
    var grown = old | (candidates & (spread(own - 6) | spread(own) | spread(own + 6)));
    // Along the word at once: a run of candidates fills from any pixel in it.
    for (var i = 0; i < 5; i++) { grown |= candidates & ((grown << 1u) | (grown >> 1u)); }
    workgroupBarrier();
    if (grown != old) {
      tile[own] = grown;
      atomicStore(&changed, 1u);
    }
    workgroupBarrier();
    if (index == 0u) { go_on = atomicExchange(&changed, 0u); }
    if (workgroupUniformLoad(&go_on) == 0u) { break; }
  }
  if (inside && tile[own] != before) { atomicOr(&strong[word], tile[own]); }
}

fn main(p: vec2i) -> vec4f {
  let c = load(p);
  let edge = f32((strong_at(p.x / 32, p.y) >> u32(p.x % 32)) & 1u);
  switch (params.style) {
    case 1: { return vec4f(vec3f(1.0 - edge), c.a); }
    case 2: { return vec4f(mix(c.rgb, vec3f(1.0), edge), c.a); }
    default: { return vec4f(vec3f(edge), c.a); }
  }
}
