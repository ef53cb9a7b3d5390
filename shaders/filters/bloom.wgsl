/* lightloom
title = "Bloom"
group = "Light"
help = "Lets bright parts glow, as light scattered in a lens does; computed in linear light on a pyramid of smaller pictures."
tags = ["glow", "halo", "dreamy", "highlights"]

[[param]]
name = "intensity"
min = 0
max = 4
default = 1
step = 0.01
help = "How much of the scattered light is added."

[[param]]
name = "threshold"
min = 0
max = 2
default = 0.6
step = 0.01
help = "Linear light above which a pixel glows; 1 is white."

[[param]]
name = "knee"
min = 0
max = 1
default = 0.5
step = 0.01
help = "Softness of the threshold, as a share of it."

[[param]]
name = "spread"
min = 0
max = 1
default = 0.7
step = 0.01
help = "Share of the light that goes on to the next wider level."

[[param]]
name = "tint"
type = "color"
default = "#ffffff"
help = "Color of the glow."

[[texture]]
name = "down1"
scale = 0.5

[[texture]]
name = "down2"
scale = 0.25

[[texture]]
name = "down3"
scale = 0.125

[[texture]]
name = "down4"
scale = 0.0625

[[texture]]
name = "down5"
scale = 0.03125

[[texture]]
name = "down6"
scale = 0.015625

[[texture]]
name = "up5"
scale = 0.03125

[[texture]]
name = "up4"
scale = 0.0625

[[texture]]
name = "up3"
scale = 0.125

[[texture]]
name = "up2"
scale = 0.25

[[texture]]
name = "up1"
scale = 0.5

[[pass]]
entry = "bright"
output = "down1"

[[pass]]
entry = "shrink2"
output = "down2"

[[pass]]
entry = "shrink3"
output = "down3"

[[pass]]
entry = "shrink4"
output = "down4"

[[pass]]
entry = "shrink5"
output = "down5"

[[pass]]
entry = "shrink6"
output = "down6"

[[pass]]
entry = "grow5"
output = "up5"

[[pass]]
entry = "grow4"
output = "up4"

[[pass]]
entry = "grow3"
output = "up3"

[[pass]]
entry = "grow2"
output = "up2"

[[pass]]
entry = "grow1"
output = "up1"

[[pass]]
entry = "main"
*/

// Pyramid and its two kernels: Jimenez, "Next generation post processing in Call of Duty: Advanced Warfare", SIGGRAPH 2014.

// What is above the threshold, with a parabola from threshold - knee to threshold + knee in place of the corner.
fn above(c: vec3f) -> vec3f {
  let light = max(c.r, max(c.g, c.b));
  let knee = params.threshold * params.knee;
  let soft = clamp(light - params.threshold + knee, 0.0, 2.0 * knee);
  let part = max(light - params.threshold, soft * soft / max(4.0 * knee, 1e-5));
  return c * part / max(light, 1e-5);
}

fn bright(p: vec2i) -> vec4f {
  var sum = vec3f(0.0);
  for (var i = 0; i < 4; i++) { sum += above(to_linear(max(load(2 * p + vec2i(i & 1, i >> 1)).rgb, vec3f(0.0)))); }
  return vec4f(sum * 0.25, 1.0);
}

// Five overlapping boxes of 4 x 4 texels, the middle one with half of the weight, from 13 bilinear samples.
fn shrink(t: texture_2d<f32>, p: vec2i) -> vec4f {
  let s = 1.0 / vec2f(textureDimensions(t));
  let at = (2.0 * vec2f(p) + 1.0) * s;
  let near = sample(t, at + s * vec2f(-1.0, -1.0)) + sample(t, at + s * vec2f(1.0, -1.0))
    + sample(t, at + s * vec2f(-1.0, 1.0)) + sample(t, at + s);
  let sides = sample(t, at + s * vec2f(-2.0, 0.0)) + sample(t, at + s * vec2f(2.0, 0.0))
    + sample(t, at + s * vec2f(0.0, -2.0)) + sample(t, at + s * vec2f(0.0, 2.0));
  let corners = sample(t, at + s * vec2f(-2.0, -2.0)) + sample(t, at + s * vec2f(2.0, -2.0))
    + sample(t, at + s * vec2f(-2.0, 2.0)) + sample(t, at + s * vec2f(2.0, 2.0));
  return near * 0.125 + sample(t, at) * 0.125 + sides * 0.0625 + corners * 0.03125;
}

// 3 x 3 tent of the coarser level at the place of texel p of the level twice as fine.
fn tent(t: texture_2d<f32>, p: vec2i) -> vec4f {
  let s = 1.0 / vec2f(textureDimensions(t));
  let at = (vec2f(p) + 0.5) * 0.5 * s;
  var sum = 4.0 * sample(t, at);
  sum += 2.0 * (sample(t, at + vec2f(s.x, 0.0)) + sample(t, at - vec2f(s.x, 0.0)));
  sum += 2.0 * (sample(t, at + vec2f(0.0, s.y)) + sample(t, at - vec2f(0.0, s.y)));
  sum += sample(t, at + s) + sample(t, at - s) + sample(t, at + vec2f(s.x, -s.y)) + sample(t, at + vec2f(-s.x, s.y));
  return sum / 16.0;
}

fn shrink2(p: vec2i) -> vec4f { return shrink(down1, p); }
fn shrink3(p: vec2i) -> vec4f { return shrink(down2, p); }
fn shrink4(p: vec2i) -> vec4f { return shrink(down3, p); }
fn shrink5(p: vec2i) -> vec4f { return shrink(down4, p); }
fn shrink6(p: vec2i) -> vec4f { return shrink(down5, p); }

fn grow5(p: vec2i) -> vec4f { return mix(texel(down5, p), tent(down6, p), params.spread); }
fn grow4(p: vec2i) -> vec4f { return mix(texel(down4, p), tent(up5, p), params.spread); }
fn grow3(p: vec2i) -> vec4f { return mix(texel(down3, p), tent(up4, p), params.spread); }
fn grow2(p: vec2i) -> vec4f { return mix(texel(down2, p), tent(up3, p), params.spread); }
fn grow1(p: vec2i) -> vec4f { return mix(texel(down1, p), tent(up2, p), params.spread); }

fn main(p: vec2i) -> vec4f {
  let c = load(p);
  if (params.intensity == 0.0) { return c; }
  let glow = tent(up1, p).rgb * to_linear(params.tint.rgb) * params.intensity;
  return vec4f(from_linear(to_linear(c.rgb) + glow), c.a);
}
