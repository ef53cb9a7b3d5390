// Mean and variance of a group of channels from the parts' sums, as a factor, a mean and a bias a channel. A workgroup a group of a picture.
// Tensors are arrays of numbers; y holds three vec4s for each (image, block), as `instance_apply` reads them.

var<workgroup> partial: array<vec2<f32>, 64>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let first = group.x * MEMBERS;
    let image = group.y;
    var sum = vec2<f32>(0.0); // and of squares
    for (var n = lane; n < MEMBERS * PARTS; n += 64u) {
        let channel = first + n % MEMBERS;
        let at = ((image * PARTS + n / MEMBERS) * BLOCKS + channel / 4u) * 8u + channel % 4u;
        sum += vec2<f32>(sums[at], sums[at + 4u]);
    }
    partial[lane] = sum;
    workgroupBarrier();
    for (var half = 32u; half > 0u; half /= 2u) {
        if (lane < half) {
            partial[lane] += partial[lane + half];
        }
        workgroupBarrier();
    }
    let offset = partial[0].x / f32(MEMBERS * PLANE);
    let squared = partial[0].y / f32(MEMBERS * PLANE) - offset * offset;
    let deviation = sqrt(most(squared, 0.0) + EPSILON); // NaN stays
    let mean = f32(x[image * PLANE * STRIDE + START + first]) + offset;
    for (var n = lane; n < MEMBERS; n += 64u) {
        let channel = first + n;
        let at = (image * BLOCKS + channel / 4u) * 12u + channel % 4u;
        y[at] = scale[channel] / deviation;
        y[at + 4u] = mean;
        y[at + 8u] = bias[channel];
    }
}
