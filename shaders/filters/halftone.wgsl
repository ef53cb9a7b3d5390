/* lightloom
title = "Halftone"
group = "Stylize"
help = "Prints the picture as a screen of dots whose area gives the tone, in one ink or in cyan, magenta, yellow and black."
tags = ["print", "newspaper", "comic", "dots", "cmyk", "pop art"]

[[param]]
name = "mode"
type = "choice"
choices = ["color", "mono"]
help = "Four process inks, or one ink on paper."

[[param]]
name = "shape"
type = "choice"
choices = ["round", "diamond", "line"]
help = "Shape of a dot."

[[param]]
name = "cell"
min = 3
max = 64
default = 9
step = 0.5
unit = "px"
help = "Distance from dot to dot."

[[param]]
name = "angle"
min = -90
max = 90
default = 45
step = 1
unit = "°"
help = "Angle of the screen; cyan and magenta are turned by 30° against black and yellow by 45°."

[[param]]
name = "black"
min = 0
max = 1
default = 0.6
step = 0.01
help = "Share of the gray in a color that is printed in black ink instead of cyan, magenta and yellow."
when = { mode = "color" }

[[param]]
name = "ink"
type = "color"
default = "#14141e"
help = "Color of the ink."
when = { mode = "mono" }

[[param]]
name = "paper"
type = "color"
default = "#fffdf5"
help = "Color of the paper."

[[texture]]
name = "small"
scale = 0.25

[[pass]]
entry = "reduce"
output = "small"

[[pass]]
entry = "main"
*/

// Mean of 4 x 4 pixels: the tone that a dot stands for. Area is made equal to tone in R'G'B', not in linear light, which is right
// for a print seen from afar but puts 79 % of ink on middle gray and looks far too dark on a screen.
fn reduce(p: vec2i) -> vec4f {
  let s = 1.0 / frame.size;
  let at = (4.0 * vec2f(p) + 2.0) * s;
  let sum = sample(input, at + s * vec2f(-1.0, -1.0)) + sample(input, at + s * vec2f(1.0, -1.0))
    + sample(input, at + s * vec2f(-1.0, 1.0)) + sample(input, at + s);
  return clamp(0.25 * sum, vec4f(0.0), vec4f(1.0));
}

// Distance in pixels from q (-0.5..0.5 of a cell) to the edge of the dot that inks the share `tone` of its cell; above zero inside. Dots
// grow until they fill the cell; from where neighbors touch, the paper between them is what shrinks.
fn inside(q: vec2f, tone: f32) -> f32 {
  let a = abs(q);
  switch (params.shape) {
    case 0: {
      // The radius follows from the area of a disc, and of a disc cut off by its cell (that one by a fit, to 0.001 of a cell).
      let rest = sqrt(max(1.0 - tone, 0.0) / 0.21460184);
      let cut = 0.70710678 - rest * (0.2289 - 0.0218 * rest * rest);
      let radius = params.cell * select(sqrt(tone / 3.14159265), cut, tone > 0.78539816);
      // A ramp of one pixel over a curved edge adds pi / 12 of a pixel to a disc; a smaller radius makes up for it.
      return sqrt(max(radius * radius - 1.0 / 12.0, 0.25)) - length(q) * params.cell;
    }
    case 1: {
      let size = select(sqrt(0.5 * tone), 1.0 - sqrt(0.5 * max(1.0 - tone, 0.0)), tone > 0.5);
      return (size - a.x - a.y) * 0.70710678 * params.cell;
    }
    default: { return (0.5 * tone - a.y) * params.cell; }
  }
}

struct Cell {
  q: vec2f,       // position in the cell, -0.5..0.5
  center: vec2f,  // of the cell, as uv
}

fn cell_at(p: vec2i, degrees: f32) -> Cell {
  let a = radians(degrees);
  let c = cos(a);
  let s = sin(a);
  let at = vec2f(p) + 0.5 - 0.5 * frame.size;
  let turned = vec2f(c * at.x + s * at.y, c * at.y - s * at.x) / params.cell;
  // Pixels exactly between two cells belong to the right and lower one, whichever way a division rounds.
  let q = turned - floor(turned + 1e-4) - 0.5;
  let center = (turned - q) * params.cell;
  return Cell(q, vec2f(c * center.x - s * center.y, s * center.x + c * center.y) / frame.size + 0.5);
}

// How much of this pixel is inked where `tone` of the cell is to be. A dot, line or hole smaller than a pixel covers its own area of it.
fn inked(q: vec2f, tone: f32) -> f32 {
  var covered = clamp(0.5 + inside(q, tone), 0.0, 1.0);
  if (params.shape == 0) {
    // A gap between two discs may be narrower than a pixel, which then has a part of both.
    let next = select(vec2f(-1.0), vec2f(1.0), q > vec2f(0.0));
    covered += clamp(0.5 + inside(q - vec2f(next.x, 0.0), tone), 0.0, 1.0) + clamp(0.5 + inside(q - vec2f(0.0, next.y), tone), 0.0, 1.0);
  }
  let area = params.cell * select(params.cell, 1.0, params.shape == 2);
  if (params.shape == 0 && tone < 0.5) { return min(covered, 1.0) * min(tone * area * 0.9549297, 1.0); }
  return clamp(covered, 1.0 - min((1.0 - tone) * area, 1.0), min(tone * area, 1.0));
}

// cyan, magenta, yellow, black.
fn inks(c: vec3f) -> vec4f {
  let k = params.black * (1.0 - max(c.r, max(c.g, c.b)));
  return vec4f(clamp((1.0 - c - k) / max(1.0 - k, 1e-4), vec3f(0.0), vec3f(1.0)), k);
}

fn tone_at(cell: Cell) -> vec4f { return inks(sample(small, cell.center).rgb); }

fn main(p: vec2i) -> vec4f {
  let black = cell_at(p, params.angle);
  let alpha = load(p).a;
  if (params.mode == 1) {
    let tone = 1.0 - luma(sample(small, black.center).rgb);
    return vec4f(mix(params.paper.rgb, params.ink.rgb, inked(black.q, tone)), alpha);
  }
  let cyan = cell_at(p, params.angle - 30.0);
  let magenta = cell_at(p, params.angle + 30.0);
  let yellow = cell_at(p, params.angle - 45.0);
  // Each ink takes away one primary; where dots overlap they multiply (Demichel).
  let left = 1.0 - vec3f(
    inked(cyan.q, tone_at(cyan).x), inked(magenta.q, tone_at(magenta).y), inked(yellow.q, tone_at(yellow).z));
  return vec4f(params.paper.rgb * left * (1.0 - inked(black.q, tone_at(black).w)), alpha);
}
