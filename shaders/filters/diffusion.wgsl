/* lightloom
title = "Diffusion"
group = "Networks"
help = "Repaints the picture out of noise in a few steps, with a network that takes noise out of pictures, or by a prompt with a folder of Stable Diffusion."
use = ["bicubic"]
tags = ["neural", "network", "onnx", "denoiser", "noise", "dream", "painting", "mirror", "consistency"]

[[param]]
name = "model"
type = "model"
tasks = ["diffusion"]
label = "Network"
help = "An .onnx file that takes a picture with noise, its sketch and the share of noise, and gives the picture; or a folder of Stable Diffusion, SD-Turbo or an LCM."

[[param]]
name = "prompt"
type = "text"
help = "What the picture is to show, in words; for a folder of Stable Diffusion."
when = { model = "pipeline" }

[[param]]
name = "negative"
type = "text"
label = "Avoid"
help = "What the picture is not to show; it counts where the guidance is above 1."
when = { model = "pipeline" }

[[param]]
name = "guidance"
min = 0
max = 20
default = 0
step = 0.1
help = "How much more the prompt counts; up to 1 what is not to be seen is not looked at, which takes half of the time. 0 is what is usual for the folder."
when = { model = "pipeline" }

[[param]]
name = "blend"
label = "Transition"
min = 0
max = 10
default = 1
step = 0.1
unit = "s"
help = "How long one prompt takes to become the next."
when = { model = "pipeline" }

[[param]]
name = "strength"
min = 0
max = 1
default = 0.6
step = 0.01
help = "How much noise there is at first: 0 changes nothing, at 1 only a coarse sketch is left of the picture."

[[param]]
name = "steps"
type = "int"
min = 1
max = 4
default = 2
step = 1
help = "How often the network looks at it: more are finer and slower."

[[param]]
name = "seed"
type = "int"
min = 0
max = 9999
default = 0
step = 1
help = "Another number is other noise, and so another picture."

[[param]]
name = "steady"
label = "Steady noise"
type = "bool"
default = true
help = "The same noise for every picture, so that what stands still looks still; off, it boils."

[[param]]
name = "similarity"
label = "Skip similar"
min = 0
max = 0.2
default = 0.02
step = 0.005
help = "A picture in which nothing has changed by this share keeps the last result; 0 repaints every picture."

[[param]]
name = "size"
label = "Working size"
type = "int"
min = 128
max = 1920
default = 384
step = 32
unit = "px"
help = "Longer side of what the network sees, where it takes any size: larger is finer and slower."

[[param]]
name = "backend"
type = "choice"
help = "Where the network is computed; auto takes the GPU where there is one."

[[param]]
name = "timing"
type = "choice"
choices = ["newest result", "in step"]
help = "Where results come later than their pictures: the newest result with the newest picture, or each picture with its own result, later."

[network]
output = "repainted"
texture = "repainted"
model = "model"
size = "size"
steps = "steps"
backend = "backend"
timing = "timing"
guidance = "guidance"
live = ["prompt", "negative", "guidance", "blend", "strength", "seed", "steady", "similarity"]
*/

// Enlarged by bilinear interpolation, strokes would show the network's grid.
fn found(uv: vec2f) -> vec3f {
  if (all(network.size == frame.size)) { return sample(repainted, uv).rgb; }
  return clamp(bicubic(repainted, uv).rgb, vec3f(0.0), vec3f(1.0));
}

fn main(p: vec2i) -> vec4f {
  let c = load(p);
  if (params.strength == 0.0) { return c; }
  // Without noise the network gives the picture back, at its working size: the full one comes in over the first tenth, so that nothing jumps.
  return vec4f(mix(c.rgb, found(uv_of(p)), min(1.0, 10.0 * params.strength)), c.a);
}
