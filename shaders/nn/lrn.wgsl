// Local response normalization across channels. Lanes past the last channel are zero and add nothing.

fn square(pixel: u32, channel: i32) -> f32 {
    if (channel < 0 || channel >= i32(BLOCKS * 4u)) {
        return 0.0;
    }
    let v = read_x(pixel, u32(channel) / 4u)[u32(channel) % 4u];
    return v * v;
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let at = id.y * WIDTH + id.x;
    if (at >= PIXELS * BLOCKS) {
        return;
    }
    let pixel = at / BLOCKS;
    let block = at % BLOCKS;
    let first = i32(block * 4u) - i32(BEFORE);
    var sums = vec4<f32>(0.0);
    for (var l = 0u; l < 4u; l++) {
        var sum = 0.0;
        for (var c = 0u; c < BEFORE + AFTER + 1u; c++) {
            sum += square(pixel, first + i32(l + c));
        }
        sums[l] = sum;
    }
    let base = vec4<f32>(BIAS) + ALPHA * sums;
    let factor = select(pow(base, vec4<f32>(-BETA)), base, is_nan(base)); // llvmpipe's power of NaN is a number
    finish(pixel, block, read_x(pixel, block) * factor);
}
