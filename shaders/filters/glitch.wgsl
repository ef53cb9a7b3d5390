/* lightloom
title = "Glitch"
group = "Time"
help = "A broken signal: displaced blocks, separated colors, dark lines; the same for the same frame number and seed."
tags = ["vhs", "broken", "datamosh", "noise", "digital"]
use = ["fill"]

[[param]]
name = "amount"
min = 0
max = 1
default = 0.35
step = 0.01
help = "Share of the rows of blocks that are displaced; 0 leaves them in place."

[[param]]
name = "shift"
min = 0
max = 50
default = 12
step = 0.5
unit = "% of width"
help = "Largest displacement."

[[param]]
name = "block"
type = "int"
min = 2
max = 256
default = 28
unit = "px"
help = "Height of a row of blocks; a block is four to sixteen times as wide."

[[param]]
name = "split"
min = 0
max = 60
default = 10
step = 0.5
unit = "px"
help = "Largest distance between red and blue."

[[param]]
name = "lines"
min = 0
max = 1
default = 0.25
step = 0.01
help = "Darkness of every other pair of lines."

[[param]]
name = "hold"
type = "int"
min = 1
max = 60
default = 4
unit = "frames"
help = "How long a disturbance stands still."

[[param]]
name = "seed"
type = "int"
min = 0
max = 9999
default = 1
help = "Another number gives another sequence."
*/

// The disturbance changes every `hold` frames and depends on nothing but that count and the seed.
fn draw(a: i32, b: i32, use_for: u32) -> f32 {
  let count = frame.index / u32(params.hold);
  return random(vec2i(a, b), (count * 7919u + u32(params.seed)) * 8u + use_for);
}

fn main(p: vec2i) -> vec4f {
  let row = p.y / params.block;
  let width = params.block * (4 + i32(draw(row, 0, 0u) * 13.0));
  let column = p.x / width;
  var offset = 0.0;
  if (draw(row, 0, 1u) < params.amount && draw(row, column + 1, 2u) < 0.75) {
    offset = round((2.0 * draw(row, column + 1, 3u) - 1.0) * params.shift * 0.01 * frame.size.x);
  }
  // Colors separate in the whole frame, three times as far in displaced blocks.
  let split = i32(round((2.0 * draw(0, 0, 4u) - 1.0) * params.split * select(1.0 / 3.0, 1.0, offset != 0.0)));
  let q = p + vec2i(i32(offset), 0);
  let c = wrapped(q);
  let dark = 1.0 - params.lines * f32((p.y >> 1u) & 1);
  return vec4f(vec3f(wrapped(q + vec2i(split, 0)).r, c.g, wrapped(q - vec2i(split, 0)).b) * dark, c.a);
}
