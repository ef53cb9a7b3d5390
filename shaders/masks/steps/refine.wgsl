/* lightloom
title = "Follow edges"
help = "Moves the mask's edge to edges of the frame before the chain (guided filter; the lines are fitted at a quarter of the size)."
use = ["guided_lines"]

[[texture]]
name = "pair"
scale = 0.25

[[texture]]
name = "rows"
scale = 0.25
format = "rgba32float"

[[texture]]
name = "fit"
scale = 0.25
format = "rg32float"

[[texture]]
name = "fit_rows"
scale = 0.25
format = "rg32float"

[[texture]]
name = "line"
scale = 0.25

[[pass]]
entry = "guide"
output = "pair"

[[pass]]
entry = "mean_across"
output = "rows"

[[pass]]
entry = "fit_line"
output = "fit"

[[pass]]
entry = "line_across"
output = "fit_rows"

[[pass]]
entry = "line_down"
output = "line"

[[pass]]
entry = "main"
*/

const REACH = 3;

fn guide(p: vec2i) -> vec4f {
  let uv = block_uv(p);
  return vec4f(luma(block(original, uv).rgb), block(input, uv).r, 0.0, 1.0);
}

fn mean_across(p: vec2i) -> vec4f { return moments_across(pair, p, REACH); }
fn fit_line(p: vec2i) -> vec4f { return fitted_line(rows, p, REACH); }
fn line_across(p: vec2i) -> vec4f { return mean_line(fit, p, vec2i(1, 0), REACH); }
fn line_down(p: vec2i) -> vec4f { return mean_line(fit_rows, p, vec2i(0, 1), REACH); }

fn main(p: vec2i) -> vec4f {
  let l = sample(line, uv_of(p)).rg;
  let likely = l.r * luma(sample(original, uv_of(p)).rgb) + l.g;
  // The lines leave a veil where the mask reached beyond an edge.
  return vec4f(smoothstep(0.25, 0.75, likely));
}
