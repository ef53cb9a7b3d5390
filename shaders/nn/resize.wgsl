// Resize of the spatial dimensions. `rows` and `columns` have, for each output, the input that it lies on or after and the fraction of
// the way to the next one: the places at ties must not depend on how a GPU divides. A thread has four channels of LINES outputs below each
// other, which share the column: of one output each, most instructions were those that find the place.

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let at = id.y * WIDTH + id.x;
    if (at >= GROUPS * OUT_W * BLOCKS) {
        return;
    }
    let block = at % BLOCKS;
    let across = at / BLOCKS % OUT_W;
    let first = at / (BLOCKS * OUT_W) * LINES;
    let column = columns[across];
    let left = u32(column.x);
#if LINEAR
    let right = min(left + 1u, IN_W - 1u);
#end
#for l in LINES
    let line_${l} = min(first + ${l}u, LAST);
    let row_${l} = rows[line_${l} % OUT_H];
    let base_${l} = line_${l} / OUT_H * IN_H;
    let top_${l} = (base_${l} + u32(row_${l}.x)) * IN_W;
#if LINEAR
    let bottom_${l} = (base_${l} + min(u32(row_${l}.x) + 1u, IN_H - 1u)) * IN_W;
    let above_${l} = mix(read_x(top_${l} + left, block), read_x(top_${l} + right, block), column.y);
    let below_${l} = mix(read_x(bottom_${l} + left, block), read_x(bottom_${l} + right, block), column.y);
    let value_${l} = mix(above_${l}, below_${l}, row_${l}.y);
#else
    let value_${l} = read_x(top_${l} + left, block);
#end
#end
#for l in LINES
    if (first + ${l}u <= LAST) {
        finish((first + ${l}u) * OUT_W + across, block, value_${l});
    }
#end
}
