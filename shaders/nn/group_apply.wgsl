// Mean and variance of groups of MEMBERS channels from the parts' sums, and (x - mean) * factor + bias at once: SLICES threads for each of
// ACROSS vec4s of channels, PART pixels a workgroup, which finds by itself what its at most GROUPS groups have. x * scale + shift would cancel
// far from zero, and the mean is in two parts, since a sum of both would lose what it has beyond a large reference.

const ADDERS = 16u; // threads that add up a group's sums
var<workgroup> partial: array<vec2<f32>, GROUPS * ADDERS>; // of numbers and of squares
var<workgroup> found: array<vec4<f32>, GROUPS>; // the mean's parts and the deviation

@compute @workgroup_size(ACROSS * SLICES)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let image = group.z;
    let base = image * PLANE;
    let own = group.x * ACROSS + lane % ACROSS;
    let block = min(own, BLOCKS - 1u);
    let first = group.x * ACROSS * 4u / MEMBERS;
    // Threads past the last group of the tile or of the picture repeat it.
    let added = min(first + min(lane / ADDERS, GROUPS - 1u), CHANNELS / MEMBERS - 1u) * MEMBERS;
    var sum = vec2<f32>();
    for (var n = lane % ADDERS; n < MEMBERS * PARTS; n += ADDERS) {
        let channel = added + n % MEMBERS;
        let at = ((image * PARTS + n / MEMBERS) * BLOCKS + channel / 4u) * 2u;
        sum += vec2<f32>(sums[at][channel % 4u], sums[at + 1u][channel % 4u]);
    }
    if (lane < GROUPS * ADDERS) {
        partial[lane] = sum;
    }
    workgroupBarrier();
    if (lane < GROUPS) {
        let channel = min(first + lane, CHANNELS / MEMBERS - 1u) * MEMBERS;
        let reference = middle_of(read_x(base, channel / 4u), read_x(base + SECOND, channel / 4u), read_x(base + THIRD, channel / 4u))[channel % 4u];
        var all = vec2<f32>();
        for (var n = 0u; n < ADDERS; n++) {
            all += partial[lane * ADDERS + n];
        }
        let offset = all.x / f32(MEMBERS * PLANE);
        let squared = all.y / f32(MEMBERS * PLANE) - offset * offset;
        found[lane] = vec4<f32>(reference, offset, sqrt(most(squared, 0.0) + EPSILON), 0.0); // NaN stays
    }
    workgroupBarrier();
    var reference = vec4<f32>();
    var offset = vec4<f32>();
    var deviation = vec4<f32>(1.0);
#for i in 4
    let group_${i} = found[min((block * 4u + ${i}u) / MEMBERS - first, GROUPS - 1u)];
    reference[${i}u] = group_${i}.x;
    offset[${i}u] = group_${i}.y;
    deviation[${i}u] = group_${i}.z;
#end
    let factor = scale[block] / deviation;
    let shift = bias[block];
    for (var p = 0u; p < PART; p += SLICES) {
        let pixel = group.y * PART + p + lane / ACROSS;
        if (pixel < PLANE && own < BLOCKS) {
            finish(base + pixel, block, (read_x(base + pixel, block) - reference - offset) * factor + shift);
        }
    }
}
