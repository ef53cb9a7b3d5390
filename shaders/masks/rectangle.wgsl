/* lightloom
title = "Rectangle"
group = "Shapes"
use = ["turned"]
help = "A rectangle, with round corners if you like."
tags = ["box", "square"]
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

[[param]]
name = "corners"
min = 0
max = 100
default = 0
step = 1
unit = "%"
help = "Radius of the corners, in percent of half of the shorter side."
*/

fn main(p: vec2i) -> vec4f {
  let half = 0.005 * vec2f(params.width, params.height) * frame.size;
  let radius = 0.01 * params.corners * min(half.x, half.y);
  let at = turned(p, params.center, params.angle);
  let corner = abs(at) - half + radius;
  let distance = length(max(corner, vec2f(0.0))) + min(max(corner.x, corner.y), 0.0) - radius;
  return vec4f(clamp(0.5 - distance, 0.0, 1.0));
}
