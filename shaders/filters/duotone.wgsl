/* lightloom
title = "Duotone"
group = "Color"
help = "Maps luma from one color in the shadows to another in the lights."
tags = ["two colours", "gradient map", "poster", "tint"]

[[param]]
name = "shadows"
type = "color"
default = "#1b1464"
help = "Color of black."

[[param]]
name = "lights"
type = "color"
default = "#ffd166"
help = "Color of white."

[[param]]
name = "contrast"
min = 0.25
max = 4
default = 1.2
step = 0.05
help = "Contrast of luma around the middle; 1 keeps it."
*/

fn main(p: vec2i) -> vec4f {
  let c = load(p);
  let y = clamp((luma(c.rgb) - 0.5) * params.contrast + 0.5, 0.0, 1.0);
  return vec4f(mix(params.shadows.rgb, params.lights.rgb, y), c.a);
}
