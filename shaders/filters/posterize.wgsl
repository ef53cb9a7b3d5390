/* lightloom
title = "Posterize"
group = "Stylize"
help = "Leaves a few evenly spaced values of each channel."
tags = ["poster", "levels", "quantize"]

[[param]]
name = "levels"
type = "int"
min = 2
max = 64
default = 5
help = "Values that each channel may take."
*/

fn main(p: vec2i) -> vec4f {
  let c = load(p);
  let steps = f32(params.levels - 1);
  return vec4f(floor(clamp(c.rgb, vec3f(0.0), vec3f(1.0)) * steps + 0.5) / steps, c.a);
}
