/* lightloom
title = "Brightness and contrast"
group = "Light"
help = "Contrast about middle gray, then brightness, then gamma, on the displayed values."
tags = ["gamma", "midtones"]

[[param]]
name = "brightness"
min = -1
max = 1
default = 0
step = 0.01
help = "Added to every channel; 1 is the step from black to white."

[[param]]
name = "contrast"
min = 0
max = 4
default = 1
step = 0.01
unit = "×"
help = "Factor about middle gray (0.5); 0 leaves a flat gray."

[[param]]
name = "gamma"
min = 0.2
max = 5
default = 1
step = 0.01
help = "Above 1 lifts the midtones, below 1 darkens them; black and white stay."
*/

fn main(p: vec2i) -> vec4f {
  let c = load(p);
  let v = (c.rgb - 0.5) * params.contrast + 0.5 + params.brightness;
  // The power is mirrored below zero, where pow is undefined.
  return vec4f(sign(v) * pow(abs(v), vec3f(1.0 / params.gamma)), c.a);
}
