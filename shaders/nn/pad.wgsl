// Padding and cropping of the spatial dimensions.

fn place(at: u32, before: u32, size: u32) -> u32 {
    let p = i32(at) - i32(before);
    let n = i32(size);
#if REFLECT
    let q = abs(p);
    return u32(clamp(select(q, 2 * (n - 1) - q, q >= n), 0, n - 1));
#else
#if WRAP
    return u32(select(select(p, p + n, p < 0), p - n, p >= n)); // Vulkan leaves the remainder of negative numbers undefined
#else
    return u32(clamp(p, 0, n - 1));
#end
#end
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let at = id.y * WIDTH + id.x;
    if (at >= PIXELS * BLOCKS) {
        return;
    }
    let pixel = at / BLOCKS;
    let block = at % BLOCKS;
    let row = pixel / OUT_W % OUT_H;
    let column = pixel % OUT_W;
    let image = pixel / (OUT_H * OUT_W);
    var v = read_x((image * IN_H + place(row, BEFORE_H, IN_H)) * IN_W + place(column, BEFORE_W, IN_W), block);
#if CONSTANT
    if (row - BEFORE_H >= IN_H || column - BEFORE_W >= IN_W) { // wraps to a huge number before the picture
        v = vec4<f32>(FILL);
    }
#end
    finish(pixel, block, v);
}
