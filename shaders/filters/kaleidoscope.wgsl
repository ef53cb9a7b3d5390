/* lightloom
title = "Kaleidoscope"
group = "Geometry"
help = "Repeats one slice of the picture around a point, every other one mirrored."
tags = ["mandala", "symmetry", "psychedelic"]
use = ["fill"]
hdr = true

[[param]]
name = "segments"
type = "int"
min = 1
max = 32
default = 6
help = "Mirrored pairs of slices around the point."

[[param]]
name = "turn"
min = -180
max = 180
default = 0
step = 0.5
unit = "°"
help = "Turns the whole figure."

[[param]]
name = "slice"
min = -180
max = 180
default = 30
step = 0.5
unit = "°"
help = "Which direction of the picture the slices show."

[[param]]
name = "zoom"
min = 0.25
max = 4
default = 1
step = 0.01
unit = "×"
help = "Enlarges what the slices show."

[[param]]
name = "center"
type = "point"
default = [0.5, 0.5]
help = "The point that the slices meet at."

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
  let r = length(d);
  if (r < 1e-3) { return sample_fill(params.center, params.fill); }
  let half_slice = 3.14159265 / f32(params.segments);
  let turns = (atan2(d.y, d.x) - radians(params.turn)) / (2.0 * half_slice);
  // A triangle wave of the angle: up in one slice, down in its mirrored neighbor.
  let angle = radians(params.slice) + half_slice * (1.0 - abs(2.0 * fract(turns) - 1.0));
  let at = center + r / params.zoom * vec2f(cos(angle), sin(angle));
  return sample_fill(at / frame.size, params.fill);
}
