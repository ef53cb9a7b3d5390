/* lightloom
title = "Super-resolution"
group = "Networks"
help = "Enlarges the picture with a neural network, 2 or 4 times say; the stages behind it, and what is saved, have the larger picture."
use = ["bicubic"]
tags = ["neural", "network", "onnx", "upscale", "enlarge", "enhance", "denoise", "resolution"]

[[param]]
name = "model"
type = "model"
tasks = ["super_resolution"]
label = "Network"
help = "An .onnx or .tflite file that gives a larger picture, or one of the same size: a network that removes noise, say."

[[param]]
name = "strength"
min = 0
max = 1
default = 1
step = 0.01
help = "Mix of the picture as it is enlarged by interpolation and as the network enlarges it."

[[param]]
name = "tile"
label = "Tile size"
type = "int"
min = 0
max = 4096
default = 0
step = 32
unit = "px"
help = "Longer side of what the network sees at once, where it takes any size; 0 is as much as the memory allows. Tiles overlap and are blended."

[[param]]
name = "backend"
type = "choice"
help = "Where the network is computed; auto takes the GPU where there is one."

[[param]]
name = "timing"
type = "choice"
choices = ["newest result", "in step"]
help = "Where results come later than their pictures: the newest result with the newest picture, or each picture with its own result, later."

[[param]]
name = "input_range"
type = "choice"
choices = ["auto", "0..1", "-1..1", "0..255", "ImageNet"]
help = "The range of the network's input, where what was inferred is wrong; ImageNet is 0..1 less its mean, over its deviation."

[[param]]
name = "input_colors"
label = "Input colors"
type = "choice"
choices = ["auto", "RGB", "BGR"]
help = "The order of the network's channels, where what was inferred is wrong."

[[param]]
name = "output_range"
type = "choice"
choices = ["auto", "0..1", "-1..1", "0..255"]
help = "The range of the picture that comes out, where what was inferred is wrong."

[network]
output = "enlarged"
texture = "enlarged"
seen = "before"
model = "model"
size = "tile"
backend = "backend"
timing = "timing"
scale = "input_range"
colors = "input_colors"
output_scale = "output_range"
*/

// `frame.size` is that of the larger picture. Only while a network for another size of the picture is being built do the two differ.
fn by_network(p: vec2i) -> vec3f {
  if (all(network.size == frame.size)) { return texel(enlarged, p).rgb; }
  return sample(enlarged, uv_of(p)).rgb;
}

fn main(p: vec2i) -> vec4f {
  let uv = uv_of(p);
  let c = bicubic(input, uv);
  var s = by_network(p);
  if (network.channels == 1u) {
    // Luma of the network with the chroma (B' - Y', R' - Y') of the picture that it saw.
    let b = clamp(bicubic(before, uv).rgb, vec3f(0.0), vec3f(1.0));
    s = clamp(b + (luma(s) - luma(b)), vec3f(0.0), vec3f(1.0));
  }
  return vec4f(mix(clamp(c.rgb, vec3f(0.0), vec3f(1.0)), s, params.strength), clamp(c.a, 0.0, 1.0));
}
