/* lightloom
title = "Cartoon"
group = "Stylize"
help = "Smooths surfaces while keeping edges, reduces the tones to a few steps and draws dark lines along the edges."
tags = ["comic", "toon", "cel shading", "drawing"]

[[param]]
name = "smoothness"
min = 0
max = 16
default = 6
step = 0.5
unit = "px"
help = "Reach of the smoothing, which is done twice."

[[param]]
name = "detail"
min = 0.02
max = 0.5
default = 0.1
step = 0.01
help = "Color difference that counts as an edge and is kept; smaller ones are smoothed away."

[[param]]
name = "levels"
type = "int"
min = 2
max = 16
default = 7
help = "Steps of luma."

[[param]]
name = "hardness"
min = 1
max = 20
default = 6
step = 0.5
help = "How abruptly one step changes to the next."

[[param]]
name = "lines"
min = 0
max = 1
default = 0.85
step = 0.01
help = "Darkness of the lines."

[[param]]
name = "width"
min = 0.5
max = 4
default = 1.2
step = 0.1
unit = "px"
help = "Width of the lines."

[[param]]
name = "saturation"
min = 0
max = 2.5
default = 1.35
step = 0.01
help = "Strength of the colors; 1 keeps them."

[[texture]]
name = "rows"

[[texture]]
name = "smooth_picture"

[[texture]]
name = "narrow_wide"
format = "rg32float"

[[pass]]
entry = "rows_of_input"
output = "rows"

[[pass]]
entry = "columns"
output = "smooth_picture"

[[pass]]
entry = "rows_again"
output = "rows"

[[pass]]
entry = "columns"
output = "smooth_picture"

[[pass]]
entry = "lines_across"
output = "narrow_wide"

[[pass]]
entry = "main"
*/

// After Winnemoeller, Olsen and Gooch, "Real-time video abstraction", SIGGRAPH 2006. The bilateral filter is applied to rows, then
// columns (Pham and van Vliet, 2005): 4 r instead of 4 r^2 reads a round.
fn bilateral(t: texture_2d<f32>, p: vec2i, direction: vec2i) -> vec4f {
  let center = texel(t, p);
  let reach = i32(ceil(params.smoothness));
  let space = -2.0 / max(params.smoothness * params.smoothness, 1e-3);
  let tone = -0.5 / (params.detail * params.detail);
  var sum = center.rgb;
  var total = 1.0;
  for (var i = 1; i <= reach; i++) {
    let near = exp(space * f32(i * i));
    let a = texel(t, p + i * direction).rgb;
    let b = texel(t, p - i * direction).rgb;
    let wa = near * exp(tone * dot(a - center.rgb, a - center.rgb));
    let wb = near * exp(tone * dot(b - center.rgb, b - center.rgb));
    sum += wa * a + wb * b;
    total += wa + wb;
  }
  return vec4f(sum / total, center.a);
}

fn rows_of_input(p: vec2i) -> vec4f { return bilateral(input, p, vec2i(1, 0)); }
fn rows_again(p: vec2i) -> vec4f { return bilateral(smooth_picture, p, vec2i(1, 0)); }
fn columns(p: vec2i) -> vec4f { return bilateral(rows, p, vec2i(0, 1)); }

// Weights of a tap at distance i in Gaussians of standard deviation `width` and 1.6 `width`, whose difference finds edges.
fn pair(i: i32) -> vec2f {
  let s = params.width * vec2f(1.0, 1.6);
  return exp(-0.5 * f32(i * i) / (s * s));
}

fn line_reach() -> i32 { return i32(ceil(4.0 * params.width)); }

fn lines_across(p: vec2i) -> vec4f {
  var sum = vec2f(0.0);
  var total = vec2f(0.0);
  for (var i = -line_reach(); i <= line_reach(); i++) {
    sum += pair(i) * luma(texel(smooth_picture, p + vec2i(i, 0)).rgb);
    total += pair(i);
  }
  return vec4f(sum / total, 0.0, 0.0);
}

// 1 on surfaces and the bright side of an edge, towards 0 on its dark side.
fn paper(p: vec2i) -> f32 {
  var sum = vec2f(0.0);
  var total = vec2f(0.0);
  for (var i = -line_reach(); i <= line_reach(); i++) {
    sum += pair(i) * texel(narrow_wide, p + vec2i(0, i)).rg;
    total += pair(i);
  }
  let both = sum / total;
  // Bounded, because some drivers' tanh overflows where it should be -1.
  return 1.0 + tanh(clamp(200.0 * (both.x - 0.98 * both.y), -10.0, 0.0));
}

// Steps 0, 1 / (levels - 1), ..., 1 with soft changes half-way between them.
fn stepped(y: f32) -> f32 {
  let x = y * f32(params.levels - 1);
  let from_middle = tanh(params.hardness * (fract(x) - 0.5)) / tanh(0.5 * params.hardness);
  return (floor(x) + 0.5 + 0.5 * from_middle) / f32(params.levels - 1);
}

fn main(p: vec2i) -> vec4f {
  let c = texel(smooth_picture, p);
  let y = luma(c.rgb);
  let color = max(vec3f(stepped(y)) + (c.rgb - y) * params.saturation, vec3f(0.0));
  return vec4f(color * mix(1.0, paper(p), params.lines), c.a);
}
