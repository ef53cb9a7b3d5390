/* lightloom
title = "Red only"
group = "Examples"
help = "Leaves the red channel."
*/

fn main(p: vec2i) -> vec4f {
  let c = load(p);
  return vec4f(c.r, 0.0, 0.0, c.a);
}
