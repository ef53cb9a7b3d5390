/* lightloom
title = "Invert"
group = "Color"
help = "Turns the picture into its negative."
tags = ["negative", "reverse"]

[[param]]
name = "strength"
min = 0
max = 1
default = 1
step = 0.01
help = "Mix of the picture and its negative; 0 changes nothing."
*/

fn main(p: vec2i) -> vec4f {
  let c = load(p);
  return vec4f(mix(c.rgb, 1.0 - c.rgb, params.strength), c.a);
}
