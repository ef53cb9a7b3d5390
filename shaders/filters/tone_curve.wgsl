/* lightloom
title = "Tone curve"
group = "Light"
help = "Bends the tones of all channels along a smooth curve through five points."
tags = ["curves", "shadows", "highlights", "contrast", "gradation"]

[[param]]
name = "blacks"
min = 0
max = 1
default = 0
step = 0.005
help = "Output value of black (0)."

[[param]]
name = "shadows"
min = 0
max = 1
default = 0.25
step = 0.005
help = "Output value of dark tones (0.25)."

[[param]]
name = "midtones"
min = 0
max = 1
default = 0.5
step = 0.005
help = "Output value of middle tones (0.5)."

[[param]]
name = "lights"
min = 0
max = 1
default = 0.75
step = 0.005
help = "Output value of bright tones (0.75)."

[[param]]
name = "whites"
min = 0
max = 1
default = 1
step = 0.005
help = "Output value of white (1)."
*/

// Slope at a point between two chords: their harmonic mean, 0 where the curve turns. A cubic with these slopes never overshoots its points
// (Fritsch and Butland, "A method for constructing local monotone piecewise cubic interpolants", 1984).
fn slope(before: f32, after: f32) -> f32 {
  return select(0.0, 2.0 * before * after / (before + after), before * after > 0.0);
}

// Cubic Hermite curve over one of the four spans; t runs from 0 to 1 and slopes are rises over a span.
fn hermite(t: f32, from_y: f32, to_y: f32, from_slope: f32, to_slope: f32) -> f32 {
  let u = 1.0 - t;
  return u * u * ((1.0 + 2.0 * t) * from_y + t * from_slope) + t * t * ((1.0 + 2.0 * u) * to_y - u * to_slope);
}

fn curve(x: f32) -> f32 {
  let a = params.shadows - params.blacks;
  let b = params.midtones - params.shadows;
  let c = params.lights - params.midtones;
  let d = params.whites - params.lights;
  let at = clamp(x, 0.0, 1.0) * 4.0;
  let t = fract(min(at, 3.999999));
  // Beyond white the curve goes on straight, so that highlights keep their steps.
  let beyond = max(x - 1.0, 0.0) * 4.0 * d;
  if (at < 1.0) { return hermite(t, params.blacks, params.shadows, a, slope(a, b)); }
  if (at < 2.0) { return hermite(t, params.shadows, params.midtones, slope(a, b), slope(b, c)); }
  if (at < 3.0) { return hermite(t, params.midtones, params.lights, slope(b, c), slope(c, d)); }
  return hermite(t, params.lights, params.whites, slope(c, d), d) + beyond;
}

fn main(p: vec2i) -> vec4f {
  let c = load(p);
  return vec4f(curve(c.r), curve(c.g), curve(c.b), c.a);
}
