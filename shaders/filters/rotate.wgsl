/* lightloom
title = "Rotate"
group = "Geometry"
help = "Turns the picture by any angle, with bilinear sampling."
tags = ["turn", "straighten", "horizon", "tilt"]
use = ["fill"]
hdr = true

[[param]]
name = "angle"
min = -180
max = 180
default = 10
step = 0.1
unit = "°"
help = "Clockwise."

[[param]]
name = "size"
type = "choice"
choices = ["keep", "cover", "fit"]
default = "cover"
help = "Keep the scale, enlarge until no corner is empty, or shrink until everything is in the frame."

[[param]]
name = "zoom"
min = 0.25
max = 8
default = 1
step = 0.01
unit = "×"
help = "Enlarges on top of that."

[[param]]
name = "center"
type = "point"
default = [0.5, 0.5]
help = "The point that stays where it is; cover and fit are reckoned for the middle."

[[param]]
name = "fill"
type = "choice"
choices = ["black", "transparent", "edge", "mirror", "repeat"]
help = "What is shown where the picture does not reach."
*/

fn main(p: vec2i) -> vec4f {
  let a = radians(params.angle);
  let c = cos(a);
  let s = sin(a);
  // Extents of the turned frame over those of the picture, between the outermost texels' centers: enlarging by it covers, shrinking fits.
  let extent = max(frame.size - 1.0, vec2f(1.0));
  let aspect = extent.x / extent.y;
  let cover = abs(c) + abs(s) * max(aspect, 1.0 / aspect);
  var zoom = params.zoom;
  if (params.size == 1) { zoom *= cover; }
  if (params.size == 2) { zoom /= cover; }
  let center = params.center * frame.size;
  let d = (vec2f(p) + 0.5 - center) / zoom;
  return sample_fill((center + vec2f(c * d.x + s * d.y, c * d.y - s * d.x)) / frame.size, params.fill);
}
