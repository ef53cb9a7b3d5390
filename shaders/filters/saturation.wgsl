/* lightloom
title = "Saturation"
group = "Color"
help = "Scales the distance of each color from the gray of its luma; vibrance does so most where there is little color."
tags = ["vibrance", "colorful", "vivid"]

[[param]]
name = "saturation"
min = 0
max = 3
default = 1
step = 0.01
unit = "×"
help = "Factor for all colors; 0 is black and white."

[[param]]
name = "vibrance"
min = -1
max = 1
default = 0
step = 0.01
help = "Extra saturation that fades to none for colors that are already saturated."
*/

fn main(p: vec2i) -> vec4f {
  let c = load(p);
  let chroma = clamp(max(c.r, max(c.g, c.b)) - min(c.r, min(c.g, c.b)), 0.0, 1.0);
  let factor = params.saturation * (1.0 + params.vibrance * (1.0 - chroma));
  return vec4f(mix(vec3f(luma(c.rgb)), c.rgb, factor), c.a);
}
