/* lightloom
title = "ASCII"
group = "Stylize"
help = "Writes the picture in characters that are as bright as what they replace."
tags = ["text", "terminal", "characters", "matrix", "retro"]
use = ["blocks"]

[[param]]
name = "size"
type = "int"
min = 1
max = 8
default = 2
unit = "px"
help = "Side of a character's dots; a character is 6 dots wide and 8 high."

[[param]]
name = "mode"
type = "choice"
choices = ["color", "mono"]
help = "Characters in the picture's colors, or in one."

[[param]]
name = "ink"
type = "color"
default = "#7dff9b"
help = "Color of the characters."
when = { mode = "mono" }

[[param]]
name = "paper"
type = "color"
default = "#05080a"
help = "Color behind the characters."

[[param]]
name = "boost"
min = 0
max = 1
default = 0.7
step = 0.01
help = "How far a character's color is raised to full brightness, since its shape alone gives the tone."
when = { mode = "color" }

[[param]]
name = "backdrop"
min = 0
max = 1
default = 0.2
step = 0.01
help = "How far the picture's blocks shine through behind the characters."

[[param]]
name = "invert"
type = "bool"
help = "Dark characters on light paper: dense where the picture is dark."

[[texture]]
name = "rows"

[[texture]]
name = "cells"

[[pass]]
entry = "across"
output = "rows"

[[pass]]
entry = "down"
output = "cells"

[[pass]]
entry = "main"
*/

// Sixteen characters, " .:=+coaA#SEOB@M", by the number of their dots. Four rows a word, a byte a row, the leftmost dot lowest.
const GLYPHS = array<vec2u, 16>(
  vec2u(0x00000000u, 0x00000000u), vec2u(0x00000000u, 0x000c0000u), vec2u(0x000c0000u, 0x000c0000u), vec2u(0x001e0000u, 0x0000001eu),
  vec2u(0x1f040400u, 0x00000404u), vec2u(0x011e0000u, 0x001e0101u), vec2u(0x110e0000u, 0x000e1111u), vec2u(0x100e0000u, 0x001e111eu),
  vec2u(0x11110a04u, 0x0011111fu), vec2u(0x0a1f0a0au, 0x000a0a1fu), vec2u(0x0e03031eu, 0x000f1818u), vec2u(0x0f03031fu, 0x001f0303u),
  vec2u(0x1b1b1b0eu, 0x000e1b1bu), vec2u(0x0f1b1b0fu, 0x000f1b1bu), vec2u(0x3b3b331eu, 0x003e031bu), vec2u(0x1b1f1f1bu, 0x001b1b1bu)
);

fn cell_size() -> vec2i { return vec2i(6, 8) * params.size; }

fn across(p: vec2i) -> vec4f { return mean_across(input, p, cell_size().x); }

fn down(p: vec2i) -> vec4f {
  if (p.x * cell_size().x >= i32(frame.size.x)) { return vec4f(0.0); }
  return mean_down(rows, p, cell_size().y);
}

fn has_dot(glyph: i32, dot_at: vec2i) -> bool {
  let rows_of_four = GLYPHS[glyph][dot_at.y >> 2u];
  return ((rows_of_four >> u32((dot_at.y & 3) * 8 + dot_at.x)) & 1u) == 1u;
}

fn main(p: vec2i) -> vec4f {
  let cell = max(textureLoad(cells, p / cell_size(), 0), vec4f(0.0));
  let y = select(luma(cell.rgb), 1.0 - luma(cell.rgb), params.invert == 1u);
  // A flat tone on the border of two characters is the same one everywhere, though its mean is a rounded quotient.
  let glyph = clamp(i32(y * 16.0 + 2e-3), 0, 15);
  let raised = cell.rgb / max(max(cell.r, max(cell.g, cell.b)), 1e-3);
  let ink = select(mix(cell.rgb, raised, params.boost), params.ink.rgb, params.mode == 1);
  let behind = mix(params.paper.rgb, cell.rgb, params.backdrop);
  return vec4f(select(behind, ink, has_dot(glyph, (p % cell_size()) / params.size)), cell.a);
}
