/* lightloom
title = "Style"
group = "Networks"
help = "Repaints the picture with a neural network: a style, or any network that turns a picture into a picture."
use = ["bicubic"]
tags = ["neural", "network", "onnx", "painting", "art", "super resolution", "enhance", "low light"]

[[param]]
name = "model"
type = "model"
tasks = ["image"]
label = "Network"
help = "A style in the box, or an .onnx file that gives a picture."

[[param]]
name = "keep_colors"
label = "Keep colors"
min = 0
max = 1
default = 0
step = 0.01
help = "1 takes only light and dark from the network, and the colors from the picture."

[[param]]
name = "size"
label = "Working size"
type = "int"
min = 128
max = 1920
default = 512
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
output = "image"
texture = "styled"
seen = "before"
model = "model"
size = "size"
backend = "backend"
timing = "timing"
scale = "input_range"
colors = "input_colors"
output_scale = "output_range"
*/

// The network's picture. Enlarged by bilinear interpolation, strokes would show its grid.
fn repainted(uv: vec2f) -> vec3f {
  if (all(network.size == frame.size)) { return sample(styled, uv).rgb; }
  return clamp(bicubic(styled, uv).rgb, vec3f(0.0), vec3f(1.0));
}

fn main(p: vec2i) -> vec4f {
  let s = repainted(uv_of(p));
  // Luma of the style with the chroma (B' - Y', R' - Y') of the picture that was repainted: where the network lags behind, the newest
  // picture's colors would stand beside their shapes. A network of one channel gives nothing else.
  let b = texel(before, p).rgb;
  let recolored = b + (luma(s) - luma(b));
  let keep = select(params.keep_colors, 1.0, network.channels == 1u);
  return vec4f(mix(s, recolored, keep), load(p).a);
}
