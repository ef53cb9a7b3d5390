/* lightloom
title = "Pixelate"
group = "Stylize"
help = "Replaces every block by its mean color."
tags = ["mosaic", "censor", "8-bit", "blocks"]
use = ["blocks"]
hdr = true

[[param]]
name = "size"
type = "int"
min = 1
max = 128
default = 16
unit = "px"
help = "Side of a block."

[[texture]]
name = "rows"

[[texture]]
name = "blocks"

[[pass]]
entry = "across"
output = "rows"

[[pass]]
entry = "down"
output = "blocks"

[[pass]]
entry = "main"
*/

// Only the upper left part of the two textures is in use: one texel a block.
fn across(p: vec2i) -> vec4f { return mean_across(input, p, params.size); }

fn down(p: vec2i) -> vec4f {
  if (p.x * params.size >= i32(frame.size.x)) { return vec4f(0.0); }
  return mean_down(rows, p, params.size);
}

fn main(p: vec2i) -> vec4f { return textureLoad(blocks, p / params.size, 0); }
