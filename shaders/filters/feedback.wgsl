/* lightloom
title = "Feedback"
group = "Time"
help = "A camera that films its own screen: the frame before comes back enlarged, turned and in another hue, again and again."
tags = ["tunnel", "echo", "trails", "psychedelic", "droste", "afterimage"]

[[param]]
name = "decay"
min = 0
max = 0.99
default = 0.9
step = 0.01
help = "Share of the frame before that comes back; 0 switches it off."

[[param]]
name = "zoom"
min = 0.8
max = 1.25
default = 1.04
step = 0.005
unit = "×"
help = "Enlargement from frame to frame."

[[param]]
name = "turn"
min = -30
max = 30
default = 1
step = 0.1
unit = "°"
help = "Clockwise turn from frame to frame."

[[param]]
name = "hue"
min = -180
max = 180
default = 8
step = 1
unit = "°"
help = "Shift of hue from frame to frame."

[[param]]
name = "center"
type = "point"
default = [0.5, 0.5]
help = "The point that the tunnel leads to."

[[param]]
name = "blend"
type = "choice"
choices = ["lighten", "mix"]
help = "Keep the brighter of the two, or mix them."

[[texture]]
name = "past"
persistent = true

[[pass]]
entry = "keep"
output = "past"

[[pass]]
entry = "main"
*/

// Turns a color about the gray axis (Rodrigues' formula).
fn turned_hue(c: vec3f, angle: f32) -> vec3f {
  let axis = vec3f(0.57735027);
  return c * cos(angle) + cross(axis, c) * sin(angle) + axis * dot(axis, c) * (1.0 - cos(angle));
}

fn fed_back(p: vec2i) -> vec4f {
  let now = load(p);
  if (frame.reset == 1u || params.decay == 0.0) { return now; }
  let a = radians(params.turn);
  let center = params.center * frame.size;
  let d = (vec2f(p) + 0.5 - center) / params.zoom;
  let at = center + vec2f(cos(a) * d.x + sin(a) * d.y, cos(a) * d.y - sin(a) * d.x);
  let older = max(turned_hue(sample(past, at / frame.size).rgb, radians(params.hue)), vec3f(0.0));
  return vec4f(select(mix(now.rgb, older, params.decay), max(now.rgb, older * params.decay), params.blend == 0), now.a);
}

fn keep(p: vec2i) -> vec4f { return fed_back(p); }

fn main(p: vec2i) -> vec4f { return fed_back(p); }
