// Histogram and waveforms of a working texture, in 8-bit codes as it is exported without dithering. A workgroup for each column of the
// waveforms counts its pixels in workgroup memory, so that no pixel costs an atomic on a buffer.

struct Plan {
  size: vec2u,     // of the picture
  columns: u32,    // of the waveforms: the number of workgroups
  step: u32,       // every step-th row is counted
  rows: u32,       // number of rows that are counted
}

const LANES = 256u;
const CODES = 256u;
const LEVELS = 128u;
const COLUMNS = 256u;
const CHANNELS = 4u;   // R, G, B, luma

@group(0) @binding(0) var<uniform> plan: Plan;
@group(0) @binding(1) var picture: texture_2d<f32>;
@group(0) @binding(2) var<storage, read_write> histogram: array<atomic<u32>>;   // [channel][code]
@group(0) @binding(3) var<storage, read_write> waveform: array<u32>;            // [channel][level][column]

var<workgroup> counts: array<atomic<u32>, 1024>;

fn codes_of(color: vec3f) -> vec3u {
  return min(vec3u(floor(clamp(color, vec3f(0.0), vec3f(1.0)) * 255.0 + 0.5)), vec3u(255u));
}

// BT.709, rounded; in integers, so that the result does not depend on the GPU.
fn luma_of(code: vec3u) -> u32 {
  return (2126u * code.r + 7152u * code.g + 722u * code.b + 5000u) / 10000u;
}

// Neighbors below each other are often equal: a run of them is counted at once.
fn add(channel: u32, code: u32, count: u32) {
  if (count > 0u) { atomicAdd(&counts[channel * CODES + code], count); }
}

@compute @workgroup_size(LANES)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  for (var bin = lane; bin < CHANNELS * CODES; bin += LANES) { atomicStore(&counts[bin], 0u); }
  workgroupBarrier();
  let begin = group.x * plan.size.x / plan.columns;
  let width = (group.x + 1u) * plan.size.x / plan.columns - begin;
  // The lanes stand side by side, `across` to a row, and go down together.
  let across = min(width, LANES);
  let down = LANES / across;
  if (lane < across * down) {
    for (var x = begin + lane % across; x < begin + width; x += across) {
      var last = vec4u(0u);
      var run = vec4u(0u);
      for (var row = lane / across; row < plan.rows; row += down) {
        let code = codes_of(textureLoad(picture, vec2u(x, row * plan.step), 0).rgb);
        let all_codes = vec4u(code, luma_of(code));
        let same = all_codes == last;
        for (var channel = 0u; channel < CHANNELS; channel++) {
          if (!same[channel]) {
            add(channel, last[channel], run[channel]);
            run[channel] = 0u;
          }
        }
        run += vec4u(1u);
        last = all_codes;
      }
      for (var channel = 0u; channel < CHANNELS; channel++) { add(channel, last[channel], run[channel]); }
    }
  }
  workgroupBarrier();
  for (var bin = lane; bin < CHANNELS * CODES; bin += LANES) {
    let count = atomicLoad(&counts[bin]);
    if (count > 0u) { atomicAdd(&histogram[bin], count); }
  }
  for (var bin = lane; bin < CHANNELS * LEVELS; bin += LANES) {
    waveform[bin * COLUMNS + group.x] = atomicLoad(&counts[2u * bin]) + atomicLoad(&counts[2u * bin + 1u]);
  }
}
