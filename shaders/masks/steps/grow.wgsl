/* lightloom
title = "Grow"
help = "Enlarges the mask by a distance, or shrinks it, with a circle. It ends with a hard edge at a coverage of one half."

[[param]]
name = "grow"
min = -10
max = 10
default = 0
unit = "%"

[[texture]]
name = "rows"
format = "r32float"

[[pass]]
entry = "across"
output = "rows"

[[pass]]
entry = "main"
*/

const FAR = 1e6;

fn radius() -> f32 { return 0.01 * abs(params.grow) * frame.size.y; }

// True if the pixel belongs to the region that grows: the mask, or its complement when shrinking.
fn is_in_region(p: vec2i) -> bool { return (load(p).r >= 0.5) == (params.grow > 0.0); }

// Distance along the row to the nearest pixel of what grows. The frame's edge is no edge of the mask.
fn across(p: vec2i) -> vec4f {
  let reach = i32(ceil(radius()));
  let last = i32(frame.size.x) - 1;
  for (var d = 0; d <= reach; d++) {
    if ((p.x - d >= 0 && is_in_region(p - vec2i(d, 0))) || (p.x + d <= last && is_in_region(p + vec2i(d, 0)))) { return vec4f(f32(d)); }
  }
  return vec4f(FAR);
}

fn main(p: vec2i) -> vec4f {
  let reach = i32(ceil(radius()));
  let last = i32(frame.size.y) - 1;
  var nearest = FAR * FAR;
  for (var d = -reach; d <= reach; d++) {
    if (p.y + d < 0 || p.y + d > last) { continue; }
    let along = texel(rows, p + vec2i(0, d)).r;
    nearest = min(nearest, along * along + f32(d * d));
  }
  if (radius() < 0.5) { return vec4f(load(p).r); }
  let grown = clamp(radius() + 0.5 - sqrt(nearest), 0.0, 1.0);
  return vec4f(select(1.0 - grown, grown, params.grow > 0.0));
}
