/* lightloom
title = "Join"
help = "Joins a part of a mask, the input, with the parts before it."

[[param]]
name = "join"
type = "choice"
choices = ["add", "subtract", "intersect"]

[[param]]
name = "first"
type = "bool"
default = false

[[param]]
name = "inverted"
type = "bool"
default = false

[[param]]
name = "moved"
type = "bool"
default = false

[[param]]
name = "left"
min = -1000
max = 1000
default = 0

[[param]]
name = "top"
min = -1000
max = 1000
default = 0

[[param]]
name = "across"
min = 0.000001
max = 1000000
default = 1

[[param]]
name = "down"
min = 0.000001
max = 1000000
default = 1

[given]
source = "mask"
texture = "before"
*/

const SUBTRACT = 1;
const INTERSECT = 2;

// A part that moves with an object was drawn about another place: `left`, `top` is where the frame's corner has moved to, and `across`,
// `down` are the scales.
fn part(p: vec2i) -> f32 {
  if (params.moved == 0u) { return load(p).r; }
  let uv = (uv_of(p) - vec2f(params.left, params.top)) / vec2f(params.across, params.down);
  let inside = all(uv >= vec2f(0.0)) && all(uv <= vec2f(1.0));
  return select(0.0, sample(input, uv).r, inside);
}

fn main(p: vec2i) -> vec4f {
  let value = clamp(part(p), 0.0, 1.0);
  let here = select(value, 1.0 - value, params.inverted == 1u);
  // Nothing to add to, or the whole frame to take from.
  let initial = select(0.0, 1.0, params.join != 0);
  let so_far = select(texel(before, p).r, initial, params.first == 1u);
  switch (params.join) {
    case SUBTRACT: { return vec4f(min(so_far, 1.0 - here)); }
    case INTERSECT: { return vec4f(min(so_far, here)); }
    default: { return vec4f(max(so_far, here)); }
  }
}
