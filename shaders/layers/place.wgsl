/* lightloom
title = "Place"
help = "Draws a layer, `original`, into a rectangle of the image, the input."
use = ["blending"]

[[param]]
name = "left"
type = "int"
min = -65536
max = 65536
default = 0

[[param]]
name = "top"
type = "int"
min = -65536
max = 65536
default = 0

[[param]]
name = "width"
type = "int"
min = 0
max = 65536
default = 0

[[param]]
name = "height"
type = "int"
min = 0
max = 65536
default = 0

[[param]]
name = "from_x"
min = 0
max = 65536
default = 0

[[param]]
name = "from_y"
min = 0
max = 65536
default = 0

[[param]]
name = "from_width"
min = 0
max = 65536
default = 1

[[param]]
name = "from_height"
min = 0
max = 65536
default = 1

[[param]]
name = "opacity"
min = 0
max = 1
default = 1

[[param]]
name = "blend"
type = "choice"
choices = ["normal", "multiply", "screen", "overlay", "darken", "lighten", "color_dodge", "color_burn", "hard_light", "soft_light", "difference", "exclusion", "hue", "saturation", "color", "luminosity", "add", "subtract", "add_light"]

[[param]]
name = "first"
type = "bool"
default = false
*/

// Most texels that are averaged along each axis; of a layer that is made smaller than that allows, some are left out.
const MOST = 32;

// First texel, number and distance of those that a triangle of `support` around `center` covers, of a layer with `count` texels.
fn covered(center: f32, support: f32, count: i32) -> vec3i {
  let first = max(0, i32(floor(center - support + 0.5)));
  let end = min(count, i32(floor(center + support + 0.5)));
  let stride = max(1, (end - first + MOST - 1) / MOST);
  return vec3i(first, (end - first + stride - 1) / stride, stride);
}

// The layer at pixel q of its rectangle: a triangle as wide as a pixel of the result, at least two texels. Colors are averaged by
// their opacity, so that what is invisible lends none.
fn placed(q: vec2i) -> vec4f {
  let scale = vec2f(params.from_width, params.from_height) / vec2f(f32(params.width), f32(params.height));
  let origin = vec2f(params.from_x, params.from_y);
  if (all(scale == vec2f(1.0)) && all(origin == floor(origin))) { return texel(original, q + vec2i(origin)); }
  let center = origin + (vec2f(q) + 0.5) * scale;
  let support = max(scale, vec2f(1.0));
  let size = vec2i(textureDimensions(original));
  let across = covered(center.x, support.x, size.x);
  let down = covered(center.y, support.y, size.y);
  var sum = vec4f(0.0);
  var total = 0.0;
  for (var row = 0; row < down.y; row++) {
    let y = down.x + row * down.z;
    let share = max(0.0, 1.0 - abs(f32(y) + 0.5 - center.y) / support.y);
    for (var column = 0; column < across.y; column++) {
      let x = across.x + column * across.z;
      let weight = share * max(0.0, 1.0 - abs(f32(x) + 0.5 - center.x) / support.x);
      let color = textureLoad(original, vec2i(x, y), 0);
      sum += weight * vec4f(color.rgb * color.a, color.a);
      total += weight;
    }
  }
  let mean = sum / max(total, 1e-6);
  return vec4f(mean.rgb / max(mean.a, 1e-6), mean.a);
}

fn main(p: vec2i) -> vec4f {
  var base = texel(input, p);
  if (params.first == 1u) { base = vec4f(0.0); }
  let q = p - vec2i(params.left, params.top);
  if (any(q < vec2i(0)) || any(q >= vec2i(params.width, params.height))) { return base; }
  let layer = placed(q);
  let share = layer.a * params.opacity;
  if (share <= 0.0) { return base; }
  // "Compositing and Blending Level 1" (W3C), sections 5.1 and 9.1.4: source over.
  let source = mix(layer.rgb, blended(params.blend, base.rgb, layer.rgb), base.a);
  let alpha = share + base.a * (1.0 - share);
  return vec4f((source * share + base.rgb * base.a * (1.0 - share)) / max(alpha, 1e-6), alpha);
}
