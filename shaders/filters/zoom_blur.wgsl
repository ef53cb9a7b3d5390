/* lightloom
title = "Zoom blur"
group = "Blur"
help = "Streaks towards a point, as from zooming during the exposure."
tags = ["radial blur", "speed", "warp", "rays"]
hdr = true

[[param]]
name = "strength"
min = 0
max = 100
default = 20
step = 1
unit = "%"
help = "Length of a streak as a share of the distance from the center."

[[param]]
name = "samples"
type = "int"
min = 4
max = 64
default = 24
help = "Pictures that are averaged; long streaks need more to be smooth."

[[param]]
name = "center"
type = "point"
default = [0.5, 0.5]
help = "The point that the streaks run to."
*/

fn main(p: vec2i) -> vec4f {
  let at = uv_of(p);
  let step = (params.center - at) * params.strength * 0.01 / f32(params.samples - 1);
  var sum = vec4f(0.0);
  for (var i = 0; i < params.samples; i++) { sum += sample(input, at + f32(i) * step); }
  return sum / f32(params.samples);
}
