/* lightloom
title = "Vignette"
group = "Light"
help = "Darkens the picture towards its corners, as a lens does, in linear light."
tags = ["corners", "lens", "frame"]

[[param]]
name = "amount"
min = -3
max = 5
default = 1.5
step = 0.05
unit = "EV"
help = "Light lost outside of the soft edge; below 0 the corners get brighter."

[[param]]
name = "radius"
min = 0
max = 1
default = 0.4
step = 0.01
help = "Where the darkening begins; 0 is the center, 1 the corner."

[[param]]
name = "softness"
min = 0.01
max = 1
default = 0.6
step = 0.01
help = "Width of the soft edge, in the same measure."

[[param]]
name = "center"
type = "point"
default = [0.5, 0.5]
help = "Middle of the bright area."
*/

fn main(p: vec2i) -> vec4f {
  let c = load(p);
  // Ellipses of the picture's own shape: 1 at the corner when centered.
  let r = length((uv_of(p) - params.center) * sqrt(2.0));
  let gain = exp2(-params.amount * smoothstep(params.radius, params.radius + params.softness, r));
  return vec4f(from_linear(to_linear(c.rgb) * gain), c.a);
}
