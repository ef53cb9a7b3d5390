/* lightloom
title = "Optical flow"
group = "Networks"
help = "Shows what moves where, of the present picture and the one before, with a neural network such as RAFT."
tags = ["neural", "network", "onnx", "motion", "movement", "raft", "vectors", "arrows"]

[[param]]
name = "model"
type = "model"
tasks = ["optical_flow"]
label = "Network"
help = "An .onnx file that takes two pictures and gives two channels: to the right and down, in pixels."

[[param]]
name = "view"
type = "choice"
choices = ["colors", "arrows", "both"]
help = "Colors: the hue is the direction, and the stronger the color the faster. Arrows: from where a point was to where it is now."

[[param]]
name = "opacity"
min = 0
max = 1
default = 1
step = 0.01
help = "How much the colors cover the picture."
when = { view = ["colors", "both"] }

[[param]]
name = "full"
label = "Full color at"
min = 0.1
max = 50
default = 3
step = 0.1
unit = "%"
help = "How far something goes from picture to picture, as a share of the picture's width, to have the strongest color."

[[param]]
name = "spacing"
min = 8
max = 128
default = 32
step = 1
unit = "px"
help = "Between arrows, in a picture of 1080 lines. An arrow is cut off at this length."
when = { view = ["arrows", "both"] }

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

[network]
output = "flow"
texture = "flow"
model = "model"
size = "size"
backend = "backend"
timing = "timing"
scale = "input_range"
colors = "input_colors"
*/

// How far the picture has gone at uv since the one before, in pixels of the picture: right and down.
fn motion(uv: vec2f) -> vec2f {
  // Without linear sampling, which not every adapter has for this format.
  let at = uv * network.size - 0.5;
  let p = vec2i(floor(at));
  let f = at - floor(at);
  let top = mix(texel(flow, p).rg, texel(flow, p + vec2i(1, 0)).rg, f.x);
  let bottom = mix(texel(flow, p + vec2i(0, 1)).rg, texel(flow, p + vec2i(1, 1)).rg, f.x);
  let found = mix(top, bottom, f.y) * frame.size / network.size;
  // A network may give anything: what is no number has not moved.
  return select(clamp(found, -frame.size, frame.size), vec2f(0.0), !(abs(found) < vec2f(1e30)));
}

// Color number k of the 55 of the wheel in Baker et al., "A Database and Evaluation Methodology for Optical Flow", IJCV 2011, as its authors'
// program has them (colorcode.cpp): from red over yellow, green, cyan, blue and magenta, in steps that differ as the eye does.
fn wheel(k: u32) -> vec3f {
  var lengths = array<u32, 6>(15u, 6u, 4u, 11u, 13u, 6u);
  var i = k;
  var part = 0u;
  while (part < 5u && i >= lengths[part]) {
    i -= lengths[part];
    part += 1u;
  }
  let up = floor(255.0 * f32(i) / f32(lengths[part])) / 255.0;
  let down = 1.0 - up;
  switch part {
    case 0u: { return vec3f(1.0, up, 0.0); }
    case 1u: { return vec3f(down, 1.0, 0.0); }
    case 2u: { return vec3f(0.0, 1.0, up); }
    case 3u: { return vec3f(0.0, down, 1.0); }
    case 4u: { return vec3f(up, 0.0, 1.0); }
    default: { return vec3f(1.0, 0.0, down); }
  }
}

// `v`: 1 long for the strongest color; what is longer is darker, as there.
fn color_of(v: vec2f) -> vec3f {
  let speed = length(v);
  if (speed < 1e-6) { return vec3f(1.0); }
  let at = (atan2(-v.y, -v.x) / 3.14159265 + 1.0) * 0.5 * 54.0;
  let k = u32(floor(at));
  let c = mix(wheel(k % 55u), wheel((k + 1u) % 55u), at - floor(at));
  return select(c * 0.75, 1.0 - speed * (1.0 - c), speed <= 1.0);
}

fn to_segment(p: vec2f, a: vec2f, b: vec2f) -> f32 {
  let along = b - a;
  let t = clamp(dot(p - a, along) / max(dot(along, along), 1e-6), 0.0, 1.0);
  return distance(p, a + along * t);
}

// Distance of a pixel from the arrow that begins in a cell's middle, and the way that this shows.
fn arrow(p: vec2f, cell: vec2f, spacing: f32) -> vec3f {
  let from_point = (cell + 0.5) * spacing;
  let v = motion(from_point / frame.size);
  let l = length(v);
  // What hardly moves has none.
  if (l < 0.5 || any(from_point >= frame.size)) { return vec3f(1e6, v); }
  let way = v / l;
  let tip = from_point + way * min(l, spacing);
  let side = vec2f(-way.y, way.x);
  let head = min(l, spacing) * 0.35;
  let back = tip - way * head;
  let d = min(to_segment(p, from_point, tip), min(to_segment(p, tip, back + side * head * 0.6), to_segment(p, tip, back - side * head * 0.6)));
  return vec3f(d, v);
}

fn main(p: vec2i) -> vec4f {
  let c = load(p);
  let scale = 100.0 / (params.full * frame.size.x);
  var shown = c.rgb;
  if (params.view != 1) {
    shown = mix(c.rgb, color_of(motion(uv_of(p)) * scale), params.opacity);
  }
  if (params.view == 0) { return vec4f(shown, c.a); }
  let at = vec2f(p) + 0.5;
  let spacing = max(params.spacing * frame.scale, 6.0);
  var nearest = vec3f(1e6, 0.0, 0.0);
  // An arrow reaches into its neighbors' cells, and no farther.
  for (var y = -1; y <= 1; y++) {
    for (var x = -1; x <= 1; x++) {
      let found = arrow(at, floor(at / spacing) + vec2f(f32(x), f32(y)), spacing);
      if (found.x < nearest.x) { nearest = found; }
    }
  }
  let width = max(1.0, spacing * 0.05);
  let inside = clamp(width + 0.5 - nearest.x, 0.0, 1.0);
  let rim = clamp(2.0 * width + 0.5 - nearest.x, 0.0, 1.0);
  var ink = vec3f(1.0);
  if (params.view == 1) { ink = color_of(normalize(nearest.yz + vec2f(1e-9, 0.0)) * 0.85); }
  shown = mix(mix(shown, vec3f(0.0), 0.7 * rim), ink, inside);
  return vec4f(shown, c.a);
}
