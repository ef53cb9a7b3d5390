// Convolution of 16-bit floats as an implicit matrix product through workgroup memory, in octets: eight numbers of depth or eight
// channels, a load each. TILE_ROWS pixels x TILE_COLUMNS octets of channels a workgroup, STEP octets of depth at a time; a thread has
// ROWS pixels x COLUMNS octets. The depth is dealt out to SLICES groups of threads, whose sums are added at the end.

// Products and the sums of a TURN of octets are 16-bit, of which one instruction does two; the sum over all turns is 32-bit.
alias Factor = vec4<f16>;
alias Octet = mat2x4<f16>; // as 16 bytes that one instruction loads: naga has no bitcast to 16-bit floats

const LANES = ACROSS * DOWN;
const SLICE = (TILE_ROWS + TILE_COLUMNS * 8u) * STEP; // octets of workgroup memory

var<workgroup> tiles: array<Octet, SLICE * SLICES>;
#if SPLIT
var<workgroup> partial: array<vec4<f32>, LANES * SLICES>;

// The sum over the slices of what each thread of a lane brings.
fn total_of(value: vec4<f32>, lane: u32, index: u32) -> vec4<f32> {
    workgroupBarrier();
    partial[index] = value;
    workgroupBarrier();
    var sum = vec4<f32>();
#for s in SLICES
    sum += partial[${s}u * LANES + lane];
#end
    return sum;
}
#end

// Where an octet of a row lies: threads that store the octets of a row, and those that read one octet of several rows, all use other banks.
fn place_of(row: u32, step: u32) -> u32 {
    return step * TILE_ROWS + (row ^ (step * 2u % 8u));
}

