// Applies the epilogue to every vec4 of a tensor, changing layout and element type on the way.

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let at = id.y * WIDTH + id.x;
    if (at >= PIXELS * BLOCKS) {
        return;
    }
    let pixel = at / BLOCKS;
    let block = at % BLOCKS;
    finish(pixel, block, read_x(pixel, block));
}
