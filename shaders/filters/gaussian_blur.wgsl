/* lightloom
title = "Gaussian blur"
group = "Blur"
help = "Smooths with a Gaussian kernel, rows first, then columns."
tags = ["soft", "smooth"]
use = ["gaussian"]
hdr = true

[[param]]
name = "radius"
min = 0
max = 64
default = 8
step = 0.5
unit = "px"
help = "Reach of the kernel; its standard deviation is half of it."

[[texture]]
name = "rows"

[[pass]]
entry = "across"
output = "rows"

[[pass]]
entry = "main"
*/

fn blur(t: texture_2d<f32>, p: vec2i, direction: vec2f) -> vec4f {
  return gaussian(t, p, direction, params.radius * 0.5, i32(ceil(params.radius)));
}

fn across(p: vec2i) -> vec4f { return blur(input, p, vec2f(1.0, 0.0)); }

fn main(p: vec2i) -> vec4f { return blur(rows, p, vec2f(0.0, 1.0)); }
