/* lightloom
title = "Black and white"
group = "Color"
help = "Mixes red, green and blue to one gray, as color filters before a black-and-white film do."
tags = ["monochrome", "grey", "gray", "channel mixer"]

[[param]]
name = "red"
min = -200
max = 200
default = 40
step = 1
unit = "%"
help = "Share of red in the gray."

[[param]]
name = "green"
min = -200
max = 200
default = 40
step = 1
unit = "%"
help = "Share of green in the gray."

[[param]]
name = "blue"
min = -200
max = 200
default = 20
step = 1
unit = "%"
help = "Share of blue in the gray."
*/

fn main(p: vec2i) -> vec4f {
  let c = load(p);
  let gray = dot(c.rgb, vec3f(params.red, params.green, params.blue)) * 0.01;
  return vec4f(vec3f(gray), c.a);
}
