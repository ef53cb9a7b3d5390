/* lightloom
title = "Depth"
group = "Networks"
use = ["depth_range"]
help = "Estimates how near things are with a neural network, and shows it in colors or blurs what is out of focus."
tags = ["neural", "network", "onnx", "distance", "bokeh", "depth of field", "map"]

[[param]]
name = "model"
type = "model"
tasks = ["depth"]
label = "Network"
help = "An .onnx file that gives a depth map."

[[param]]
name = "show"
type = "choice"
choices = ["colours", "blur"]
help = "Show the map in colors, or blur what is out of focus."

[[param]]
name = "palette"
type = "choice"
choices = ["ember", "sea", "rainbow", "grey"]
help = "Colors from far to near."
when = { show = "colours" }

[[param]]
name = "strength"
min = 0
max = 1
default = 1
step = 0.01
help = "Mix of the picture and the map."
when = { show = "colours" }

[[param]]
name = "focus"
min = 0
max = 1
default = 1
step = 0.01
help = "What is sharp, from the farthest (0) to the nearest (1)."
when = { show = "blur" }

[[param]]
name = "field"
label = "Depth of field"
min = 0
max = 1
default = 0.15
step = 0.01
help = "How far around the focus things are sharp."
when = { show = "blur" }

[[param]]
name = "radius"
min = 0
max = 48
default = 16
step = 0.5
unit = "px"
help = "Reach of the blur where it is strongest; its standard deviation is half of it."
when = { show = "blur" }

[[param]]
name = "smoothing"
min = 0
max = 2
default = 0.4
step = 0.05
unit = "s"
help = "Time over which the nearest and the farthest value are averaged, against flicker."

[[param]]
name = "invert"
type = "bool"
default = false
help = "Take large values for far."

[[param]]
name = "size"
label = "Working size"
type = "int"
min = 128
max = 1024
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

[network]
output = "map"
texture = "depth_map"
model = "model"
size = "size"
backend = "backend"
timing = "timing"
scale = "input_range"
colors = "input_colors"

[[buffer]]
name = "found"
type = "array<atomic<u32>, 4>"
bytes = 16

[[buffer]]
name = "settled"
type = "vec4f"
bytes = 16
clear = false

[[texture]]
name = "near"
scale = 0.5

[[texture]]
name = "rows"

[[pass]]
kind = "raw"
entry = "measure"
workgroup = [8, 8]
tile = [64, 64]

[[pass]]
kind = "raw"
entry = "settle"
workgroup = [1, 1]
grid = [1, 1]

[[pass]]
entry = "normalize_map"
output = "near"

[[pass]]
entry = "across"
output = "rows"

[[pass]]
entry = "main"
*/

@compute @workgroup_size(8, 8) fn measure(@builtin(global_invocation_id) id: vec3u) { measure_map(id); }
@compute @workgroup_size(1, 1) fn settle(@builtin(global_invocation_id) id: vec3u) { settle_range(); }

fn normalize_map(p: vec2i) -> vec4f { return vec4f(nearness_at((vec2f(p) + 0.5) / vec2f(textureDimensions(result)))); }

fn nearness(p: vec2i) -> f32 { return sample(near, uv_of(p)).r; }

fn between(a: vec3f, b: vec3f, c: vec3f, d: vec3f, e: vec3f, t: f32) -> vec3f {
  let x = clamp(t, 0.0, 1.0) * 4.0;
  let low = mix(mix(a, b, min(x, 1.0)), c, clamp(x - 1.0, 0.0, 1.0));
  return mix(mix(low, d, clamp(x - 2.0, 0.0, 1.0)), e, clamp(x - 3.0, 0.0, 1.0));
}

fn color_of(n: f32) -> vec3f {
  switch (params.palette) {
    case 0: {
      return between(vec3f(0.02, 0.01, 0.08), vec3f(0.3, 0.06, 0.42), vec3f(0.73, 0.21, 0.33), vec3f(0.98, 0.55, 0.16),
        vec3f(0.99, 0.98, 0.72), n);
    }
    case 1: {
      return between(vec3f(0.03, 0.06, 0.22), vec3f(0.07, 0.27, 0.5), vec3f(0.1, 0.53, 0.6), vec3f(0.43, 0.78, 0.6),
        vec3f(0.95, 0.97, 0.8), n);
    }
    case 2: {
      let h = (1.0 - n) * 4.5;
      return clamp(abs(vec3f(h - 3.0, h - 2.0, h - 4.0)) * vec3f(1.0, -1.0, -1.0) + vec3f(-1.0, 2.0, 2.0), vec3f(0.0), vec3f(1.0));
    }
    default: { return vec3f(n); }
  }
}

fn sigma_of(p: vec2i) -> f32 {
  let distance = abs(nearness(p) - params.focus);
  return 0.5 * params.radius * smoothstep(0.5 * params.field, 0.5 * params.field + 0.4, distance);
}

// Each pixel's own Gaussian, cut off at two standard deviations. A neighbor that is nearer than the pixel and sharp does not run into it.
fn blurred(t: texture_2d<f32>, p: vec2i, direction: vec2i) -> vec4f {
  let sigma = sigma_of(p);
  let center = texel(t, p);
  if (sigma < 0.05) { return center; }
  let reach = i32(ceil(2.0 * sigma));
  let here = nearness(p);
  var sum = center;
  var total = 1.0;
  for (var i = -reach; i <= reach; i++) {
    let q = p + i * direction;
    let x = f32(i) / sigma;
    let sharp = select(1.0, smoothstep(0.0, 1.0, sigma_of(q)), nearness(q) > here);
    let w = select(exp(-0.5 * x * x) * sharp, 0.0, i == 0);
    sum += w * texel(t, q);
    total += w;
  }
  return sum / total;
}

fn across(p: vec2i) -> vec4f {
  if (params.show == 0) { return vec4f(0.0); }
  return blurred(input, p, vec2i(1, 0));
}

fn main(p: vec2i) -> vec4f {
  let c = load(p);
  if (params.show == 1) { return blurred(rows, p, vec2i(0, 1)); }
  return vec4f(mix(c.rgb, color_of(nearness(p)), params.strength), c.a);
}
