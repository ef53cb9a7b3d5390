/* lightloom
title = "Oil paint"
group = "Stylize"
help = "Flattens the picture into brush-like patches with firm edges (Kuwahara filter)."
tags = ["kuwahara", "painting", "painterly", "brush"]

[[param]]
name = "radius"
type = "int"
min = 1
max = 24
default = 6
unit = "px"
help = "Side of the four windows around a pixel, less one."

[[param]]
name = "sharpness"
min = 1
max = 8
default = 4
step = 0.5
help = "How strongly the calmest window wins; low values blend them."

[[texture]]
name = "rows"
format = "rgba32float"

[[texture]]
name = "windows"
format = "rgba32float"

[[pass]]
entry = "across"
output = "rows"

[[pass]]
entry = "down"
output = "windows"

[[pass]]
entry = "main"
*/

// Kuwahara et al., "Processing of RI-angiocardiographic images", 1976, with windows weighted by their variance instead of the
// calmest alone (Papari, Petkov and Campisi, 2007), which doesn't flicker in video. The statistics of all windows are computed
// once: texel p holds mean R'G'B' and mean squared luma of the window whose upper left corner is p. f32, because the variance is
// a difference of nearly equal numbers.
fn across(p: vec2i) -> vec4f {
  var sum = vec4f(0.0);
  for (var i = 0; i <= params.radius; i++) {
    let c = load(p + vec2i(i, 0)).rgb;
    sum += vec4f(c, luma(c) * luma(c));
  }
  return sum / f32(params.radius + 1);
}

fn down(p: vec2i) -> vec4f {
  var sum = vec4f(0.0);
  for (var i = 0; i <= params.radius; i++) { sum += texel(rows, p + vec2i(0, i)); }
  return sum / f32(params.radius + 1);
}

fn main(p: vec2i) -> vec4f {
  var sum = vec3f(0.0);
  var total = 0.0;
  for (var i = 0; i < 4; i++) {
    // Windows that would reach outside are moved inside.
    let corner = min(max(p - params.radius * vec2i(i & 1, i >> 1), vec2i(0)), max(vec2i(frame.size) - 1 - params.radius, vec2i(0)));
    let window = texel(windows, corner);
    let y = luma(window.rgb);
    let deviation = sqrt(max(window.a - y * y, 0.0));
    let weight = pow(1.0 + 255.0 * deviation, -params.sharpness);
    sum += weight * window.rgb;
    total += weight;
  }
  return vec4f(sum / total, load(p).a);
}
