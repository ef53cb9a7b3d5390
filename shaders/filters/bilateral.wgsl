/* lightloom
title = "Bilateral smoothing"
group = "Detail"
help = "Smooths surfaces and keeps edges: a mean of near pixels of like color."
tags = ["denoise", "smooth", "skin", "edge-preserving"]

[[param]]
name = "radius"
type = "int"
min = 0
max = 8
default = 4
unit = "px"
help = "Reach of the round window; 0 changes nothing."

[[param]]
name = "sigma_color"
label = "Color range"
min = 0.01
max = 2
default = 0.2
step = 0.01
help = "Standard deviation of the weight for color, over the sum of the differences of the three channels."

[[param]]
name = "sigma_space"
label = "Distance"
min = 0.5
max = 8
default = 3
step = 0.1
unit = "px"
help = "Standard deviation of the weight for distance."

[[pass]]
kind = "raw"
entry = "bilateral"
output = "output"
workgroup = [16, 16]
*/

// Tomasi and Manduchi, "Bilateral filtering for gray and color images", 1998; the L1 distance of colors as in cv2.bilateralFilter.
// The window is read from workgroup memory, in the input's own half precision: 32 x 32 texels of 8 bytes.

var<workgroup> window: array<vec2u, 1024>;

fn color_at(i: i32) -> vec3f {
  let packed = window[i];
  return vec3f(unpack2x16float(packed.x), unpack2x16float(packed.y).x);
}

@compute @workgroup_size(16, 16)
fn bilateral(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_id) id: vec3u, @builtin(local_invocation_index) index: u32) {
  let r = params.radius;
  let side = 16 + 2 * r;
  let corner = vec2i(group.xy * 16u) - r;
  for (var i = i32(index); i < side * side; i += 256) {
    let c = load(corner + vec2i(i % side, i / side));
    window[i] = vec2u(pack2x16float(c.rg), pack2x16float(vec2f(c.b, 0.0)));
  }
  workgroupBarrier();
  let p = vec2i(group.xy * 16u + id.xy);
  if (any(p >= vec2i(frame.size))) { return; }
  let here = (i32(id.y) + r) * side + i32(id.x) + r;
  let center = color_at(here);
  let by_space = -0.5 / (params.sigma_space * params.sigma_space);
  let by_color = -0.5 / (params.sigma_color * params.sigma_color);
  var sum = vec3f(0.0);
  var total = 0.0;
  for (var y = -r; y <= r; y++) {
    for (var x = -r; x <= r; x++) {
      let far = x * x + y * y;
      if (far > r * r) { continue; }
      let c = color_at(here + y * side + x);
      let apart = dot(abs(c - center), vec3f(1.0));
      let w = exp(by_space * f32(far) + by_color * apart * apart);
      sum += w * c;
      total += w;
    }
  }
  textureStore(result, p, vec4f(sum / total, load(p).a));
}
