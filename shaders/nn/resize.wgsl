// Resize of the spatial dimensions, coordinates as in the ONNX specification.

fn source(at: u32, scale: f32, size: u32, result: u32) -> f32 {
#if HALF_PIXEL
    return (f32(at) + 0.5) / scale - 0.5;
#end
#if PYTORCH_HALF_PIXEL
    return select(0.0, (f32(at) + 0.5) / scale - 0.5, result > 1u);
#end
#if ASYMMETRIC
    return f32(at) / scale;
#end
#if ALIGN_CORNERS
    return f32(at) * (f32(size) - 1.0) / max(f32(result) - 1.0, 1.0);
#end
}

fn nearest(at: f32, size: u32) -> u32 {
#if ROUND_PREFER_FLOOR
    let p = ceil(at - 0.5);
#end
#if ROUND_PREFER_CEIL
    let p = floor(at + 0.5);
#end
#if FLOOR
    let p = floor(at);
#end
#if CEIL
    let p = ceil(at);
#end
    return u32(clamp(p, 0.0, f32(size) - 1.0));
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let at = id.y * WIDTH + id.x;
    if (at >= PIXELS * BLOCKS) {
        return;
    }
    let pixel = at / BLOCKS;
    let block = at % BLOCKS;
    let base = pixel / (OUT_H * OUT_W) * IN_H;
    let y_at = source(pixel / OUT_W % OUT_H, SCALE_H, IN_H, OUT_H);
    let x_at = source(pixel % OUT_W, SCALE_W, IN_W, OUT_W);
#if LINEAR
    let y_in = clamp(y_at, 0.0, f32(IN_H) - 1.0);
    let x_in = clamp(x_at, 0.0, f32(IN_W) - 1.0);
    let top = u32(y_in);
    let left = u32(x_in);
    let bottom = min(top + 1u, IN_H - 1u);
    let right = min(left + 1u, IN_W - 1u);
    let down = y_in - f32(top);
    let across = x_in - f32(left);
    let above = mix(read_x((base + top) * IN_W + left, block), read_x((base + top) * IN_W + right, block), across);
    let below = mix(read_x((base + bottom) * IN_W + left, block), read_x((base + bottom) * IN_W + right, block), across);
    finish(pixel, block, mix(above, below, down));
#else
    finish(pixel, block, read_x((base + nearest(y_at, IN_H)) * IN_W + nearest(x_at, IN_W), block));
#end
}
