/* lightloom
title = "Emboss"
group = "Stylize"
help = "Lights the picture from one side as if its luma were a relief."
tags = ["relief", "bump", "metal"]

[[param]]
name = "strength"
min = 0
max = 10
default = 2.5
step = 0.05
help = "Height of the relief."

[[param]]
name = "angle"
min = -180
max = 180
default = -135
step = 1
unit = "°"
help = "Where the light comes from: 0 is right, -90 is above."

[[param]]
name = "distance"
min = 0.5
max = 8
default = 1
step = 0.25
unit = "px"
help = "How far apart the two points are whose luma is compared."

[[param]]
name = "color"
min = 0
max = 1
default = 0.25
step = 0.01
help = "0 is a gray relief, 1 the picture with the relief on it."
*/

fn main(p: vec2i) -> vec4f {
  let a = radians(params.angle);
  let offset = 0.5 * params.distance * vec2f(cos(a), sin(a)) / frame.size;
  let at = uv_of(p);
  let slope = luma(sample(input, at - offset).rgb) - luma(sample(input, at + offset).rgb);
  let c = load(p);
  return vec4f(max(mix(vec3f(0.5), c.rgb, params.color) + slope * params.strength, vec3f(0.0)), c.a);
}