@compute @workgroup_size(LANES * SLICES)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) index: u32) {
    let lane = index % LANES;
    let slice = index / LANES % SLICES;
    let across = lane % ACROSS;
    let down = lane / ACROSS % DOWN;
    let step_x = lane % STEP;
    let base_x = slice * SLICE;
    let base_w = base_x + TILE_ROWS * STEP;
    let load_column = lane % TILE_COLUMNS;
    let column = min((group.x * TILE_COLUMNS + load_column) * 2u, OUT_BLOCKS - 1u);
    let next_column = min(column + 1u, OUT_BLOCKS - 1u);
#for l in LOADS_X
    let load_${l} = lane / STEP + ${l}u * (LANES / STEP);
    let source_${l} = min(group.y * TILE_ROWS + load_${l}, PIXELS - 1u);
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
    var low_${i}_${j} = vec4<f32>();
    var high_${i}_${j} = vec4<f32>();
#end
#end
#for l in LOADS_X
    var x_low_${l} = Factor();
    var x_high_${l} = Factor();
#end
#for l in LOADS_W
    var w_low_${l} = Factor();
    var w_high_${l} = Factor();
#end
    // What a step needs is on its way while the step before is multiplied.
    for (var depth = 0u; depth < END; depth += SPAN) {
        if (depth > 0u) {
            workgroupBarrier();
#for l in LOADS_X
            tiles[base_x + place_of(load_${l}, step_x)] = Octet(x_low_${l}, x_high_${l});
#end
#for l in LOADS_W
            tiles[base_w + lane + ${l}u * LANES] = Octet(w_low_${l}, w_high_${l});
#end
            workgroupBarrier();
        }
        if (depth < DEPTH) {
            let first = depth + slice * STEP;
            let k = first + step_x;
#if POINTWISE
#for l in LOADS_X
            x_low_${l} = select(Factor(), load_x(source_${l}, min(k, DEPTH - 1u) * 2u), k < DEPTH);
            x_high_${l} = select(Factor(), load_x(source_${l}, min(k, DEPTH - 1u) * 2u + 1u), k < DEPTH);
#end
#else
            let tap = k / IN_OCTETS;
            let in_block = k % IN_OCTETS * 2u;
            let tap_column = tap % KERNEL_W * DILATION_W;
#if VOLUME
            let tap_row = tap / KERNEL_W % KERNEL_H * DILATION_H;
            let tap_layer = tap / (KERNEL_W * KERNEL_H) * DILATION_D;
#else
            let tap_row = tap / KERNEL_W * DILATION_H;
#end
#for l in LOADS_X
            let row_${l} = top_${l} + tap_row - PAD_H; // wraps to a huge number above the picture
            let column_${l} = left_${l} + tap_column - PAD_W;
            x_low_${l} = Factor();
            x_high_${l} = Factor();
            if (k < DEPTH && row_${l} < IN_H && column_${l} < IN_W) {
#if VOLUME
                let layer_${l} = front_${l} + tap_layer - PAD_D;
                if (layer_${l} < IN_D) {
                    let from_${l} = ((image_${l} + layer_${l}) * IN_H + row_${l}) * IN_W + column_${l};
                    x_low_${l} = load_x(from_${l}, in_block);
                    x_high_${l} = load_x(from_${l}, in_block + 1u);
                }
#else
#if MAPPED
                let from_row_${l} = source_row(row_${l});
                let from_column_${l} = source_column(column_${l});
                if (from_row_${l} < STORED_H && from_column_${l} < STORED_W) {
                    let from_${l} = (image_${l} + from_row_${l}) * STORED_W + from_column_${l};
                    x_low_${l} = load_x(from_${l}, in_block);
                    x_high_${l} = load_x(from_${l}, in_block + 1u);
                }
#else
                let from_${l} = (image_${l} + row_${l}) * STORED_W + column_${l};
                x_low_${l} = load_x(from_${l}, in_block);
                x_high_${l} = load_x(from_${l}, in_block + 1u);
#end
#end
            }
#end
#end
#for l in LOADS_W
            let line_${l} = min(first * 8u + (lane + ${l}u * LANES) / TILE_COLUMNS, DEPTH * 8u - 1u) * OUT_BLOCKS;
            w_low_${l} = weights[line_${l} + column];
            w_high_${l} = weights[line_${l} + next_column];
#end
        }
        if (depth > 0u) {
#for t in TURNS
            {
#for i in ROWS
#for j in COLUMNS
                var part_low_${i}_${j} = Factor();
                var part_high_${i}_${j} = Factor();
#end
#end
#for s in TURN
#for i in ROWS
                let x_${s}_${i} = tiles[base_x + place_of(${i}u * DOWN + down, ${t}u * TURN + ${s}u)];
#end
#for h in 2
#for e in 4
#for j in COLUMNS
                let w_${s}_${h}_${e}_${j} = tiles[base_w + ((${t}u * TURN + ${s}u) * 8u + ${h}u * 4u + ${e}u) * TILE_COLUMNS + ${j}u * ACROSS + across];
#for i in ROWS
                part_low_${i}_${j} = fma(Factor(x_${s}_${i}[${h}][${e}]), w_${s}_${h}_${e}_${j}[0], part_low_${i}_${j});
                part_high_${i}_${j} = fma(Factor(x_${s}_${i}[${h}][${e}]), w_${s}_${h}_${e}_${j}[1], part_high_${i}_${j});
#end
#end
#end
#end
#end
#for i in ROWS
#for j in COLUMNS
                low_${i}_${j} += vec4<f32>(part_low_${i}_${j});
                high_${i}_${j} += vec4<f32>(part_high_${i}_${j});
#end
#end
            }
#end
        }
    }
#for j in COLUMNS
    let block_${j} = (group.x * TILE_COLUMNS + ${j}u * ACROSS + across) * 2u;
    let bias_low_${j} = bias[min(block_${j}, OUT_BLOCKS - 1u)];
    let bias_high_${j} = bias[min(block_${j} + 1u, OUT_BLOCKS - 1u)];
#end
#for i in ROWS
    {
        let pixel = group.y * TILE_ROWS + ${i}u * DOWN + down;
#for j in COLUMNS
        {
#if SPLIT
            // Each slice finishes every SLICES-th of the thread's outputs.
            let low = total_of(low_${i}_${j}, lane, index);
            let high = total_of(high_${i}_${j}, lane, index);
            let own = slice == (${i}u * COLUMNS + ${j}u) % SLICES;
#else
            let low = low_${i}_${j};
            let high = high_${i}_${j};
            let own = true;
#end
            if (own && pixel < PIXELS && block_${j} < OUT_BLOCKS) {
                finish(pixel, block_${j}, low + bias_low_${j});
                if (block_${j} + 1u < OUT_BLOCKS) {
                    finish(pixel, block_${j} + 1u, high + bias_high_${j});
                }
            }
        }
#end
    }
#end
}
