/* lightloom
title = "Swirl"
group = "Geometry"
help = "Twists the picture around a point, most in the middle and not at all at the rim."
tags = ["twirl", "twist", "vortex"]
use = ["fill"]
hdr = true

[[param]]
name = "angle"
min = -720
max = 720
default = 180
step = 1
unit = "°"
help = "Clockwise turn at the center."

[[param]]
name = "radius"
min = 1
max = 200
default = 60
step = 1
unit = "% of height"
help = "How far the twist reaches."

[[param]]
name = "center"
type = "point"
default = [0.5, 0.5]
help = "The center of the twist."

[[param]]
name = "fill"
type = "choice"
choices = ["black", "transparent", "edge", "mirror", "repeat"]
default = "mirror"
help = "What is shown where the picture does not reach."
*/

fn main(p: vec2i) -> vec4f {
  let center = params.center * frame.size;
  let d = vec2f(p) + 0.5 - center;
  let rest = max(1.0 - length(d) / (params.radius * 0.01 * frame.size.y), 0.0);
  let a = radians(params.angle) * rest * rest;
  let at = center + vec2f(cos(a) * d.x + sin(a) * d.y, cos(a) * d.y - sin(a) * d.x);
  return sample_fill(at / frame.size, params.fill);
}
