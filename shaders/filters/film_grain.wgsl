/* lightloom
title = "Film grain"
group = "Stylize"
help = "Adds grain that changes with every frame and is the same whenever the same frame is shown."
tags = ["noise", "analog", "texture"]

[[param]]
name = "amount"
min = 0
max = 0.5
default = 0.06
step = 0.005
help = "Standard deviation of the grain in middle gray; dark and bright parts get less."

[[param]]
name = "size"
min = 1
max = 8
default = 1
step = 0.1
unit = "px"
help = "Distance between grains."

[[param]]
name = "color"
type = "bool"
default = false
label = "Color grain"
help = "Separate grain for red, green and blue."

[[param]]
name = "seed"
type = "int"
min = 0
max = 65535
default = 1
help = "Another number gives another grain."
*/

// Zero mean, unit variance, nearly normal: the sum of three uniform numbers (Irwin-Hall).
fn grain(cell: vec2i, seed: u32) -> f32 { return 2.0 * dot(random3(cell, seed), vec3f(1.0)) - 3.0; }

// Grain between the cells. Mixing lowers the variance, so it is divided by the root of the sum of squared weights.
fn grain_at(p: vec2i, seed: u32) -> f32 {
  if (params.size <= 1.0) { return grain(p, seed); }
  let at = vec2f(p) / params.size;
  let cell = vec2i(floor(at));
  let f = fract(at);
  let w = vec4f((1.0 - f.x) * (1.0 - f.y), f.x * (1.0 - f.y), (1.0 - f.x) * f.y, f.x * f.y);
  let g = vec4f(grain(cell, seed), grain(cell + vec2i(1, 0), seed), grain(cell + vec2i(0, 1), seed), grain(cell + 1, seed));
  return dot(w, g) / length(w);
}

fn main(p: vec2i) -> vec4f {
  let c = load(p);
  let seed = frame.index * 2654435769u + u32(params.seed) * 3u;
  var g = vec3f(grain_at(p, seed));
  if (params.color != 0u) { g = vec3f(g.x, grain_at(p, seed + 1u), grain_at(p, seed + 2u)); }
  let y = clamp(luma(c.rgb), 0.0, 1.0);
  return vec4f(c.rgb + params.amount * (0.25 + 3.0 * y * (1.0 - y)) * g, c.a);
}
