// (x - mean) * factor + bias, with the four (the mean in two parts) of each (image, block) from instance_factors or group_factors: x * scale + shift would cancel far from zero.

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let at = id.y * WIDTH + id.x;
    if (at >= PIXELS * BLOCKS) {
        return;
    }
    let pixel = at / BLOCKS;
    let block = at % BLOCKS;
    let entry = (pixel / PLANE * BLOCKS + block) * 4u;
    let apart = read_x(pixel, block) - factors[entry + 1u] - factors[entry + 2u];
    finish(pixel, block, apart * factors[entry] + factors[entry + 3u]);
}
