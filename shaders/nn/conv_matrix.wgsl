// Convolution of 16-bit floats as an implicit matrix product on the matrices of 16 x 16 that a subgroup of 32 threads multiplies at once.
// TILE_ROWS pixels x TILE_OCTETS octets of channels a workgroup, STEP octets of depth at a time, in two buffers: a step is staged while
// the one before is multiplied. Each subgroup has DOWN x ACROSS matrices of the tile; SLICES subgroups share these, each with its part of
// each step's depth, and their sums are added at the end. Sums are 32-bit throughout.

// Octets of 16-bit floats are loaded and staged as 16 bytes; the same memory is read as matrices, and has the sums at the end.
alias Octet = vec4<u32>;
var<workgroup> tile: buffer<${MEMORY}>;

#if LOOPS
// Without matrices, to check the indices on any adapter: a thread has half a row of each.
var<private> thread: u32;
var<private> sums: array<array<f32, 8>, DOWN * ACROSS>;

fn multiply_add(left: u32, right: u32, sum: u32) {
    let halves = bufferView<array<f16, ${HALVES}>>(&tile, 0);
    for (var e = 0u; e < 8u; e++) {
        var total = 0.0;
        for (var k = 0u; k < 16u; k++) {
            total += f32(halves[left + thread / 2u * X_STRIDE + k]) * f32(halves[right + k * W_STRIDE + thread % 2u * 8u + e]);
        }
        sums[sum][e] += total;
    }
}
#else
alias Left = subgroup_matrix_left<f16, 16, 16>;
alias Right = subgroup_matrix_right<f16, 16, 16>;
alias Sum = subgroup_matrix_result<f32, 16, 16>;
#end

@compute @workgroup_size(THREADS)
#if LOOPS
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let subgroup = lane / 32u;
    thread = lane % 32u;
