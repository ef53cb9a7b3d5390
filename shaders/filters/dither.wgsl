/* lightloom
title = "Dither"
group = "Stylize"
help = "Reduces the picture to a few colors with an ordered 8 x 8 pattern, as old displays and printers did."
tags = ["bayer", "retro", "1-bit", "pixel art", "game"]

[[param]]
name = "mode"
type = "choice"
choices = ["color", "mono", "two colors"]
help = "Steps of each primary, of luma, or from one color to another."

[[param]]
name = "levels"
type = "int"
min = 2
max = 16
default = 3
help = "Steps of each channel."

[[param]]
name = "size"
type = "int"
min = 1
max = 16
default = 3
unit = "px"
help = "Side of a dot; the picture is reduced to dots of this size."

[[param]]
name = "dark"
type = "color"
default = "#12233d"
help = "Color of black."
when = { mode = "two colors" }

[[param]]
name = "light"
type = "color"
default = "#f4e8c1"
help = "Color of white."
when = { mode = "two colors" }
*/

// Bayer's 8 x 8 order (1973): the bits of x ^ y and y, interleaved, lowest bits first.
fn order(p: vec2i) -> f32 {
  let x = u32(p.x ^ p.y);
  let y = u32(p.y);
  var v = 0u;
  for (var bit = 0u; bit < 3u; bit++) {
    v |= (((x >> bit) & 1u) << (5u - 2u * bit)) | (((y >> bit) & 1u) << (4u - 2u * bit));
  }
  return (f32(v) + 0.5) / 64.0;
}

fn main(p: vec2i) -> vec4f {
  let dot_at = p / params.size;
  // One bilinear sample at the dot's middle: for even sizes it is the mean of four pixels.
  let c = sample(input, (vec2f(dot_at) + 0.5) * f32(params.size) / frame.size);
  let steps = f32(params.levels - 1);
  let value = select(c.rgb, vec3f(luma(c.rgb)), params.mode != 0);
  let dithered = clamp(floor(clamp(value, vec3f(0.0), vec3f(1.0)) * steps + order(dot_at)) / steps, vec3f(0.0), vec3f(1.0));
  return vec4f(select(dithered, mix(params.dark.rgb, params.light.rgb, dithered), params.mode == 2), c.a);
}
