// Resize of the spatial dimensions. `rows` and `columns` have, for each output, the input that it lies on or after and the fraction of
// the way to the next one: the places at ties must not depend on how a GPU divides.

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let at = id.y * WIDTH + id.x;
    if (at >= PIXELS * BLOCKS) {
        return;
    }
    let pixel = at / BLOCKS;
    let block = at % BLOCKS;
    let base = pixel / (OUT_H * OUT_W) * IN_H;
    let row = rows[pixel / OUT_W % OUT_H];
    let column = columns[pixel % OUT_W];
    let top = u32(row.x);
    let left = u32(column.x);
#if LINEAR
    let bottom = min(top + 1u, IN_H - 1u);
    let right = min(left + 1u, IN_W - 1u);
    let above = mix(read_x((base + top) * IN_W + left, block), read_x((base + top) * IN_W + right, block), column.y);
    let below = mix(read_x((base + bottom) * IN_W + left, block), read_x((base + bottom) * IN_W + right, block), column.y);
    finish(pixel, block, mix(above, below, row.y));
#else
    finish(pixel, block, read_x((base + top) * IN_W + left, block));
#end
}