#else
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32, @builtin(subgroup_id) subgroup: u32) {
#end
    let slice = subgroup / PARTS;
    let below = subgroup / PARTS_ACROSS % (PARTS / PARTS_ACROSS);
    let beside = subgroup % PARTS_ACROSS;
    let halves = bufferView<array<f16, ${HALVES}>>(&tile, 0);
    let octets = bufferView<array<Octet, ${OCTETS}>>(&tile, 0);
    let quads = bufferView<array<vec4<f32>, ${OCTETS}>>(&tile, 0);
    let floats = bufferView<array<f32, ${FLOATS}>>(&tile, 0);
    let step_x = lane % STEP;
    let load_column = lane % TILE_OCTETS;
    let column = min(group.x * TILE_OCTETS + load_column, OUT_OCTETS - 1u);
#for l in LOADS_X
    let load_${l} = lane / STEP + ${l}u * (THREADS / STEP);
    let source_${l} = min(group.y * TILE_ROWS + load_${l}, PIXELS - 1u);
    var x_${l}: Octet;
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
#for l in LOADS_W
    let line_${l} = lane / TILE_OCTETS + ${l}u * (THREADS / TILE_OCTETS);
    var w_${l}: Octet;
#end
#if LOOPS
#else
#for i in DOWN
#for j in ACROSS
    var sum_${i}_${j} = Sum();
#end
#end
#end
    var phase = 0u;
    for (var depth = 0u; depth < END; depth += STEP) {
        if (depth > 0u) {
#for l in LOADS_X
            octets[phase / 8u + load_${l} * (X_STRIDE / 8u) + step_x] = x_${l};
#end
#for l in LOADS_W
            octets[phase / 8u + W_AT / 8u + line_${l} * (W_STRIDE / 8u) + load_column] = w_${l};
#end
            workgroupBarrier();
        }
        if (depth < DEPTH) {
            let k = depth + step_x;
#if POINTWISE
#for l in LOADS_X
#if EVEN
            x_${l} = load_x(source_${l}, k);
#else
            x_${l} = select(Octet(), load_x(source_${l}, min(k, DEPTH - 1u)), k < DEPTH);
#end
#end
#else
            let tap = k / IN_OCTETS;
            let in_octet = k % IN_OCTETS;
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
            x_${l} = Octet();
            if (k < DEPTH && row_${l} < IN_H && column_${l} < IN_W) {
#if VOLUME
                let layer_${l} = front_${l} + tap_layer - PAD_D;
                if (layer_${l} < IN_D) {
                    x_${l} = load_x(((image_${l} + layer_${l}) * IN_H + row_${l}) * IN_W + column_${l}, in_octet);
                }
#else
#if MAPPED
                let from_row_${l} = source_row(row_${l});
                let from_column_${l} = source_column(column_${l});
                if (from_row_${l} < STORED_H && from_column_${l} < STORED_W) {
                    x_${l} = load_x((image_${l} + from_row_${l}) * STORED_W + from_column_${l}, in_octet);
                }
#else
                x_${l} = load_x((image_${l} + row_${l}) * STORED_W + column_${l}, in_octet);
#end
#end
            }
#end
#end
#for l in LOADS_W
#if EVEN
            w_${l} = weights[(depth * 8u + line_${l}) * OUT_OCTETS + column];
#else
            w_${l} = weights[min(depth * 8u + line_${l}, DEPTH * 8u - 1u) * OUT_OCTETS + column];
#end
#end
        }
        if (depth > 0u) {
            let left_at = phase + below * DOWN * 16u * X_STRIDE + slice * (STEP * 8u / SLICES);
            let right_at = phase + W_AT + beside * ACROSS * 16u + slice * (STEP * 8u / SLICES) * W_STRIDE;
#if LOOPS
            for (var s = 0u; s < TURNS; s++) {
                for (var m = 0u; m < DOWN * ACROSS; m++) {
                    multiply_add(left_at + m / ACROSS * 16u * X_STRIDE + s * 16u, right_at + s * 16u * W_STRIDE + m % ACROSS * 16u, m);
                }
            }
#else
#for s in TURNS
            {
#for i in DOWN
                let left_${i} = subgroupMatrixLoad<Left, row_major>(halves, left_at + ${i}u * 16u * X_STRIDE + ${s}u * 16u, X_STRIDE);
#end
#for j in ACROSS
                let right_${j} = subgroupMatrixLoad<Right, row_major>(halves, right_at + ${s}u * 16u * W_STRIDE + ${j}u * 16u, W_STRIDE);
#for i in DOWN
                sum_${i}_${j} = subgroupMatrixMultiplyAccumulate(left_${i}, right_${j}, sum_${i}_${j});
#end
#end
            }
#end
#end
            phase = STAGED - phase;
        }
    }
    // Through workgroup memory, a row of each part's matrices at a time.
    let drain_at = subgroup / PARTS_ACROSS * 16u * SUMS_STRIDE + beside * ACROSS * 16u;
#for i in DOWN
    {
        workgroupBarrier();
#for j in ACROSS
#if LOOPS
        for (var e = 0u; e < 8u; e++) {
            floats[drain_at + ${j}u * 16u + thread / 2u * SUMS_STRIDE + thread % 2u * 8u + e] = sums[${i}u * ACROSS + ${j}u][e];
        }
#else
        subgroupMatrixStore<row_major>(floats, drain_at + ${j}u * 16u, sum_${i}_${j}, SUMS_STRIDE);
#end
#end
        workgroupBarrier();
        for (var at = lane; at < PARTS / PARTS_ACROSS * 16u * TILE_OCTETS * 2u; at += THREADS) {
            let line = at / (TILE_OCTETS * 2u);
            let pixel = group.y * TILE_ROWS + line / 16u * (DOWN * 16u) + ${i}u * 16u + line % 16u;
            let block = group.x * TILE_OCTETS * 2u + at % (TILE_OCTETS * 2u);
            if (pixel < PIXELS && block < OUT_BLOCKS) {
                var sum = bias[block];
#for s in SLICES
                sum += quads[((${s}u * (PARTS / PARTS_ACROSS) * 16u + line) * SUMS_STRIDE) / 4u + at % (TILE_OCTETS * 2u)];
#end
                finish(pixel, block, sum);
            }
        }
    }
#end
}
