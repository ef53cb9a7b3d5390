/* lightloom
title = "Brightness range"
group = "Image"
use = ["given_color"]
help = "The parts of the image whose brightness is in a range."
tags = ["luma", "luminance", "key", "highlights", "shadows", "luminosity"]

[[param]]
name = "low"
min = 0
max = 100
default = 50
step = 0.5
unit = "%"
help = "The least brightness; luma of R'G'B' (BT.709)."

[[param]]
name = "high"
min = 0
max = 100
default = 100
step = 0.5
unit = "%"
help = "The greatest brightness."

[[param]]
name = "softness"
min = 0
max = 50
default = 5
step = 0.5
unit = "%"
help = "Width of the ramps outside the range, in which the mask fades."
*/

fn main(p: vec2i) -> vec4f {
  let y = 100.0 * luma(given_color(p));
  let soft = max(params.softness, 1e-3);
  let above = clamp((y - params.low) / soft + 1.0, 0.0, 1.0);
  let below = clamp((params.high - y) / soft + 1.0, 0.0, 1.0);
  // What is brighter than white belongs to the brightest.
  return vec4f(min(above, select(below, 1.0, params.high >= 100.0)));
}
