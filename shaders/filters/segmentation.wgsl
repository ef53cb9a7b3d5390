/* lightloom
title = "Segmentation"
group = "Networks"
help = "Shows the classes that a neural network finds in the picture, each in a color of its own."
tags = ["neural", "network", "onnx", "semantic", "classes", "labels", "mask", "road", "scene"]

[[param]]
name = "model"
type = "model"
tasks = ["mask"]
label = "Network"
help = "An .onnx file that tells classes of pixels apart, or the bundled person mask."

[[param]]
name = "opacity"
min = 0
max = 1
default = 0.6
step = 0.01
help = "How much the colors cover the picture."

[[param]]
name = "background"
type = "bool"
default = false
label = "Color class 0"
help = "Color the first class too, which is the background of most networks."

[[param]]
name = "only"
label = "Class"
type = "int"
min = -1
max = 255
default = -1
help = "The one class that is colored; -1 colors all."

[[param]]
name = "borders"
min = 0
max = 1
default = 0.8
step = 0.01
help = "Strength of the lines between classes."

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
output = "classes"
texture = "classes"
model = "model"
backend = "backend"
timing = "timing"
scale = "input_range"
colors = "input_colors"
*/

// Numbers of classes are not to be interpolated: each pixel takes the texel that it lies in.
fn class_at(uv: vec2f) -> i32 {
  return i32(texel(classes, vec2i(floor(uv * network.size))).r);
}

// Hues by the golden angle, so that neighbors in number differ most.
fn color_of(class_number: i32) -> vec3f {
  let h = fract(0.12 + f32(class_number) * 0.381966) * 6.0;
  let pure = clamp(vec3f(abs(h - 3.0) - 1.0, 2.0 - abs(h - 2.0), 2.0 - abs(h - 4.0)), vec3f(0.0), vec3f(1.0));
  return mix(vec3f(1.0), pure, 0.62);
}

fn main(p: vec2i) -> vec4f {
  let c = load(p);
  let uv = uv_of(p);
  let here = class_at(uv);
  let step = 1.5 / frame.size;
  let right = class_at(uv + vec2f(step.x, 0.0));
  let below = class_at(uv + vec2f(0.0, step.y));
  let all = params.only < 0;
  let of_it = all || here == params.only || right == params.only || below == params.only;
  let border = of_it && (here != right || here != below);
  let covered = select(here == params.only, params.background == 1u || here != 0, all);
  var shown = mix(c.rgb, color_of(here), select(0.0, params.opacity, covered));
  shown = mix(shown, vec3f(1.0), select(0.0, params.borders, border));
  return vec4f(shown, c.a);
}
