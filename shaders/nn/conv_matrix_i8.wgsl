// Convolution of 8-bit whole numbers as an implicit matrix product on the matrices of 16 x 32 by 32 x 16 bytes that a subgroup of 32 threads
// multiplies at once, with exact 32-bit sums. The tiles, the walk through the depth, the views and the way the sums take to memory are those
// of conv_matrix.wgsl, which says why; here a step has STEP blocks of four channels, and TILE_COLUMNS single channels.
//
// Numbers of x lie as floats. They are staged as bytes, SHIFT above what they are where a byte would not hold them; the bias makes that good.
// What stands for numbers behind the depth and behind the channels meets weights of zero.
//
// Weights lie by 32 numbers of depth, then by channel, and are staged with the depth of a channel in a row: four neighboring bytes of a
// matrix are then of one word on both sides, as the instructions take them. With the channels of a number of depth in a row, as
// conv_matrix has them, each byte would be loaded alone: there is an instruction that transposes 16-bit numbers on the way, and none for bytes.

alias Quad = vec4<u32>;
var<workgroup> tile: buffer<${MEMORY}>;

#if LOOPS
// Without matrices, to check the indices on any adapter: a thread has half a row of each, and a view is where it begins.
var<private> thread: u32;
var<private> sums: array<array<i32, 8>, DOWN * ACROSS>;

fn multiply_add(left: u32, right: u32, sum: u32) {
    let words = bufferView<array<u32, ${WORDS}>>(&tile, 0);
    for (var e = 0u; e < 8u; e++) {
        var total = 0i;
        for (var k = 0u; k < 8u; k++) {
            total += dot4I8Packed(words[left + thread / 2u * X_STRIDE + k], words[right + (thread % 2u * 8u + e) * W_STRIDE + k]);
        }
        sums[sum][e] += total;
    }
}
#else
alias Left = subgroup_matrix_left<i8, 32, 16>;
alias Right = subgroup_matrix_right<i8, 16, 32>;
alias Sum = subgroup_matrix_result<i32, 16, 16>;
#end

// Where the windows of an output pixel begin.
struct Place {
    image: u32, // its first pixel, or layer; of a pointwise convolution the pixel
    front: u32,
    top: u32,
    left: u32,
}

fn place_of(pixel: u32) -> Place {
#if POINTWISE
    return Place(pixel, 0u, 0u, 0u);
#else
#if VOLUME
    let image = pixel / (OUT_D * OUT_H * OUT_W) * IN_D;
    let front = pixel / (OUT_H * OUT_W) % OUT_D * STRIDE_D;
#else
    let image = pixel / (OUT_H * OUT_W) * STORED_H;
    let front = 0u;
#end
    return Place(image, front, pixel / OUT_W % OUT_H * STRIDE_H, pixel % OUT_W * STRIDE_W);
#end
}

#if POINTWISE
#else
const OUTSIDE = 0xffffffffu;
#end

// The block of depth `k` of a pixel's window: the pixel that it is of, OUTSIDE in the padding.
fn find_x(place: Place, k: u32) -> u32 {
#if POINTWISE
    return place.image;
#else
    let tap = k / IN_BLOCKS;
    let column = place.left + tap % KERNEL_W * DILATION_W - PAD_W; // wraps to a huge number left of the picture
#if VOLUME
    let row = place.top + tap / KERNEL_W % KERNEL_H * DILATION_H - PAD_H;
    let layer = place.front + tap / (KERNEL_W * KERNEL_H) * DILATION_D - PAD_D;
    let inside = layer < IN_D && row < IN_H && column < IN_W;
    return select(OUTSIDE, ((place.image + layer) * IN_H + row) * IN_W + column, inside);
#else
    let row = place.top + tap / KERNEL_W * DILATION_H - PAD_H;
#if MAPPED
    let from_row = source_row(row);
    let from_column = source_column(column);
    let inside = row < IN_H && column < IN_W && from_row < STORED_H && from_column < STORED_W;
    return select(OUTSIDE, (place.image + from_row) * STORED_W + from_column, inside);
#else
    return select(OUTSIDE, (place.image + row) * STORED_W + column, row < IN_H && column < IN_W);
#end
#end
#end
}

