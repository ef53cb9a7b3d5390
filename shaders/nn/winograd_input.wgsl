// Patches of 4 x 4 pixels, 2 apart, transformed: y = B^T d B of a vec4 of channels, as 16 rows of TILES (`winograd.py` has the paper).

fn pixel_of(image: u32, row: u32, column: u32, block: u32) -> vec4<f32> {
    if (row >= IN_H || column >= IN_W) { // wraps to a huge number above the picture
        return vec4<f32>(0.0);
    }
#if MAPPED
    let from_row = source_row(row);
    let from_column = source_column(column);
    if (from_row >= STORED_H || from_column >= STORED_W) {
        return vec4<f32>(0.0);
    }
    return read_x((image * STORED_H + from_row) * STORED_W + from_column, block);
#else
    return read_x((image * STORED_H + row) * STORED_W + column, block);
#end
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let at = id.y * WIDTH + id.x;
    if (at >= TILES * BLOCKS) {
        return;
    }
    let block = at % BLOCKS;
    let tile = at / BLOCKS;
    let image = tile / (TILES_H * TILES_W);
    let top = tile / TILES_W % TILES_H * 2u - PAD_H;
    let left = tile % TILES_W * 2u - PAD_W;
#for j in 4
    let d_0_${j} = pixel_of(image, top, left + ${j}u, block);
    let d_1_${j} = pixel_of(image, top + 1u, left + ${j}u, block);
    let d_2_${j} = pixel_of(image, top + 2u, left + ${j}u, block);
    let d_3_${j} = pixel_of(image, top + 3u, left + ${j}u, block);
    let t_0_${j} = d_0_${j} - d_2_${j};
    let t_1_${j} = d_1_${j} + d_2_${j};
    let t_2_${j} = d_2_${j} - d_1_${j};
    let t_3_${j} = d_1_${j} - d_3_${j};
#end
    // Not through `finish`: means are no larger than the pixels, so that there is nothing to bring back to what 16 bits hold.
    let to = tile * BLOCKS + block;
#for i in 4
    y[${i}u * 4u * TILES * BLOCKS + to] = vec4<Element>((t_${i}_0 - t_${i}_2) * SCALE);
    y[(${i}u * 4u + 1u) * TILES * BLOCKS + to] = vec4<Element>((t_${i}_1 + t_${i}_2) * SCALE);
    y[(${i}u * 4u + 2u) * TILES * BLOCKS + to] = vec4<Element>((t_${i}_2 - t_${i}_1) * SCALE);
    y[(${i}u * 4u + 3u) * TILES * BLOCKS + to] = vec4<Element>((t_${i}_1 - t_${i}_3) * SCALE);
#end
}
