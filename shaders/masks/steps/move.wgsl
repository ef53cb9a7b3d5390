/* lightloom
title = "Move"
help = "Moves a late mask to the frame, by the motion since the frame that the mask was made of."
use = ["guided_lines"]

[given]
source = "mask"
texture = "before"

[[texture]]
name = "quarter"
scale = 0.25

[[texture]]
name = "eighth"
scale = 0.125

[[texture]]
name = "sixteenth"
scale = 0.0625

[[texture]]
name = "tiny"
scale = 0.03125

[[texture]]
name = "far"
scale = 0.03125
format = "rgba32float"

[[texture]]
name = "middle"
scale = 0.0625
format = "rgba32float"

[[texture]]
name = "near"
scale = 0.125
format = "rgba32float"

[[texture]]
name = "fine"
scale = 0.125
format = "rgba32float"

[[buffer]]
name = "sums"
type = "array<atomic<u32>, 2>"
bytes = 16

[[pass]]
entry = "both"
output = "quarter"

[[pass]]
entry = "halve_quarter"
output = "eighth"

[[pass]]
entry = "halve_eighth"
output = "sixteenth"

[[pass]]
entry = "halve_sixteenth"
output = "tiny"

[[pass]]
entry = "find_far"
output = "far"

[[pass]]
kind = "raw"
entry = "compare"
cover = "tiny"

[[pass]]
entry = "find_middle"
output = "middle"

[[pass]]
entry = "find_near"
output = "near"

[[pass]]
entry = "find_fine"
output = "fine"

[[pass]]
entry = "main"
*/

// Hierarchical block matching: at each scale, from 1/32 to 1/4 of the size, windows of the frame are searched in the mask's frame, about
// where the scale before found them. Vectors are in uv, from a place in the frame to where it was: what is at uv was at uv + vector.

const WINDOW = 2;
// Differences are means of a window in 0..1. Motion must be better than none by this much for each texel, or areas without texture drift.
const COST_OF_MOTION = 5e-4;
// A scene ends between the images (media/scene_cuts.py) if luma differs by this much in the mean, and motion does not explain it.
const CUT = 27.0 / 255.0;
const UNEXPLAINED = 0.4;
const FIXED = 4096.0;

// Luma and a difference of colors, of the frame and the mask's frame.
fn features(c: vec3f) -> vec2f { return vec2f(luma(c), 0.5 * (c.r - c.b)); }

fn both(p: vec2i) -> vec4f {
  let uv = block_uv(p);
  return clamp(vec4f(features(block(original, uv).rgb), features(block(before, uv).rgb)), vec4f(-1.0), vec4f(1.0));
}

fn halve_quarter(p: vec2i) -> vec4f { return sample(quarter, block_uv(p)); }
fn halve_eighth(p: vec2i) -> vec4f { return sample(eighth, block_uv(p)); }
fn halve_sixteenth(p: vec2i) -> vec4f { return sample(sixteenth, block_uv(p)); }

// By how much the window about uv differs from where a vector says that it was.
fn difference(t: texture_2d<f32>, uv: vec2f, vector: vec2f) -> f32 {
  let size = vec2f(textureDimensions(t));
  var sum = 0.0;
  for (var y = -WINDOW; y <= WINDOW; y++) {
    for (var x = -WINDOW; x <= WINDOW; x++) {
      let at = uv + vec2f(f32(x), f32(y)) / size;
      let d = abs(sample(t, at).rg - sample(t, at + vector).ba);
      sum += d.x + d.y;
    }
  }
  let width = f32(2 * WINDOW + 1);
  return sum / (width * width) + COST_OF_MOTION * length(vector * size);
}

// The better of a vector that is known with its difference (x, y, difference) and another one.
fn better(t: texture_2d<f32>, uv: vec2f, known: vec3f, vector: vec2f) -> vec3f {
  let other = difference(t, uv, vector);
  return select(known, vec3f(vector, other), other < known.z);
}

fn around(t: texture_2d<f32>, uv: vec2f, from_: vec3f, reach: i32) -> vec3f {
  let size = vec2f(textureDimensions(t));
  var best = from_;
  for (var y = -reach; y <= reach; y++) {
    for (var x = -reach; x <= reach; x++) {
      if (x != 0 || y != 0) { best = better(t, uv, best, from_.xy + vec2f(f32(x), f32(y)) / size); }
    }
  }
  return best;
}

// No motion, or that of a neighbor at the scale before.
fn first_guess(t: texture_2d<f32>, coarse: texture_2d<f32>, uv: vec2f) -> vec3f {
  var best = vec3f(0.0, 0.0, difference(t, uv, vec2f(0.0)));
  let corner = vec2i(floor(uv * vec2f(textureDimensions(coarse)) - 0.5));
  for (var i = 0; i < 4; i++) {
    best = better(t, uv, best, texel(coarse, corner + vec2i(i & 1, i >> 1)).xy);
  }
  return best;
}

