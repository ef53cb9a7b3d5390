/* lightloom
title = "Frame difference"
group = "Time"
help = "Shows what changed since the frame before."
tags = ["motion", "movement", "surveillance", "analysis"]

[[param]]
name = "mode"
type = "choice"
choices = ["difference", "signed", "mask", "highlight"]
help = "Size of the change, change around gray, white where it passes the threshold, or the picture dimmed where nothing moves."

[[param]]
name = "gain"
min = 0.5
max = 20
default = 4
step = 0.1
unit = "×"
help = "Enlarges the change."
when = { mode = ["difference", "signed", "highlight"] }

[[param]]
name = "threshold"
min = 0
max = 0.5
default = 0.06
step = 0.005
help = "Largest change of a channel that still counts as still."
when = { mode = ["mask", "highlight"] }

[[texture]]
name = "previous"
persistent = true

[[pass]]
entry = "keep"
output = "previous"

[[pass]]
entry = "main"
*/

fn keep(p: vec2i) -> vec4f { return load(p); }

fn main(p: vec2i) -> vec4f {
  let now = load(p);
  var change = now.rgb - texel(previous, p).rgb;
  if (frame.reset == 1u) { change = vec3f(0.0); }
  let size = abs(change);
  let largest = max(size.r, max(size.g, size.b));
  switch (params.mode) {
    case 0: { return vec4f(size * params.gain, now.a); }
    case 1: { return vec4f(max(0.5 + 0.5 * change * params.gain, vec3f(0.0)), now.a); }
    case 2: { return vec4f(vec3f(f32(largest > params.threshold)), now.a); }
    default: {
      let moving = clamp((largest - params.threshold) * params.gain, 0.0, 1.0);
      return vec4f(mix(vec3f(luma(now.rgb) * 0.25), now.rgb, moving), now.a);
    }
  }
}
