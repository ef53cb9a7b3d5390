/* lightloom
title = "Exposure"
group = "Light"
help = "Brightens or darkens as a camera's exposure does, in linear light."
tags = ["brightness", "stops"]

[[param]]
name = "stops"
min = -5
max = 5
default = 0
step = 0.05
unit = "EV"
help = "One EV doubles the light."
*/

fn main(p: vec2i) -> vec4f {
  let c = load(p);
  return vec4f(from_linear(to_linear(c.rgb) * exp2(params.stops)), c.a);
}
