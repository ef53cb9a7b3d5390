/* lightloom
title = "Hue range"
group = "Image"
use = ["given_color"]
help = "The parts of the image whose color is near a hue."
tags = ["color", "key", "chroma", "skin", "sky", "secondary"]

[[param]]
name = "hue"
min = 0
max = 360
default = 120
step = 1
unit = "°"
help = "The hue: 0 is red, 60 yellow, 120 green, 180 cyan, 240 blue, 300 magenta (HSV)."

[[param]]
name = "range"
min = 0
max = 180
default = 30
step = 1
unit = "°"
help = "How far a hue may be from it on either side."

[[param]]
name = "softness"
min = 0
max = 90
default = 10
step = 1
unit = "°"
help = "Width of the ramps beyond the range, in which the mask fades."

[[param]]
name = "saturation"
min = 0
max = 100
default = 15
step = 1
unit = "%"
help = "The least saturation (HSV); grays have no hue."
*/

fn main(p: vec2i) -> vec4f {
  let c = given_color(p);
  let most = max(c.r, max(c.g, c.b));
  let chroma = most - min(c.r, min(c.g, c.b));
  if (chroma <= 1e-5 || most <= 1e-5 || 100.0 * chroma < params.saturation * most) { return vec4f(0.0); }
  var sector = (c.g - c.b) / chroma;
  if (most == c.g) { sector = 2.0 + (c.b - c.r) / chroma; }
  if (most == c.b && most != c.g) { sector = 4.0 + (c.r - c.g) / chroma; }
  if (most == c.r) { sector = (c.g - c.b) / chroma; }
  let apart = abs(60.0 * sector - params.hue);
  let turned = apart - 360.0 * floor(apart / 360.0);
  let distance = min(turned, 360.0 - turned);
  return vec4f(clamp((params.range - distance) / max(params.softness, 1e-3) + 1.0, 0.0, 1.0));
}
