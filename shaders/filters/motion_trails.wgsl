/* lightloom
title = "Motion trails"
group = "Time"
help = "Leaves a fading trail behind everything that moves."
tags = ["echo", "ghost", "persistence"]
hdr = true

[[param]]
name = "decay"
min = 0
max = 0.99
default = 0.85
step = 0.01
help = "Share of the trail that is left after one frame."

[[texture]]
name = "trail"
persistent = true

[[pass]]
entry = "accumulate"
output = "trail"

[[pass]]
entry = "main"
*/

// A trail is the brighter of the picture and the faded past.
fn brighter(p: vec2i) -> vec4f {
  let now = load(p);
  let past = texel(trail, p) * params.decay;
  return vec4f(max(now.rgb, past.rgb), now.a);
}

fn accumulate(p: vec2i) -> vec4f { return brighter(p); }

fn main(p: vec2i) -> vec4f { return brighter(p); }
