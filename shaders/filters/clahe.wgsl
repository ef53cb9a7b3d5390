/* lightloom
title = "Local contrast (CLAHE)"
group = "Light"
help = "Contrast-limited adaptive histogram equalization of luma: brings out detail in dark and bright parts alike."
tags = ["clahe", "histogram", "equalize", "adaptive", "detail", "haze"]

[[param]]
name = "clip"
min = 1
max = 16
default = 2
step = 0.1
help = "Most that a value may occur, as a multiple of an even histogram; a higher limit gives more contrast and more noise."

[[param]]
name = "tiles"
type = "int"
min = 1
max = 16
default = 8
help = "Tiles across and down that each get a curve of their own; 1 equalizes the picture as a whole."

[[param]]
name = "strength"
min = 0
max = 1
default = 0.8
step = 0.01
help = "Mix of the picture and the equalized one; 0 changes nothing."

[[buffer]]
name = "histogram"
type = "array<atomic<u32>, 65536>"
bytes = 262144

[[texture]]
name = "curves"
size = [256, 256]
format = "r32float"

[[pass]]
kind = "raw"
entry = "count"
workgroup = [256, 1]
grid = [256, 8]

[[pass]]
kind = "raw"
entry = "accumulate"
output = "curves"
workgroup = [256, 1]
grid = [256, 1]

[[pass]]
entry = "main"
*/

// Zuiderveld, "Contrast limited adaptive histogram equalization" (Graphics Gems IV, 1994), with the tile sizes, the clip limit
// and the redistribution of cv2.createCLAHE.

var<workgroup> counts: array<atomic<u32>, 256>;
var<workgroup> sums: array<u32, 256>;
var<workgroup> excess: atomic<u32>;

// Pixels across and down of a tile. Where the picture cannot be divided evenly, tiles overhang it to the right and below.
fn tile_size() -> vec2i {
  let size = vec2i(frame.size);
  let whole = size / params.tiles;
  return select(whole + 1, whole, all(whole * params.tiles == size));
}

fn bin_of(p: vec2i) -> f32 { return clamp(luma(load(p).rgb), 0.0, 1.0) * 255.0; }

// The picture goes on mirrored, without its last line doubled.
fn mirrored(p: vec2i) -> vec2i {
  let last = vec2i(frame.size) - 1;
  return abs(last - abs(last - p));
}

// One workgroup counts an eighth of the rows of one tile in its own memory.
@compute @workgroup_size(256) fn count(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) i: u32) {
  let tile = i32(group.x);
  if (tile >= params.tiles * params.tiles) { return; }
  // Workgroup memory is zeroed by hand: WGSL promises zeros, wgpu-native on llvmpipe does not keep the promise.
  atomicStore(&counts[i], 0u);
  workgroupBarrier();
  let size = tile_size();
  let corner = vec2i(tile % params.tiles, tile / params.tiles) * size;
  let rows = (size.y + 7) / 8;
  let first = i32(group.y) * rows;
  let pixels = max(min(rows, size.y - first), 0) * size.x;
  for (var n = i32(i); n < pixels; n += 256) {
    let p = corner + vec2i(n % size.x, first + n / size.x);
    atomicAdd(&counts[u32(bin_of(mirrored(p)) + 0.5)], 1u);
  }
  workgroupBarrier();
  let n = atomicLoad(&counts[i]);
  if (n > 0u) { atomicAdd(&histogram[group.x * 256u + i], n); }
}

// What is above the limit is cut off and given back to all values alike, then the histogram is summed up to the tile's curve.
@compute @workgroup_size(256) fn accumulate(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) i: u32) {
  if (i32(group.x) >= params.tiles * params.tiles) { return; }
  let size = tile_size();
  let area = u32(size.x * size.y);
  let limit = max(u32(params.clip * f32(area) / 256.0), 1u);
  let n = atomicLoad(&histogram[group.x * 256u + i]);
  if (i == 0u) { atomicStore(&excess, 0u); }
  workgroupBarrier();
  if (n > limit) { atomicAdd(&excess, n - limit); }
  workgroupBarrier();
  let spare = atomicLoad(&excess);
  let rest = spare % 256u;
  let stride = max(256u / max(rest, 1u), 1u);
  sums[i] = min(n, limit) + spare / 256u + select(0u, 1u, i % stride == 0u && i / stride < rest);
  for (var step = 1u; step < 256u; step *= 2u) {
    workgroupBarrier();
    let below = select(0u, sums[max(i, step) - step], i >= step);
    workgroupBarrier();
    sums[i] += below;
  }
  // One row of the texture a tile.
  textureStore(result, vec2u(i, group.x), vec4f(min(f32(sums[i]) / f32(area), 1.0)));
}

fn mapped(tile: vec2i, at: f32) -> f32 {
  let t = clamp(tile, vec2i(0), vec2i(params.tiles - 1));
  let row = t.y * params.tiles + t.x;
  let below = i32(at);
  let low = textureLoad(curves, vec2i(below, row), 0).r;
  let high = textureLoad(curves, vec2i(min(below + 1, 255), row), 0).r;
  return mix(low, high, at - f32(below));
}

// Luma is the bilinear mix of the curves of the four nearest tiles; Cb and Cr stay.
fn main(p: vec2i) -> vec4f {
  let c = load(p);
  let at = bin_of(p);
  let tile = vec2f(p) / vec2f(tile_size()) - 0.5;
  let t = vec2i(floor(tile));
  let f = fract(tile);
  let top = mix(mapped(t, at), mapped(t + vec2i(1, 0), at), f.x);
  let bottom = mix(mapped(t + vec2i(0, 1), at), mapped(t + 1, at), f.x);
  return vec4f(c.rgb + params.strength * (mix(top, bottom, f.y) - at / 255.0), c.a);
}
