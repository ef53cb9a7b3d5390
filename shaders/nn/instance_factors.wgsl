// Mean and variance from the parts' sums, as a scale and a shift a channel. y holds the two vec4s for each (image, block).

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let block = id.x;
    let image = id.y;
    if (block >= BLOCKS) {
        return;
    }
    var sum = vec4<f32>(0.0);
    var square = vec4<f32>(0.0);
    for (var part = 0u; part < PARTS; part += 1u) {
        let at = ((image * PARTS + part) * BLOCKS + block) * 2u;
        sum += sums[at];
        square += sums[at + 1u];
    }
    let offset = sum / f32(PLANE);
    let variance = max(square / f32(PLANE) - offset * offset, vec4<f32>(0.0));
    let factor = scale[block] / sqrt(variance + EPSILON);
    y[(image * BLOCKS + block) * 2u] = factor;
    y[(image * BLOCKS + block) * 2u + 1u] = bias[block] - (read_x(image * PLANE, block) + offset) * factor;
}
