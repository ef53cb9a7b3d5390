/* lightloom
title = "Sharpen"
group = "Detail"
help = "Unsharp mask: adds the difference between the picture and a blurred copy."
tags = ["unsharp mask", "crisp", "detail"]
use = ["gaussian"]

[[param]]
name = "amount"
min = 0
max = 4
default = 0.8
step = 0.05
unit = "×"
help = "Factor of the difference that is added; 0 changes nothing."

[[param]]
name = "radius"
min = 0.5
max = 16
default = 1.5
step = 0.1
unit = "px"
help = "Standard deviation of the blurred copy: the size of the detail that is sharpened."

[[param]]
name = "threshold"
min = 0
max = 0.2
default = 0
step = 0.002
help = "Differences in luma below this stay as they are, so that noise is not sharpened."

[[texture]]
name = "rows"

[[pass]]
entry = "across"
output = "rows"

[[pass]]
entry = "main"
*/

fn blurred(t: texture_2d<f32>, p: vec2i, direction: vec2f) -> vec4f {
  // Three standard deviations hold 99.7% of the kernel.
  return gaussian(t, p, direction, params.radius, i32(ceil(3.0 * params.radius)));
}

fn across(p: vec2i) -> vec4f { return blurred(input, p, vec2f(1.0, 0.0)); }

fn main(p: vec2i) -> vec4f {
  let c = load(p);
  let detail = c.rgb - blurred(rows, p, vec2f(0.0, 1.0)).rgb;
  // Twice the threshold is sharpened fully; in between it fades, where a hard step would sparkle.
  let pass_through = clamp(abs(luma(detail)) / max(params.threshold, 1e-6) - 1.0, 0.0, 1.0);
  return vec4f(c.rgb + params.amount * select(pass_through, 1.0, params.threshold == 0.0) * detail, c.a);
}
