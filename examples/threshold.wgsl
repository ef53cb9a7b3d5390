/* lightloom
title = "Threshold"
group = "Examples"
help = "White where the image is brighter than a level, else black."

[[param]]
name = "level"
min = 0
max = 1
default = 0.5
step = 0.01
help = "Brightness, 0 to 1, above which a pixel is white."
*/

fn main(p: vec2i) -> vec4f {
  let c = load(p);
  // Luma of BT.709, of the values as they are displayed.
  let luma = dot(c.rgb, vec3f(0.2126, 0.7152, 0.0722));
  return vec4f(vec3f(select(0.0, 1.0, luma > params.level)), c.a);
}
