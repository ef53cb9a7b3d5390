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

[[param]]
name = "strength"
min = 0
max = 1
default = 1
step = 0.01
help = "Mix of the picture and the gray one; 0 changes nothing."
*/

fn main(p: vec2i) -> vec4f {
  let c = load(p);
  let gray = dot(c.rgb, vec3f(params.red, params.green, params.blue)) * 0.01;
  return vec4f(mix(c.rgb, vec3f(gray), params.strength), c.a);
}
