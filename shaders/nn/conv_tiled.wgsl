// Convolution as an implicit matrix product through workgroup memory: TILE_ROWS pixels x TILE_COLUMNS vec4s of channels a workgroup,
// STEP vec4s of depth at a time. SLICES groups of threads share the depth, each with a part of the memory, and their sums are added at the end.
// Where ITEMS, as many products as there are workgroups in z: of PIXELS rows and of weights of their own each. Where SHARED, workgroups in z
// have a share of the depth each, and write their own sums.

#if WIDE
alias Sum = vec4<i32>;
#else
alias Sum = vec4<f32>;
#end

#if HALF
// Products and the sums of a turn, TURN x 4 of them, are 16-bit, of which one instruction does two; the sum over all turns is 32-bit.
alias Factor = vec4<f16>;
#else
alias Factor = vec4<f32>;
#end

var<workgroup> tile_x: array<Factor, TILE_ROWS * STEP * SLICES>;
var<workgroup> tile_w: array<Factor, TILE_COLUMNS * STEP * 4u * SLICES>;
#if SPLIT
var<workgroup> partial: array<Sum, TILE_ROWS * TILE_COLUMNS * (SLICES - 1u)>;
#end

@compute @workgroup_size(ACROSS * DOWN * SLICES)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
#if SPLIT
    let lane = thread % (ACROSS * DOWN);
    let slice = thread / (ACROSS * DOWN);
#if SHARED
    let first = (group.z * SLICES + slice) * PART; // what the last one has behind the depth is zeros
#else
    let first = slice * PART;
#end
    let x_at = slice * (TILE_ROWS * STEP);
    let w_at = slice * (TILE_COLUMNS * STEP * 4u);
#else
    let lane = thread;
#if SHARED
    let first = group.z * PART;
#else
    let first = 0u;
#end
    let x_at = 0u;
    let w_at = 0u;
#end
    let across = lane % ACROSS;
    let down = lane / ACROSS;
    let step_x = lane % STEP;
#if ITEMS
    let weights_at = group.z * (DEPTH * 4u);
#else
    let weights_at = 0u;
#end
    let column = min(group.x * TILE_COLUMNS + lane % TILE_COLUMNS, OUT_BLOCKS - 1u);
#for l in LOADS_X
    let load_${l} = lane / STEP + ${l}u * (ACROSS * DOWN / STEP);
#if ITEMS
    let source_${l} = min(group.y * TILE_ROWS + load_${l}, PIXELS - 1u) + group.z * PIXELS;
#else
    let source_${l} = min(group.y * TILE_ROWS + load_${l}, PIXELS - 1u);
#end
#if POINTWISE
#else
#if VOLUME
    let image_${l} = source_${l} / (OUT_D * OUT_H * OUT_W) * IN_D;
    let front_${l} = source_${l} / (OUT_H * OUT_W) % OUT_D * STRIDE_D;
#else
    let image_${l} = source_${l} / (OUT_H * OUT_W) * STORED_H;
#end
    let top_${l} = source_${l} / OUT_W % OUT_H * STRIDE_H;
    let left_${l} = source_${l} % OUT_W * STRIDE_W;
#end
#end
#for i in ROWS
#for j in COLUMNS
    var sum_${i}_${j} = Sum();
