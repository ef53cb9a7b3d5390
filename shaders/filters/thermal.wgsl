/* lightloom
title = "Thermal"
group = "Stylize"
help = "Shows luma in the false colors of a thermal camera."
tags = ["palette", "heat", "infrared", "false color", "colormap"]

[[param]]
name = "palette"
type = "choice"
choices = ["iron", "rainbow", "white_hot", "black_hot"]
default = "iron"
help = "The colors from cold to hot."

[[param]]
name = "low"
min = 0
max = 1
default = 0
step = 0.01
help = "Luma that gets the coldest color."

[[param]]
name = "high"
min = 0
max = 1
default = 1
step = 0.01
help = "Luma that gets the hottest color."
*/

// gnuplot's rgbformulae 7, 5, 15: black, blue, violet, red, orange, yellow, white-hot.
fn iron(x: f32) -> vec3f { return vec3f(sqrt(x), x * x * x, max(sin(radians(360.0 * x)), 0.0)); }

// The "jet" map of MATLAB: three overlapping trapezoids.
fn rainbow(x: f32) -> vec3f { return clamp(1.5 - abs(4.0 * x - vec3f(3.0, 2.0, 1.0)), vec3f(0.0), vec3f(1.0)); }

fn main(p: vec2i) -> vec4f {
  let c = load(p);
  let x = clamp((luma(c.rgb) - params.low) / max(params.high - params.low, 1e-3), 0.0, 1.0);
  var hot = iron(x);
  switch (params.palette) {
    case 1: { hot = rainbow(x); }
    case 2: { hot = vec3f(x); }
    case 3: { hot = vec3f(1.0 - x); }
    default: {}
  }
  return vec4f(hot, c.a);
}
