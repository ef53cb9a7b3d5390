/* lightloom
title = "Equalize"
group = "Light"
help = "Spreads the luma of the whole picture evenly from black to white (histogram equalization)."
tags = ["histogram", "contrast", "auto"]

[[param]]
name = "strength"
min = 0
max = 1
default = 0.7
step = 0.01
help = "Mix of the picture and the equalized one; 0 changes nothing."

[[buffer]]
name = "histogram"
type = "array<atomic<u32>, 256>"
bytes = 1024

[[buffer]]
name = "curve"
type = "array<f32, 256>"
bytes = 1024
clear = false

[[pass]]
kind = "raw"
entry = "count"
workgroup = [16, 16]
tile = [64, 64]

[[pass]]
kind = "raw"
entry = "accumulate"
workgroup = [256, 1]
grid = [1, 1]

[[pass]]
entry = "main"
*/

var<workgroup> counts: array<atomic<u32>, 256>;
var<workgroup> sums: array<u32, 256>;

fn bin_of(p: vec2i) -> f32 { return clamp(luma(load(p).rgb), 0.0, 1.0) * 255.0; }

// 64 x 64 pixels a workgroup, counted in its own memory first: one global addition a bin instead of one a pixel.
@compute @workgroup_size(16, 16)
fn count(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_id) id: vec3u, @builtin(local_invocation_index) i: u32) {
  // Workgroup memory is zeroed by hand: WGSL promises zeros, wgpu-native on llvmpipe does not keep the promise.
  atomicStore(&counts[i], 0u);
  workgroupBarrier();
  let size = vec2i(frame.size);
  for (var y = 0; y < 64; y += 16) {
    for (var x = 0; x < 64; x += 16) {
      let p = vec2i(group.xy * 64u + id.xy) + vec2i(x, y);
      if (all(p < size)) { atomicAdd(&counts[u32(bin_of(p) + 0.5)], 1u); }
    }
  }
  workgroupBarrier();
  let n = atomicLoad(&counts[i]);
  if (n > 0u) { atomicAdd(&histogram[i], n); }
}

// The curve is the cumulative histogram, scaled so that the darkest value present becomes 0 (as cv2.equalizeHist does).
@compute @workgroup_size(256) fn accumulate(@builtin(local_invocation_index) i: u32) {
  sums[i] = atomicLoad(&histogram[i]);
  for (var step = 1u; step < 256u; step *= 2u) {
    workgroupBarrier();
    let below = select(0u, sums[max(i, step) - step], i >= step);
    workgroupBarrier();
    sums[i] += below;
  }
  workgroupBarrier();
  let total = sums[255];
  var first = 0u;
  while (first < 255u && sums[first] == 0u) { first += 1u; }
  let darkest = sums[first];
  // A flat picture stays as it is.
  curve[i] = select(f32(max(sums[i], darkest) - darkest) / f32(max(total - darkest, 1u)), f32(i) / 255.0, total == darkest);
}

// Luma changes, Cb and Cr stay. Between two of the 256 values the curve is interpolated, so that fine gradients do not band.
fn main(p: vec2i) -> vec4f {
  let c = load(p);
  let at = bin_of(p);
  let below = u32(at);
  let y = mix(curve[below], curve[min(below + 1u, 255u)], at - f32(below));
  return vec4f(c.rgb + params.strength * (y - at / 255.0), c.a);
}