// A load in a branch is waited for where the branch ends: what lies in the padding is loaded from anywhere, and replaced when it is staged.
fn load_x(found: u32, k: u32) -> vec4<f32> {
#if POINTWISE
#if EVEN
    return read_x(found, k);
#else
    return read_x(found, min(k, DEPTH - 1u));
#end
#else
    return read_x(select(found, 0u, found == OUTSIDE), k % IN_BLOCKS);
#end
}

// Four bytes of a word. SHIFTED is 1.5 x 2^23 + SHIFT: the sum of it and a number has this number in its last bits, in two's complement. A
// conversion to i32 takes four times as long as an addition on NVIDIA's GPUs. Rejected: the same for pairs, x + 256 y, which
// spares instructions, and where one of them is no channel, whatever stands there would change the other.
fn bytes_of(loaded: vec4<f32>, found: u32) -> u32 {
    let n = bitcast<Quad>(loaded + vec4<f32>(SHIFTED)) & Quad(0xffu);
    let word = n.x | (n.y << 8u) | (n.z << 16u) | (n.w << 24u);
#if POINTWISE
    return word;
#else
    return select(word, PADDING, found == OUTSIDE);
#end
}

// 16 bytes of the depth of a channel; `at`: the first 32 of the step, `load`: which ones of the step.
fn fetch_w(at: u32, load: u32, first: u32) -> Quad {
    let column = min(first + load / 2u % TILE_COLUMNS, OUT_CHANNELS - 1u);
    return weights[((at + load / (2u * TILE_COLUMNS)) * OUT_CHANNELS + column) * 2u + load % 2u];
}

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
    let words = bufferView<array<u32, ${WORDS}>>(&tile, 0);
    let quads = bufferView<array<Quad, ${QUADS}>>(&tile, 0);
    let results = bufferView<array<vec4<i32>, ${QUADS}>>(&tile, 0);
    let left_at = below * (DOWN * 16u * X_STRIDE) + slice * (STEP / SLICES);
    let right_at = W_AT + beside * (ACROSS * 16u * W_STRIDE) + slice * (STEP / SLICES);
#for p in BUFFERS
#if LOOPS
    let left_${p} = ${p}u * STAGED + left_at;
    let right_${p} = ${p}u * STAGED + right_at;
#else
    let left_${p} = bufferView<array<u32, ${LEFT_SPAN}>>(&tile, (${p}u * STAGED + left_at) * 4u);
    let right_${p} = bufferView<array<u32, ${RIGHT_SPAN}>>(&tile, (${p}u * STAGED + right_at) * 4u);
#end
#end
    var step = group.y * STEPS / TILES_DOWN % STEPS;
    let step_x = lane % STEP;
    let first = group.x * TILE_COLUMNS;
#for l in LOADS_X
    let load_${l} = lane / STEP + ${l}u * (THREADS / STEP);
    let place_${l} = place_of(min(group.y * TILE_ROWS + load_${l}, PIXELS - 1u));
    var at_${l} = find_x(place_${l}, step * STEP + step_x);
    var x_${l} = load_x(at_${l}, step * STEP + step_x);
#end
#for l in LOADS_W
    let load_w_${l} = lane + ${l}u * THREADS;
    let staged_${l} = load_w_${l} / 2u % TILE_COLUMNS * (W_STRIDE / 4u) + load_w_${l} / (2u * TILE_COLUMNS) * 2u + load_w_${l} % 2u;
    var w_${l} = fetch_w(step * (STEP / 8u), load_w_${l}, first);
#end
    let own_bias = bias[min(group.x * (TILE_COLUMNS / 4u) + lane % (TILE_COLUMNS / 4u), OUT_BLOCKS - 1u)];
#if LOOPS
#else
#for r in ROUNDS
#for i in AT_ONCE
#for j in ACROSS
    var sum_${r}_${i}_${j} = Sum();
