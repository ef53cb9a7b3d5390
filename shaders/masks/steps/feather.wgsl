/* lightloom
title = "Feather"
help = "Blurs the mask with a Gaussian; one of more than 8 pixels at a quarter of the size."
use = ["gaussian"]

[[param]]
name = "feather"
min = 0
max = 10
default = 0
unit = "%"

[[texture]]
name = "rows"

[[texture]]
name = "small"
scale = 0.25

[[texture]]
name = "small_rows"
scale = 0.25

[[texture]]
name = "small_blurred"
scale = 0.25

[[pass]]
entry = "across"
output = "rows"

[[pass]]
entry = "shrink"
output = "small"

[[pass]]
entry = "small_across"
output = "small_rows"

[[pass]]
entry = "small_down"
output = "small_blurred"

[[pass]]
entry = "main"
*/

fn sigma() -> f32 { return 0.01 * params.feather * frame.size.y; }
fn is_large() -> bool { return sigma() > 8.0; }

fn across(p: vec2i) -> vec4f {
  if (is_large()) { return vec4f(0.0); }
  return gaussian(input, p, vec2f(1.0, 0.0), sigma(), i32(ceil(3.0 * sigma())));
}

// Mean of 4 x 4 pixels.
fn shrink(p: vec2i) -> vec4f {
  if (!is_large()) { return vec4f(0.0); }
  let uv = (vec2f(p) + 0.5) / vec2f(textureDimensions(result));
  let d = 1.0 / frame.size;
  return 0.25 * (sample(input, uv + d * vec2f(1.0, 1.0)) + sample(input, uv + d * vec2f(-1.0, 1.0))
    + sample(input, uv + d * vec2f(1.0, -1.0)) + sample(input, uv + d * vec2f(-1.0, -1.0)));
}

fn small_across(p: vec2i) -> vec4f {
  if (!is_large()) { return vec4f(0.0); }
  return gaussian(small, p, vec2f(1.0, 0.0), 0.25 * sigma(), i32(ceil(0.75 * sigma())));
}

fn small_down(p: vec2i) -> vec4f {
  if (!is_large()) { return vec4f(0.0); }
  return gaussian(small_rows, p, vec2f(0.0, 1.0), 0.25 * sigma(), i32(ceil(0.75 * sigma())));
}

fn main(p: vec2i) -> vec4f {
  if (is_large()) { return vec4f(sample(small_blurred, uv_of(p)).r); }
  return vec4f(gaussian(rows, p, vec2f(0.0, 1.0), sigma(), i32(ceil(3.0 * sigma()))).r);
}
