/* lightloom
title = "Shadows and highlights"
group = "Light"
help = "Brightens dark areas and darkens bright ones; what is dark or bright is decided by the surroundings, so that detail stays."
tags = ["hdr", "fill light", "recover", "backlight", "local contrast"]
use = ["gaussian"]

[[param]]
name = "shadows"
min = -2
max = 3
default = 1
step = 0.05
unit = "EV"
help = "Exposure of dark areas."

[[param]]
name = "highlights"
min = -3
max = 2
default = -0.7
step = 0.05
unit = "EV"
help = "Exposure of bright areas."

[[param]]
name = "radius"
min = 4
max = 64
default = 24
step = 1
unit = "px"
help = "Standard deviation of the blur that tells surroundings from detail."

[[texture]]
name = "small"
scale = 0.25

[[texture]]
name = "rows"
scale = 0.25

[[texture]]
name = "surroundings"
scale = 0.25

[[pass]]
entry = "shrink"
output = "small"

[[pass]]
entry = "across"
output = "rows"

[[pass]]
entry = "down"
output = "surroundings"

[[pass]]
entry = "main"
*/

// A quarter of the size is enough for a blur of 4 pixels and more. Four bilinear samples are the mean of 4 x 4 pixels.
fn shrink(p: vec2i) -> vec4f {
  let size = vec2f(textureDimensions(input));
  let at = vec2f(p) * 4.0 + 2.0;
  let sum = sample(input, (at + vec2f(-1.0, -1.0)) / size) + sample(input, (at + vec2f(1.0, -1.0)) / size)
    + sample(input, (at + vec2f(-1.0, 1.0)) / size) + sample(input, (at + vec2f(1.0, 1.0)) / size);
  return vec4f(luma(0.25 * sum.rgb));
}

fn blur(t: texture_2d<f32>, p: vec2i, direction: vec2f) -> vec4f {
  let sigma = params.radius * 0.25;
  return gaussian(t, p, direction, sigma, i32(ceil(3.0 * sigma)));
}

fn across(p: vec2i) -> vec4f { return blur(small, p, vec2f(1.0, 0.0)); }

fn down(p: vec2i) -> vec4f { return blur(rows, p, vec2f(0.0, 1.0)); }

fn main(p: vec2i) -> vec4f {
  let c = load(p);
  let at = (vec2f(p) + 0.5) / (4.0 * vec2f(textureDimensions(surroundings)));
  let y = clamp(sample(surroundings, at).r, 0.0, 1.0);
  let stops = params.shadows * (1.0 - smoothstep(0.0, 0.6, y)) + params.highlights * smoothstep(0.4, 1.0, y);
  return vec4f(from_linear(to_linear(c.rgb) * exp2(stops)), c.a);
}
