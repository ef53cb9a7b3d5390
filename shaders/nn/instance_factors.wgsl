// Mean and variance from the parts' sums, as a factor, a mean in two parts and a bias a channel: added up, the parts would lose what the mean
// has beyond a large reference. y holds the four vec4s for each (image, block).

var<workgroup> partial: array<vec4<f32>, 64>;
var<workgroup> squares: array<vec4<f32>, 64>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let block = group.x;
    let image = group.y;
    let reference = reference_of(image * PLANE, block);
    var sum = vec4<f32>(0.0);
    var square = vec4<f32>(0.0);
    for (var part = lane; part < PARTS; part += 64u) {
        let at = ((image * PARTS + part) * BLOCKS + block) * 2u;
        sum += sums[at];
        square += sums[at + 1u];
    }
    partial[lane] = sum;
    squares[lane] = square;
    workgroupBarrier();
    // In two rounds: a tree would take a barrier for each of six.
    if (lane < 8u) {
        for (var n = 1u; n < 8u; n++) {
            sum += partial[lane + n * 8u];
            square += squares[lane + n * 8u];
        }
        partial[lane] = sum;
        squares[lane] = square;
    }
    workgroupBarrier();
    if (lane == 0u) {
        for (var n = 1u; n < 8u; n++) {
            sum += partial[n];
            square += squares[n];
        }
        let offset = sum / f32(PLANE);
        let squared = square / f32(PLANE) - offset * offset;
        let variance = larger(squared, vec4<f32>(0.0)); // NaN stays
        let factor = scale[block] / sqrt(variance + EPSILON);
        let at = (image * BLOCKS + block) * 4u;
        y[at] = factor;
        y[at + 1u] = reference;
        y[at + 2u] = offset;
        y[at + 3u] = bias[block];
    }
}
