// Vectorscope of a working texture: pixels by Cb and Cr (BT.709) of their 8-bit codes. A workgroup counts one chunk of pixels in workgroup
// memory, two 16-bit counters to a word: one half of the scope, by the sign of Cr, which is workgroup_id.y. 16 KiB is what WebGPU guarantees.

struct Plan {
  size: vec2u,
  columns: u32,
  step: u32,
  rows: u32,
}

const LANES = 256u;
const SIDE = 128u;
const WORDS = 4096u;     // 64 rows of 128 counters
const CHUNK = 16384u;    // pixels; below 65536, so that no counter runs over

@group(0) @binding(0) var<uniform> plan: Plan;
@group(0) @binding(1) var picture: texture_2d<f32>;
@group(0) @binding(2) var<storage, read_write> scope: array<atomic<u32>>;   // [Cr][Cb]

var<workgroup> counts: array<atomic<u32>, WORDS>;

fn codes_of(color: vec3f) -> vec3i {
  return min(vec3i(floor(clamp(color, vec3f(0.0), vec3f(1.0)) * 255.0 + 0.5)), vec3i(255));
}

// The bin of a color difference, 64 + 126 x rounded, from a whole number of 1/divisor; 1 to 127.
fn bin_of(number: i32, divisor: i32) -> u32 {
  return u32((number * 126 + 64 * divisor + divisor / 2) / divisor);
}

@compute @workgroup_size(LANES)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  for (var word = lane; word < WORDS; word += LANES) { atomicStore(&counts[word], 0u); }
  workgroupBarrier();
  let end = min((group.x + 1u) * CHUNK, plan.size.x * plan.rows);
  for (var i = group.x * CHUNK + lane; i < end; i += LANES) {
    let at = vec2u(i % plan.size.x, i / plan.size.x * plan.step);
    let code = codes_of(textureLoad(picture, at, 0).rgb);
    // 10000 (B - Y) and 10000 (R - Y) in codes; divided by 10000 x 255 x 1.8556 and 1.5748 they are Cb and Cr.
    let blue = bin_of(-2126 * code.r - 7152 * code.g + 9278 * code.b, 4731780);
    let red = bin_of(7874 * code.r - 7152 * code.g - 722 * code.b, 4015740);
    if (red / 64u == group.y) {
      let bin = red % 64u * SIDE + blue;
      atomicAdd(&counts[bin / 2u], 1u << (16u * (bin % 2u)));
    }
  }
  workgroupBarrier();
  for (var word = lane; word < WORDS; word += LANES) {
    let pair = atomicLoad(&counts[word]);
    if (pair != 0u) {
      let bin = group.y * WORDS * 2u + word * 2u;
      if ((pair & 0xffffu) != 0u) { atomicAdd(&scope[bin], pair & 0xffffu); }
      if ((pair >> 16u) != 0u) { atomicAdd(&scope[bin + 1u], pair >> 16u); }
    }
  }
}
