/* lightloom
title = "Lens distortion"
group = "Geometry"
help = "Adds or removes the barrel and pincushion distortion of a lens (radial terms of the Brown-Conrady model)."
tags = ["fisheye", "barrel", "pincushion", "undistort", "gopro"]
use = ["fill"]
hdr = true

[[param]]
name = "k1"
min = -0.9
max = 0.9
default = 0.25
step = 0.01
label = "Distortion"
help = "Radial coefficient, with the corner at radius 1: above zero bulges like a barrel, below zero pulls in like a pincushion."

[[param]]
name = "k2"
min = -0.9
max = 0.9
default = 0
step = 0.01
label = "Corners"
help = "Second coefficient (fourth power of the radius), which acts on the corners."

[[param]]
name = "zoom"
min = 0.5
max = 4
default = 1.2
step = 0.01
unit = "×"
help = "Enlarges, to hide empty corners."

[[param]]
name = "fill"
type = "choice"
choices = ["black", "transparent", "edge", "mirror", "repeat"]
help = "What is shown where the picture does not reach."
*/

// Brown, "Decentering distortion of lenses", 1966: source radius = r (1 + k1 r^2 + k2 r^4).
fn main(p: vec2i) -> vec4f {
  let d = (vec2f(p) + 0.5 - 0.5 * frame.size) / params.zoom;
  let r2 = dot(d, d) / (0.25 * dot(frame.size, frame.size));
  let at = 0.5 * frame.size + d * (1.0 + r2 * (params.k1 + r2 * params.k2));
  return sample_fill(at / frame.size, params.fill);
}
