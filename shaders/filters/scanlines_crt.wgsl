/* lightloom
title = "CRT"
group = "Stylize"
help = "A tube monitor: curved glass, scan lines, a mask of red, green and blue stripes and darker corners, in linear light."
tags = ["scanlines", "retro", "tv", "monitor", "arcade"]
use = ["fill"]

[[param]]
name = "lines"
min = 0
max = 1
default = 0.55
step = 0.01
help = "Depth of the dark gaps between scan lines."

[[param]]
name = "period"
min = 2
max = 16
default = 4
step = 0.5
unit = "px"
help = "Height of a scan line."

[[param]]
name = "mask"
min = 0
max = 1
default = 0.35
step = 0.01
help = "Depth of the stripes of the three primaries, each one pixel wide."

[[param]]
name = "curvature"
min = 0
max = 0.5
default = 0.08
step = 0.01
help = "How far the glass bulges."

[[param]]
name = "vignette"
min = 0
max = 1
default = 0.3
step = 0.01
help = "How much darker the corners are."

[[param]]
name = "brightness"
min = 0.5
max = 3
default = 1.5
step = 0.05
help = "Factor on the light, against the loss in lines and mask."
*/

fn main(p: vec2i) -> vec4f {
  let d = 2.0 * uv_of(p) - 1.0;
  let bulged = d * (1.0 + params.curvature * (d.yx * d.yx));
  let uv = 0.5 + 0.5 * bulged;
  let c = sample_fill(uv, 0);
  // The fraction first: Vulkan promises a cosine's precision between -pi and pi only.
  let beam = 0.5 + 0.5 * cos(6.2831853 * fract(uv.y * frame.size.y / params.period));
  let stripe = select(vec3f(1.0 - params.mask), vec3f(1.0), vec3i(p.x % 3) == vec3i(0, 1, 2));
  let corner = 1.0 - params.vignette * 0.5 * dot(d, d);
  let light = (1.0 - params.lines * beam) * corner * params.brightness;
  return vec4f(from_linear(to_linear(max(c.rgb, vec3f(0.0))) * stripe * light), c.a);
}
