/* lightloom
title = "Follow edges"
help = "Moves the mask's edge to edges of the frame before the chain (guided filter; the lines are fitted at a quarter of the size)."

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

// He and Sun, "Fast guided filter", 2015: at a quarter of the size the mask is fitted as a line a I + b of the frame's luma I in each
// window; at full size the mean of these lines is evaluated with the full frame.

const REACH = 3;
const WINDOW = 7.0;
// Variance of luma that still counts as flat: a standard deviation of 0.02.
const FLAT = 4e-4;

fn block(t: texture_2d<f32>, uv: vec2f) -> vec4f {
  let d = 1.0 / frame.size;
  return 0.25 * (sample(t, uv + d * vec2f(1.0, 1.0)) + sample(t, uv + d * vec2f(-1.0, 1.0))
    + sample(t, uv + d * vec2f(1.0, -1.0)) + sample(t, uv + d * vec2f(-1.0, -1.0)));
}

fn guide(p: vec2i) -> vec4f {
  let uv = (vec2f(p) + 0.5) / vec2f(textureDimensions(result));
  return vec4f(luma(block(original, uv).rgb), block(input, uv).r, 0.0, 1.0);
}

fn mean_across(p: vec2i) -> vec4f {
  var sum = vec4f(0.0);
  for (var i = -REACH; i <= REACH; i++) {
    let v = texel(pair, p + vec2i(i, 0)).rg;
    sum += vec4f(v, v.r * v.r, v.r * v.g);
  }
  return sum / WINDOW;
}

fn fit_line(p: vec2i) -> vec4f {
  var sum = vec4f(0.0);
  for (var i = -REACH; i <= REACH; i++) { sum += texel(rows, p + vec2i(0, i)); }
  let m = sum / WINDOW;
  let a = (m.w - m.x * m.y) / (max(m.z - m.x * m.x, 0.0) + FLAT);
  return vec4f(a, m.y - a * m.x, 0.0, 1.0);
}

fn line_across(p: vec2i) -> vec4f {
  var sum = vec2f(0.0);
  for (var i = -REACH; i <= REACH; i++) { sum += texel(fit, p + vec2i(i, 0)).rg; }
  return vec4f(sum / WINDOW, 0.0, 1.0);
}

fn line_down(p: vec2i) -> vec4f {
  var sum = vec2f(0.0);
  for (var i = -REACH; i <= REACH; i++) { sum += texel(fit_rows, p + vec2i(0, i)).rg; }
  return vec4f(sum / WINDOW, 0.0, 1.0);
}

fn main(p: vec2i) -> vec4f {
  let l = sample(line, uv_of(p)).rg;
  let likely = l.r * luma(sample(original, uv_of(p)).rgb) + l.g;
  // The lines leave a veil where the mask reached beyond an edge.
  return vec4f(smoothstep(0.25, 0.75, likely));
}
