// Mean and variance of a group of channels from the parts' sums, as a factor, a mean in two parts and a bias a channel. A workgroup a group of a picture.
// Tensors are arrays of numbers; y holds four vec4s for each (image, block), as `instance_apply` reads them.

var<workgroup> partial: array<vec4<f32>, 32>; // of two threads each

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let first = group.x * MEMBERS;
    let image = group.y;
    let place = image * PLANE * STRIDE + START + first;
    let samples = vec3<f32>(f32(x[place]), f32(x[place + SECOND * STRIDE]), f32(x[place + THIRD * STRIDE]));
    let reference = middle_of(vec4<f32>(samples.x), vec4<f32>(samples.y), vec4<f32>(samples.z)).x;
    var sum = vec2<f32>(0.0); // and of squares
    for (var n = lane; n < MEMBERS * PARTS; n += 64u) {
        let channel = first + n % MEMBERS;
        let at = ((image * PARTS + n / MEMBERS) * BLOCKS + channel / 4u) * 8u + channel % 4u;
        sum += vec2<f32>(sums[at], sums[at + 4u]);
    }
    partial[lane / 2u][lane % 2u * 2u] = sum.x;
    partial[lane / 2u][lane % 2u * 2u + 1u] = sum.y;
    workgroupBarrier();
    // Every thread adds all of them: a tree would take a barrier a level.
    var all = vec4<f32>(0.0);
    for (var n = 0u; n < 32u; n++) {
        all += partial[n];
    }
    let offset = (all.x + all.z) / f32(MEMBERS * PLANE);
    let squared = (all.y + all.w) / f32(MEMBERS * PLANE) - offset * offset;
    let deviation = sqrt(most(squared, 0.0) + EPSILON); // NaN stays
    for (var n = lane; n < MEMBERS; n += 64u) {
        let channel = first + n;
        let at = (image * BLOCKS + channel / 4u) * 16u + channel % 4u;
        y[at] = scale[channel] / deviation;
        y[at + 4u] = reference;
        y[at + 8u] = offset;
        y[at + 12u] = bias[channel];
    }
}