#end
#end
#end
#end
    for (var turn = 0u; turn < STEPS; turn += BUFFERS) {
#for p in BUFFERS
        if (turn + ${p}u < STEPS) {
#for l in LOADS_X
            words[${p}u * STAGED + load_${l} * X_STRIDE + step_x] = bytes_of(x_${l}, at_${l});
#end
#for l in LOADS_W
            quads[(${p}u * STAGED + W_AT) / 4u + staged_${l}] = w_${l};
#end
            workgroupBarrier();
            if (turn + ${p}u + 1u < STEPS) {
                step = select(step + 1u, 0u, step + 1u == STEPS);
#for l in LOADS_X
                at_${l} = find_x(place_${l}, step * STEP + step_x);
                x_${l} = load_x(at_${l}, step * STEP + step_x);
#end
#for l in LOADS_W
                w_${l} = fetch_w(step * (STEP / 8u), load_w_${l}, first);
#end
            }
#if LOOPS
            for (var s = 0u; s < TURNS; s++) {
                for (var m = 0u; m < DOWN * ACROSS; m++) {
                    multiply_add(left_${p} + m / ACROSS * 16u * X_STRIDE + s * 8u, right_${p} + m % ACROSS * 16u * W_STRIDE + s * 8u, m);
                }
            }
#else
#for s in TURNS
            {
#for r in ROUNDS
#for i in AT_ONCE
                let a_${r}_${i} = subgroupMatrixLoad<Left, row_major>(left_${p}, (${r}u * AT_ONCE + ${i}u) * 16u * X_STRIDE + ${s}u * 8u, X_STRIDE);
#end
#end
#for j in ACROSS
                let b_${j} = subgroupMatrixLoad<Right, col_major>(right_${p}, ${j}u * 16u * W_STRIDE + ${s}u * 8u, W_STRIDE);
#for r in ROUNDS
#for i in AT_ONCE
                sum_${r}_${i}_${j} = subgroupMatrixMultiplyAccumulate(a_${r}_${i}, b_${j}, sum_${r}_${i}_${j});
#end
#end
#end
            }
#end
#end
#if SINGLE
            workgroupBarrier(); // before the next step takes its place
#end
        }
#end
    }
    // Through workgroup memory, AT_ONCE rows of each part's matrices at a time. All that is added is loaded before anything is written.
    let drain_at = subgroup / PARTS_ACROSS * (AT_ONCE * 16u) * SUMS_STRIDE + beside * ACROSS * 16u;
#if LOOPS
    let drained = bufferView<array<i32, ${WORDS}>>(&tile, 0);
#else
    let drained = bufferView<array<i32, ${SUMS_SPAN}>>(&tile, drain_at * 4u);
#end
#for r in ROUNDS
    {
        workgroupBarrier();
#for i in AT_ONCE
#for j in ACROSS
#if LOOPS
        for (var e = 0u; e < 8u; e++) {
            drained[drain_at + (${i}u * 16u + thread / 2u) * SUMS_STRIDE + ${j}u * 16u + thread % 2u * 8u + e] =
                sums[(${r}u * AT_ONCE + ${i}u) * ACROSS + ${j}u][e];
        }
#else
        subgroupMatrixStore<row_major>(drained, ${i}u * 16u * SUMS_STRIDE + ${j}u * 16u, sum_${r}_${i}_${j}, SUMS_STRIDE);
#end
#end
#end
        workgroupBarrier();
#for n in OWN
        let at_${n} = lane + ${n}u * THREADS;
        let line_${n} = at_${n} / (TILE_COLUMNS / 4u);
        let pixel_${n} = group.y * TILE_ROWS + line_${n} / (AT_ONCE * 16u) * (DOWN * 16u) + ${r}u * (AT_ONCE * 16u) + line_${n} % (AT_ONCE * 16u);
        let block_${n} = group.x * (TILE_COLUMNS / 4u) + at_${n} % (TILE_COLUMNS / 4u);
        var own_${n} = own_bias;
#for s in SLICES
        own_${n} += results[((${s}u * DRAINED + line_${n}) * SUMS_STRIDE) / 4u + at_${n} % (TILE_COLUMNS / 4u)];
#end
        let to_${n} = min(pixel_${n}, PIXELS - 1u);
        let done_${n} = finished(to_${n}, min(block_${n}, OUT_BLOCKS - 1u), vec4<f32>(own_${n}));
#end
#for n in OWN
        if (pixel_${n} < PIXELS && block_${n} < OUT_BLOCKS) {
            write_y(to_${n}, block_${n}, done_${n});
        }
#end
    }
#end
}
