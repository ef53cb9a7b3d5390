/* lightloom
title = "Ellipse"
group = "Shapes"
use = ["turned"]
help = "An ellipse."
tags = ["circle", "oval", "round", "spot"]
hdr = true

[[param]]
name = "center"
type = "point"
default = [0.5, 0.5]
help = "Its center."

[[param]]
name = "width"
min = 0.1
max = 200
default = 50
step = 0.5
unit = "% of width"
help = "Its width, in percent of the frame's."

[[param]]
name = "height"
min = 0.1
max = 200
default = 50
step = 0.5
unit = "% of height"
help = "Its height, in percent of the frame's."

[[param]]
name = "angle"
min = -180
max = 180
default = 0
step = 1
unit = "°"
help = "By how much it is turned, clockwise."
*/

fn main(p: vec2i) -> vec4f {
  let radii = 0.005 * vec2f(params.width, params.height) * frame.size;
  let at = turned(p, params.center, params.angle);
  // First-order distance to the edge: the value of the implicit function over the length of its gradient.
  let far = length(at / radii);
  let distance = far * (far - 1.0) / max(length(at / (radii * radii)), 1e-9);
  return vec4f(clamp(0.5 - distance, 0.0, 1.0));
}
