/* lightloom
title = "Edge glow"
group = "Stylize"
help = "Draws glowing lines along the edges over a darkened picture, as neon tubes."
tags = ["neon", "outline", "tron", "cyberpunk"]

[[param]]
name = "gain"
min = 0
max = 20
default = 6
step = 0.05
help = "How soon a gradient gives a line of full brightness."

[[param]]
name = "threshold"
min = 0
max = 1
default = 0.06
step = 0.01
help = "Gradient of luma (Sobel, a hard edge from black to white is 1) below which there is no line."

[[param]]
name = "glow"
min = 0
max = 4
default = 1.5
step = 0.05
help = "Strength of the light around the lines."

[[param]]
name = "radius"
min = 4
max = 96
default = 32
step = 1
unit = "px"
help = "Reach of that light; its standard deviation is half of it."

[[param]]
name = "picture"
min = 0
max = 1
default = 0.15
step = 0.01
help = "Brightness of the picture behind."

[[param]]
name = "tint"
type = "color"
default = "#19d3ff"
help = "Color of the lines."

[[param]]
name = "own_color"
min = 0
max = 1
default = 0.4
step = 0.01
label = "Own color"
help = "How far the lines take on the picture's colors."

[[texture]]
name = "lines"

[[texture]]
name = "small"
scale = 0.25

[[texture]]
name = "rows"
scale = 0.25

[[texture]]
name = "halo"
scale = 0.25

[[pass]]
entry = "draw"
output = "lines"

[[pass]]
entry = "reduce"
output = "small"

[[pass]]
entry = "across"
output = "rows"

[[pass]]
entry = "down"
output = "halo"

[[pass]]
entry = "main"
*/

fn y_at(p: vec2i) -> f32 { return luma(load(p).rgb); }

fn draw(p: vec2i) -> vec4f {
  let nw = y_at(p + vec2i(-1, -1)); let n = y_at(p + vec2i(0, -1)); let ne = y_at(p + vec2i(1, -1));
  let w = y_at(p + vec2i(-1, 0)); let e = y_at(p + vec2i(1, 0));
  let sw = y_at(p + vec2i(-1, 1)); let s = y_at(p + vec2i(0, 1)); let se = y_at(p + vec2i(1, 1));
  let gradient = 0.25 * length(vec2f(ne + 2.0 * e + se - nw - 2.0 * w - sw, sw + 2.0 * s + se - nw - 2.0 * n - ne));
  let c = load(p).rgb;
  let own = c / max(max(c.r, max(c.g, c.b)), 1e-3);
  return vec4f(mix(params.tint.rgb, own, params.own_color) * tanh(clamp((gradient - params.threshold) * params.gain, 0.0, 10.0)), 1.0);
}

fn reduce(p: vec2i) -> vec4f {
  let s = 1.0 / frame.size;
  let at = (4.0 * vec2f(p) + 2.0) * s;
  return 0.25 * (sample(lines, at + s * vec2f(-1.0, -1.0)) + sample(lines, at + s * vec2f(1.0, -1.0))
    + sample(lines, at + s * vec2f(-1.0, 1.0)) + sample(lines, at + s));
}

// Gaussian on the quarter-size picture.
fn blur(t: texture_2d<f32>, p: vec2i, direction: vec2i) -> vec4f {
  let sigma = params.radius * 0.125;
  let reach = i32(ceil(2.0 * sigma));
  var sum = vec4f(0.0);
  var total = 0.0;
  for (var i = -reach; i <= reach; i++) {
    let weight = exp(-0.5 * f32(i * i) / (sigma * sigma));
    sum += weight * texel(t, p + i * direction);
    total += weight;
  }
  return sum / total;
}

fn across(p: vec2i) -> vec4f { return blur(small, p, vec2i(1, 0)); }

fn down(p: vec2i) -> vec4f { return blur(rows, p, vec2i(0, 1)); }

fn main(p: vec2i) -> vec4f {
  let c = load(p);
  let halo_at = (vec2f(p) + 0.5) * 0.25 / vec2f(textureDimensions(halo));
  return vec4f(c.rgb * params.picture + texel(lines, p).rgb + sample(halo, halo_at).rgb * params.glow * 3.0, c.a);
}
