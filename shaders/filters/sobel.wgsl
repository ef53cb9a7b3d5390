/* lightloom
title = "Sobel edges"
group = "Edges"
help = "Shows how steeply luma changes (3 x 3 Sobel operator)."
tags = ["outline", "gradient", "contour"]

[[param]]
name = "strength"
min = 0
max = 8
default = 2
step = 0.05
unit = "×"
help = "Brightness of the edges; at 1 a step from black to white is white."

[[param]]
name = "style"
type = "choice"
choices = ["white_on_black", "black_on_white", "direction", "over_picture"]
default = "white_on_black"
help = "How edges are drawn; 'direction' gives each direction of the slope a hue, 'over_picture' adds the edges to the picture."
*/

fn y_at(p: vec2i) -> f32 { return luma(load(p).rgb); }

// A color circle: red for a slope to the right.
fn hue_of(angle: f32) -> vec3f {
  return clamp(abs(fract(angle / 6.2831853 + vec3f(0.0, 2.0, 1.0) / 3.0) * 6.0 - 3.0) - 1.0, vec3f(0.0), vec3f(1.0));
}

fn main(p: vec2i) -> vec4f {
  let c = load(p);
  let nw = y_at(p + vec2i(-1, -1)); let n = y_at(p + vec2i(0, -1)); let ne = y_at(p + vec2i(1, -1));
  let w = y_at(p + vec2i(-1, 0)); let e = y_at(p + vec2i(1, 0));
  let sw = y_at(p + vec2i(-1, 1)); let s = y_at(p + vec2i(0, 1)); let se = y_at(p + vec2i(1, 1));
  let slope = vec2f(ne + 2.0 * e + se - nw - 2.0 * w - sw, sw + 2.0 * s + se - nw - 2.0 * n - ne) / 4.0;
  let edge = params.strength * length(slope);
  switch (params.style) {
    case 1: { return vec4f(vec3f(1.0 - edge), c.a); }
    case 2: { return vec4f(edge * hue_of(atan2(slope.y, slope.x + select(0.0, 1e-9, all(slope == vec2f(0.0))))), c.a); }
    case 3: { return vec4f(c.rgb + edge, c.a); }
    default: { return vec4f(vec3f(edge), c.a); }
  }
}
