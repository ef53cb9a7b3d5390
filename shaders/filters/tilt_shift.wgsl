/* lightloom
title = "Tilt-shift"
group = "Blur"
help = "Keeps a band in focus and blurs the rest, which makes a scene look like a miniature."
tags = ["miniature", "depth of field", "bokeh", "toy"]
hdr = true

[[param]]
name = "radius"
min = 0
max = 48
default = 16
step = 0.5
unit = "px"
help = "Reach of the blur where it is strongest; its standard deviation is half of it."

[[param]]
name = "center"
type = "point"
default = [0.5, 0.55]
help = "A point that the band in focus runs through."

[[param]]
name = "angle"
min = -90
max = 90
default = 0
step = 0.5
unit = "°"
help = "Turns the band clockwise; at 0 it is level."

[[param]]
name = "focus"
min = 0
max = 100
default = 16
step = 1
unit = "% of height"
help = "Width of the band that is sharp."

[[param]]
name = "falloff"
min = 1
max = 100
default = 30
step = 1
unit = "% of height"
help = "Distance from the band to the full blur."

[[texture]]
name = "rows"

[[pass]]
entry = "across"
output = "rows"

[[pass]]
entry = "main"
*/

fn sigma_of(p: vec2i) -> f32 {
  let a = radians(params.angle);
  let d = (vec2f(p) + 0.5 - params.center * frame.size) / frame.size.y;
  let distance = abs(d.y * cos(a) - d.x * sin(a));
  let half_focus = params.focus * 0.005;
  return 0.5 * params.radius * smoothstep(half_focus, half_focus + params.falloff * 0.01, distance);
}

// Each pixel's own Gaussian, cut off at two standard deviations; two neighboring taps are one bilinear sample between them.
fn blur(t: texture_2d<f32>, p: vec2i, direction: vec2f) -> vec4f {
  let sigma = sigma_of(p);
  let center = texel(t, p);
  if (sigma < 0.05) { return center; }
  let at = uv_of(p);
  let reach = i32(ceil(2.0 * sigma));
  let k = -0.5 / (sigma * sigma);
  var sum = center;
  var total = 1.0;
  for (var i = 1; i <= reach; i += 2) {
    let x = f32(i);
    let w1 = exp(k * x * x);
    let w2 = select(exp(k * (x + 1.0) * (x + 1.0)), 0.0, i + 1 > reach);
    let w = w1 + w2;
    if (w < 1e-6) { break; }
    let offset = direction * ((x * w1 + (x + 1.0) * w2) / w) / frame.size;
    sum += w * (sample(t, at + offset) + sample(t, at - offset));
    total += 2.0 * w;
  }
  return sum / total;
}

fn across(p: vec2i) -> vec4f { return blur(input, p, vec2f(1.0, 0.0)); }

fn main(p: vec2i) -> vec4f { return blur(rows, p, vec2f(0.0, 1.0)); }
