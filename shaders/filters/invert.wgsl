/* lightloom
title = "Invert"
group = "Color"
help = "Turns the picture into its negative."
tags = ["negative", "reverse"]
*/

fn main(p: vec2i) -> vec4f {
  let c = load(p);
  return vec4f(1.0 - c.rgb, c.a);
}
