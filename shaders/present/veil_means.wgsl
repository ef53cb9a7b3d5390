// The mean color of each block of each hidden place: a workgroup a block. Block i of n along a side of w pixels begins at pixel i * w / n,
// rounded down.

struct Area {
  box: vec4i,     // left, top, right, bottom in pixels, within the picture
  blocks: vec2u,
  first: u32,     // number of its first block in `means`
  shape: u32,
  part: vec4f,
  place: vec4f,
  level: f32,
  layer: u32,
  grow: f32,
  unused: u32,
}

@group(0) @binding(0) var picture: texture_2d<f32>;
@group(0) @binding(1) var<storage, read> areas: array<Area>;
@group(0) @binding(2) var<storage, read_write> means: array<vec4f>;

const LANES = 64u;
// Working values are mostly 0 to 1. One that is infinite, of a highlight or of a broken file, would be a whole block's.
const BRIGHTEST = 64.0;

var<workgroup> sums: array<vec4f, LANES>;

@compute @workgroup_size(LANES)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let area = areas[group.y];
  if (group.x >= area.blocks.x * area.blocks.y) { return; }
  let block = vec2i(i32(group.x % area.blocks.x), i32(group.x / area.blocks.x));
  let size = area.box.zw - area.box.xy;
  let counts = vec2i(area.blocks);
  let start = area.box.xy + block * size / counts;
  let extent = area.box.xy + (block + 1) * size / counts - start;
  let pixels = extent.x * extent.y;
  var sum = vec4f(0.0);
  for (var i = i32(lane); i < pixels; i += i32(LANES)) {
    sum += clamp(textureLoad(picture, start + vec2i(i % extent.x, i / extent.x), 0), vec4f(-BRIGHTEST), vec4f(BRIGHTEST));
  }
  sums[lane] = sum;
  for (var half = LANES / 2u; half > 0u; half /= 2u) {
    workgroupBarrier();
    if (lane < half) { sums[lane] += sums[lane + half]; }
  }
  if (lane == 0u) { means[area.first + group.x] = sums[0] / f32(max(pixels, 1)); }
}
