/* lightloom
title = "Temporal denoise"
group = "Time"
help = "Averages each pixel over time where nothing moves, and lets go where something does."
tags = ["noise", "grain", "clean", "low light"]
hdr = true

[[param]]
name = "strength"
min = 0
max = 0.97
default = 0.85
step = 0.01
help = "Share of the past in a still pixel; 0 switches it off, 0.9 averages about 19 frames."

[[param]]
name = "threshold"
min = 0.005
max = 0.5
default = 0.1
step = 0.005
help = "Change of the 3 x 3 mean (root of the squared sum over R', G', B') that counts as motion."

[[texture]]
name = "history"
persistent = true

[[pass]]
entry = "keep"
output = "history"

[[pass]]
entry = "main"
*/

// Mean of 3 x 3 texels from four bilinear samples, two thirds of a texel off the center each way.
fn mean3(t: texture_2d<f32>, p: vec2i) -> vec3f {
  let at = uv_of(p);
  let d = vec2f(1.0, -1.0) * (2.0 / 3.0) / frame.size.xx;
  let e = vec2f(1.0, -1.0) * (2.0 / 3.0) / frame.size.yy;
  return 0.25 * (sample(t, at + vec2f(d.x, e.x)) + sample(t, at + vec2f(d.x, e.y))
    + sample(t, at + vec2f(d.y, e.x)) + sample(t, at + vec2f(d.y, e.y))).rgb;
}

// A first-order recursive filter whose weight falls with local motion; the mean makes noise of single pixels not look like motion.
fn denoised(p: vec2i) -> vec4f {
  let now = load(p);
  if (frame.reset == 1u) { return now; }
  let change = mean3(input, p) - mean3(history, p);
  let still = exp(-dot(change, change) / (params.threshold * params.threshold));
  return vec4f(mix(now.rgb, texel(history, p).rgb, params.strength * still), now.a);
}

fn keep(p: vec2i) -> vec4f { return denoised(p); }

fn main(p: vec2i) -> vec4f { return denoised(p); }