#end
#end
    // Rows of tiles begin at different places of the depth, as conv_matrix.wgsl has it.
    let begin = group.y * (PART / STEP) / TILES_DOWN * STEP;
    for (var part = 0u; part < PART; part += STEP) {
        let depth = first + (begin + part) % PART;
        let k = depth + step_x;
#if POINTWISE
#for l in LOADS_X
#if EVEN
        let a_${l} = load_x(source_${l}, k);
#else
        let a_${l} = select(Factor(), load_x(source_${l}, min(k, DEPTH - 1u)), k < DEPTH);
#end
#end
#else
        let tap = k / IN_BLOCKS;
        let in_block = k % IN_BLOCKS;
#if VOLUME
        let tap_row = tap / KERNEL_W % KERNEL_H * DILATION_H;
        let tap_layer = tap / (KERNEL_W * KERNEL_H) * DILATION_D;
#else
        let tap_row = tap / KERNEL_W * DILATION_H;
#end
        let tap_column = tap % KERNEL_W * DILATION_W;
#for l in LOADS_X
        let row_${l} = top_${l} + tap_row - PAD_H; // wraps to a huge number above the picture
        let column_${l} = left_${l} + tap_column - PAD_W;
#if CLAMPED
        // A load in a branch is waited for where the branch ends, which compilers avoid for a load alone, not for one a plane.
#if VOLUME
        let layer_${l} = front_${l} + tap_layer - PAD_D;
        let inside_${l} = k < DEPTH && layer_${l} < IN_D && row_${l} < IN_H && column_${l} < IN_W;
        let from_${l} = ((image_${l} + min(layer_${l}, IN_D - 1u)) * IN_H + min(row_${l}, IN_H - 1u)) * IN_W + min(column_${l}, IN_W - 1u);
#else
#if MAPPED
        let from_row_${l} = source_row(min(row_${l}, IN_H - 1u));
        let from_column_${l} = source_column(min(column_${l}, IN_W - 1u));
        let inside_${l} = k < DEPTH && row_${l} < IN_H && column_${l} < IN_W && from_row_${l} < STORED_H && from_column_${l} < STORED_W;
        let from_${l} = (image_${l} + min(from_row_${l}, STORED_H - 1u)) * STORED_W + min(from_column_${l}, STORED_W - 1u);
#else
        let inside_${l} = k < DEPTH && row_${l} < IN_H && column_${l} < IN_W;
        let from_${l} = (image_${l} + min(row_${l}, IN_H - 1u)) * STORED_W + min(column_${l}, IN_W - 1u);
#end
#end
        let a_${l} = select(Factor(), load_x(from_${l}, in_block), inside_${l});
#else
        var a_${l} = Factor();
        if (k < DEPTH && row_${l} < IN_H && column_${l} < IN_W) {
#if VOLUME
            let layer_${l} = front_${l} + tap_layer - PAD_D;
            if (layer_${l} < IN_D) {
                a_${l} = load_x(((image_${l} + layer_${l}) * IN_H + row_${l}) * IN_W + column_${l}, in_block);
            }
#else
#if MAPPED
            let from_row_${l} = source_row(row_${l});
            let from_column_${l} = source_column(column_${l});
            if (from_row_${l} < STORED_H && from_column_${l} < STORED_W) {
                a_${l} = load_x((image_${l} + from_row_${l}) * STORED_W + from_column_${l}, in_block);
            }
#else
            a_${l} = load_x((image_${l} + row_${l}) * STORED_W + column_${l}, in_block);
#end
#end
        }
#end
#end
#end
#for l in LOADS_W
        let line_${l} = depth * 4u + (lane + ${l}u * ACROSS * DOWN) / TILE_COLUMNS;
#if EVEN
        let load_w_${l} = weights[(weights_at + line_${l}) * OUT_BLOCKS + column];
#else
        let load_w_${l} = weights[(weights_at + min(line_${l}, DEPTH * 4u - 1u)) * OUT_BLOCKS + column];
#end
#end
        workgroupBarrier();
#for l in LOADS_X
#if WHOLE_X
        tile_x[x_at + load_${l} * STEP + step_x] = a_${l};
#else
        if (load_${l} < TILE_ROWS) {
            tile_x[x_at + load_${l} * STEP + step_x] = a_${l};
        }
#end
#end
#for l in LOADS_W
        if (lane + ${l}u * ACROSS * DOWN < TILE_COLUMNS * STEP * 4u) {
            tile_w[w_at + lane + ${l}u * ACROSS * DOWN] = Factor(load_w_${l});
        }
#end
        workgroupBarrier();
#for t in TURNS
        {
#if HALF
#for i in ROWS
#for j in COLUMNS
            var part_${i}_${j} = Factor();
#end
#end
#end
#for s in TURN
#for j in COLUMNS
#for l in 4
            let w_${s}_${j}_${l} = tile_w[w_at + ((${t}u * TURN + ${s}u) * 4u + ${l}u) * TILE_COLUMNS + ${j}u * ACROSS + across];
#end
#end
#for i in ROWS
            let x_${s}_${i} = tile_x[x_at + (${i}u * DOWN + down) * STEP + ${t}u * TURN + ${s}u];
#for j in COLUMNS
#if HALF
            part_${i}_${j} = fma(Factor(x_${s}_${i}.x), w_${s}_${j}_0, part_${i}_${j});
            part_${i}_${j} = fma(Factor(x_${s}_${i}.y), w_${s}_${j}_1, part_${i}_${j});
            part_${i}_${j} = fma(Factor(x_${s}_${i}.z), w_${s}_${j}_2, part_${i}_${j});
            part_${i}_${j} = fma(Factor(x_${s}_${i}.w), w_${s}_${j}_3, part_${i}_${j});
#else
#if WIDE
            sum_${i}_${j} += Sum(x_${s}_${i}.x * w_${s}_${j}_0 + x_${s}_${i}.y * w_${s}_${j}_1
                + x_${s}_${i}.z * w_${s}_${j}_2 + x_${s}_${i}.w * w_${s}_${j}_3);
#else
            sum_${i}_${j} = fma(Sum(x_${s}_${i}.x), w_${s}_${j}_0, sum_${i}_${j});
            sum_${i}_${j} = fma(Sum(x_${s}_${i}.y), w_${s}_${j}_1, sum_${i}_${j});
            sum_${i}_${j} = fma(Sum(x_${s}_${i}.z), w_${s}_${j}_2, sum_${i}_${j});
            sum_${i}_${j} = fma(Sum(x_${s}_${i}.w), w_${s}_${j}_3, sum_${i}_${j});
#end
#end
#end
#end
#end
#if HALF
#for i in ROWS
#for j in COLUMNS
            sum_${i}_${j} += vec4<f32>(part_${i}_${j});
#end
#end
#end
        }
#end
    }
#if SPLIT
    if (slice > 0u) {
#for i in ROWS
#for j in COLUMNS
        partial[(((slice - 1u) * ROWS + ${i}u) * COLUMNS + ${j}u) * (ACROSS * DOWN) + lane] = sum_${i}_${j};
#end
#end
    }
    workgroupBarrier();
    if (slice > 0u) {
        return;
    }
    for (var other = 0u; other < SLICES - 1u; other++) {
#for i in ROWS
#for j in COLUMNS
        sum_${i}_${j} += partial[((other * ROWS + ${i}u) * COLUMNS + ${j}u) * (ACROSS * DOWN) + lane];
#end
#end
    }
#end
#for j in COLUMNS
    let block_${j} = group.x * TILE_COLUMNS + ${j}u * ACROSS + across;
#if BIASED
    let bias_${j} = bias[min(block_${j}, OUT_BLOCKS - 1u)];
#end
#for i in ROWS
    {
        let pixel = group.y * TILE_ROWS + ${i}u * DOWN + down;
        if (pixel < PIXELS && block_${j} < OUT_BLOCKS) {
#if BIASED
            finish(pixel, block_${j}, vec4<f32>(sum_${i}_${j} + bias_${j}));
#else
            finish(group.z * PIXELS + pixel, block_${j}, vec4<f32>(sum_${i}_${j}));
#end
        }
    }
#end
#end
}