fn find_far(p: vec2i) -> vec4f {
  let uv = block_uv(p);
  return vec4f(around(tiny, uv, vec3f(0.0, 0.0, difference(tiny, uv, vec2f(0.0))), 4), 0.0);
}

@compute @workgroup_size(8, 8) fn compare(@builtin(global_invocation_id) id: vec3u) {
  let size = textureDimensions(tiny);
  if (any(id.xy >= size)) { return; }
  let p = vec2i(id.xy);
  let here = texel(tiny, p);
  let moved = sample(tiny, (vec2f(p) + 0.5) / vec2f(size) + texel(far, p).xy);
  atomicAdd(&sums[0], u32(FIXED * min(abs(here.r - here.b), 1.0)));
  atomicAdd(&sums[1], u32(FIXED * min(abs(here.r - moved.b), 1.0)));
}

fn is_cut() -> bool {
  let size = textureDimensions(tiny);
  let plain = f32(atomicLoad(&sums[0]));
  return plain > CUT * FIXED * f32(size.x * size.y) && f32(atomicLoad(&sums[1])) > UNEXPLAINED * plain;
}

fn find_middle(p: vec2i) -> vec4f {
  let uv = block_uv(p);
  return vec4f(around(sixteenth, uv, first_guess(sixteenth, far, uv), 2), 0.0);
}

fn find_near(p: vec2i) -> vec4f {
  let uv = block_uv(p);
  return vec4f(around(eighth, uv, first_guess(eighth, middle, uv), 1), 0.0);
}

// Where a parabola through three differences one texel apart is least, in texels from the middle one.
fn least(low: f32, middle_one: f32, high: f32) -> f32 {
  let bend = low + high - 2.0 * middle_one;
  return select(0.0, clamp(0.5 * (low - high) / bend, -0.5, 0.5), bend > 1e-5);
}

fn find_fine(p: vec2i) -> vec4f {
  if (is_cut()) { return vec4f(0.0); }
  let uv = block_uv(p);
  let found = around(quarter, uv, first_guess(quarter, near, uv), 1);
  if (all(found.xy == vec2f(0.0))) { return vec4f(0.0); }
  let one = 1.0 / vec2f(textureDimensions(quarter));
  let x = least(difference(quarter, uv, found.xy - vec2f(one.x, 0.0)), found.z, difference(quarter, uv, found.xy + vec2f(one.x, 0.0)));
  let y = least(difference(quarter, uv, found.xy - vec2f(0.0, one.y)), found.z, difference(quarter, uv, found.xy + vec2f(0.0, one.y)));
  return vec4f(found.xy + vec2f(x, y) * one, 0.0, 0.0);
}

// Difference of a pixel and four about it from where a vector says that they were.
fn difference_here(uv: vec2f, vector: vec2f) -> f32 {
  let d = 2.0 / frame.size;
  var sum = 0.0;
  for (var i = 0; i < 5; i++) {
    let at = uv + d * vec2f(f32(i32(i == 1) - i32(i == 2)), f32(i32(i == 3) - i32(i == 4)));
    let change = abs(sample(original, at).rgb - sample(before, at + vector).rgb);
    sum += change.r + change.g + change.b;
  }
  return sum;
}

// Of the four vectors about a pixel the one that fits it best: at an object's edge some are those of what is behind it.
fn main(p: vec2i) -> vec4f {
  let uv = uv_of(p);
  let at = uv * vec2f(textureDimensions(fine)) - 0.5;
  let corner = vec2i(floor(at));
  var values: array<f32, 4>;
  var vectors: array<vec2f, 4>;
  for (var i = 0; i < 4; i++) {
    vectors[i] = texel(fine, corner + vec2i(i & 1, i >> 1)).xy;
    values[i] = sample(input, uv + vectors[i]).r;
  }
  let low = min(min(values[0], values[1]), min(values[2], values[3]));
  let high = max(max(values[0], values[1]), max(values[2], values[3]));
  let nearest = i32(round(fract(at.x))) + 2 * i32(round(fract(at.y)));
  if (high - low < 0.01) { return vec4f(values[nearest]); }
  var best = nearest;
  var smallest = difference_here(uv, vectors[nearest]);
  for (var i = 0; i < 4; i++) {
    let other = difference_here(uv, vectors[i]);
    if (other < smallest - 1e-3) { best = i; smallest = other; }
  }
  return vec4f(values[best]);
}
