// Convolution as an implicit matrix product, read straight from memory. A thread computes ROWS pixels x COLUMNS vec4s of channels over
// its slice of the depth (vec4s of taps x input channels); the slices of a workgroup are added at the end.

#if WIDE
alias Sum = vec4<i32>;
#else
alias Sum = vec4<f32>;
#end

#if SPLIT
const OUTPUTS = ACROSS * DOWN;
var<workgroup> partial: array<Sum, OUTPUTS * SLICES * ROWS * COLUMNS>;
#end

@compute @workgroup_size(ACROSS * DOWN * SLICES)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let across = lane % ACROSS;
    let down = lane / ACROSS % DOWN;
    let slice = lane / (ACROSS * DOWN);
#for j in COLUMNS
    let block_${j} = (group.x * COLUMNS + ${j}u) * ACROSS + across;
    let column_${j} = min(block_${j}, OUT_BLOCKS - 1u);
#end
#for i in ROWS
    let pixel_${i} = (group.y * ROWS + ${i}u) * DOWN + down;
#if POINTWISE
    let source_${i} = min(pixel_${i}, PIXELS - 1u);
#else
#if VOLUME
    let image_${i} = min(pixel_${i}, PIXELS - 1u) / (OUT_D * OUT_H * OUT_W) * IN_D;
    let front_${i} = min(pixel_${i}, PIXELS - 1u) / (OUT_H * OUT_W) % OUT_D * STRIDE_D;
#else
    let image_${i} = min(pixel_${i}, PIXELS - 1u) / (OUT_H * OUT_W) * STORED_H;
#end
    let top_${i} = min(pixel_${i}, PIXELS - 1u) / OUT_W % OUT_H * STRIDE_H;
    let left_${i} = min(pixel_${i}, PIXELS - 1u) % OUT_W * STRIDE_W;
#end
#for j in COLUMNS
    var sum_${i}_${j} = Sum();
#end
#end
    for (var depth = slice; depth < DEPTH; depth += SLICES * UNROLL) {
#for u in UNROLL
        let k_${u} = depth + ${u}u * SLICES;
#for j in COLUMNS
#for l in 4
        let w_${u}_${j}_${l} = vec4<f32>(weights[(k_${u} * 4u + ${l}u) * OUT_BLOCKS + column_${j}]);
#end
#end
#if POINTWISE
#for i in ROWS
        let a_${u}_${i} = read_x(source_${i}, k_${u});
#end
#else
        let tap_${u} = k_${u} / IN_BLOCKS;
        let in_block_${u} = k_${u} % IN_BLOCKS;
#if VOLUME
        let tap_row_${u} = tap_${u} / KERNEL_W % KERNEL_H * DILATION_H;
        let tap_layer_${u} = tap_${u} / (KERNEL_W * KERNEL_H) * DILATION_D;
#else
        let tap_row_${u} = tap_${u} / KERNEL_W * DILATION_H;
#end
        let tap_column_${u} = tap_${u} % KERNEL_W * DILATION_W;
#for i in ROWS
        let row_${u}_${i} = top_${i} + tap_row_${u} - PAD_H; // wraps to a huge number above the picture
        let left_${u}_${i} = left_${i} + tap_column_${u} - PAD_W;
        var a_${u}_${i} = vec4<f32>(0.0);
        if (row_${u}_${i} < IN_H && left_${u}_${i} < IN_W) {
#if VOLUME
            let layer_${u}_${i} = front_${i} + tap_layer_${u} - PAD_D;
            if (layer_${u}_${i} < IN_D) {
                let from_${u}_${i} = ((image_${i} + layer_${u}_${i}) * IN_H + row_${u}_${i}) * IN_W + left_${u}_${i};
                a_${u}_${i} = read_x(from_${u}_${i}, in_block_${u});
            }
#else
#if MAPPED
            let from_row_${u}_${i} = source_row(row_${u}_${i});
            let from_column_${u}_${i} = source_column(left_${u}_${i});
            if (from_row_${u}_${i} < STORED_H && from_column_${u}_${i} < STORED_W) {
                a_${u}_${i} = read_x((image_${i} + from_row_${u}_${i}) * STORED_W + from_column_${u}_${i}, in_block_${u});
            }
#else
            a_${u}_${i} = read_x((image_${i} + row_${u}_${i}) * STORED_W + left_${u}_${i}, in_block_${u});
#end
#end
        }
#end
#end
#end
#for u in UNROLL
#for i in ROWS
#for j in COLUMNS
#if WIDE
        sum_${i}_${j} += Sum(a_${u}_${i}.x * w_${u}_${j}_0 + a_${u}_${i}.y * w_${u}_${j}_1
            + a_${u}_${i}.z * w_${u}_${j}_2 + a_${u}_${i}.w * w_${u}_${j}_3);
#else
        sum_${i}_${j} = fma(Sum(a_${u}_${i}.x), w_${u}_${j}_0, sum_${i}_${j}); // four instructions a product; a sum of four has five
        sum_${i}_${j} = fma(Sum(a_${u}_${i}.y), w_${u}_${j}_1, sum_${i}_${j});
        sum_${i}_${j} = fma(Sum(a_${u}_${i}.z), w_${u}_${j}_2, sum_${i}_${j});
        sum_${i}_${j} = fma(Sum(a_${u}_${i}.w), w_${u}_${j}_3, sum_${i}_${j});
#end
#end
#end
#end
    }
#if SPLIT
#for i in ROWS
#for j in COLUMNS
    partial[(${i}u * COLUMNS + ${j}u) * OUTPUTS * SLICES + lane] = sum_${i}_${j};
#end
#end
    workgroupBarrier();
    // One barrier and an unrolled sum by few threads: a tree over the slices would take a barrier a level.
    for (var at = lane; at < OUTPUTS * ROWS * COLUMNS; at += OUTPUTS * SLICES) {
        let output = at % OUTPUTS;
        let entry = at / OUTPUTS * OUTPUTS * SLICES + output;
        let block = (group.x * COLUMNS + at / OUTPUTS % COLUMNS) * ACROSS + output % ACROSS;
        let pixel = (group.y * ROWS + at / (OUTPUTS * COLUMNS)) * DOWN + output / ACROSS;
        if (pixel < PIXELS && block < OUT_BLOCKS) {
            var sum = bias[block];
#for s in SLICES
            sum += partial[entry + ${s}u * OUTPUTS];
#end
            finish(pixel, block, vec4<f32>(sum));
        }
    }
#else
#for i in ROWS
#for j in COLUMNS
    if (pixel_${i} < PIXELS && block_${j} < OUT_BLOCKS) {
        finish(pixel_${i}, block_${j}, vec4<f32>(sum_${i}_${j} + bias[block_${j}]));
    }
#end
#end
#end
}
