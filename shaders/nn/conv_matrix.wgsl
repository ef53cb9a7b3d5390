// Convolution of 16-bit floats as an implicit matrix product on the matrices of 16 x 16 that a subgroup of 32 threads multiplies at once.
// TILE_ROWS pixels x TILE_OCTETS octets of channels a workgroup, STEP octets of depth at a time, in BUFFERS parts of its memory: the next
// step is under way while one is multiplied. Rows of tiles begin at different places of the depth and come round to the others, so that what
// they load at one time is not the same weights: of weights that memory has and no cache, 12 tiles side by side ask for too few bytes at
// once to be served at its speed. Each subgroup has DOWN x ACROSS matrices of the tile, DOWN = ROUNDS x AT_ONCE; SLICES subgroups share these, each with
// its part of each step's depth, and their sums are added at the end. Sums are 32-bit throughout. ITEMS: as conv_tiled.wgsl has it. SHARED:
// workgroups in z have a share of the depth each, SPAN steps, and write their own sums. The last one's steps may reach past the depth, where
// MASKED reads zeros: with a constant number of steps ViT-B/16's second product takes 18 us instead of 21 (H200, Dawn).
//
// A subgroup sees its part of the memory through views of its own, so that all places of matrices in them are constants of the text. Of
// others Tint checks each when it is loaded, and with an unknown distance between rows NVIDIA's compiler loads a matrix number by number.

#use half_matrices

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

#if MASKED
const OUTSIDE = 0xffffffffu;
#end

#if PAIRS
// The octet of depth `k` is of two neighboring taps, four channels each: their pixels, OUTSIDE in the padding and past the end.
alias Found = vec2<u32>;

fn find_x(place: Place, k: u32) -> Found {
    let line = k / PAIRS;
    let taps = k % PAIRS * 2u + vec2<u32>(0u, 1u);
    let columns = place.left + taps * DILATION_W - PAD_W; // wraps to a huge number left of the picture
    let row = place.top + line % KERNEL_H * DILATION_H - PAD_H;
#if VOLUME
    let layer = place.front + line / KERNEL_H * DILATION_D - PAD_D;
    let pixels = ((place.image + layer) * IN_H + row) * IN_W + columns;
    let inside = vec2<bool>(k < DEPTH && layer < IN_D && row < IN_H);
#else
#if MAPPED
    let from_row = source_row(row);
    let from_columns = Found(source_column(columns.x), source_column(columns.y));
    let stored = (from_columns < Found(STORED_W)) & vec2<bool>(from_row < STORED_H);
    let pixels = (place.image + from_row) * STORED_W + from_columns;
#else
    let stored = vec2<bool>(true);
    let pixels = (place.image + row) * STORED_W + columns;
#end
    let inside = stored & vec2<bool>(k < DEPTH && row < IN_H);
#end
    return select(Found(OUTSIDE), pixels, (columns < Found(IN_W)) & (taps < Found(KERNEL_W)) & inside);
}

struct Loaded {
    left: vec4<f32>,
    right: vec4<f32>,
}

fn load_x(found: Found) -> Loaded {
    let pixels = select(found, Found(), found == Found(OUTSIDE));
    return Loaded(read_x(pixels.x, 0u), read_x(pixels.y, 0u));
}

// What is finite stays so.
fn held(v: vec4<f32>) -> vec2<u32> {
    let finite = (bitcast<vec4<u32>>(v) & vec4<u32>(0x7fffffffu)) < vec4<u32>(0x7f800000u);
    return bitcast<vec2<u32>>(vec4<f16>(select(v, clamp(v, vec4<f32>(-65504.0), vec4<f32>(65504.0)), finite)));
}

fn octet_of(loaded: Loaded, found: Found) -> Octet {
    let left = select(loaded.left, vec4<f32>(), found.x == OUTSIDE);
    let right = select(loaded.right, vec4<f32>(), found.y == OUTSIDE);
    return Octet(held(left), held(right));
}
#else
// Where the octet of depth `k` lies in x; OUTSIDE in the padding and past the end. What is there is loaded whatever is found, and becomes
// zeros when it is staged: a load in a branch is waited for where the branch ends.
alias Found = u32;
alias Loaded = Octet;

fn find_x(place: Place, k: u32) -> Found {
#if POINTWISE
#if MASKED
    return select(OUTSIDE, x_at(place.image, k), k < DEPTH);
#else
    return x_at(place.image, k);
#end
#else
    let tap = k / IN_OCTETS;
    let in_octet = k % IN_OCTETS;
    let column = place.left + tap % KERNEL_W * DILATION_W - PAD_W; // wraps to a huge number left of the picture
#if VOLUME
    let row = place.top + tap / KERNEL_W % KERNEL_H * DILATION_H - PAD_H;
    let layer = place.front + tap / (KERNEL_W * KERNEL_H) * DILATION_D - PAD_D;
    let inside = k < DEPTH && layer < IN_D && row < IN_H && column < IN_W;
    return select(OUTSIDE, x_at(((place.image + layer) * IN_H + row) * IN_W + column, in_octet), inside);
#else
    let row = place.top + tap / KERNEL_W * DILATION_H - PAD_H;
#if MAPPED
    let from_row = source_row(row);
    let from_column = source_column(column);
    let inside = k < DEPTH && row < IN_H && column < IN_W && from_row < STORED_H && from_column < STORED_W;
    return select(OUTSIDE, x_at((place.image + from_row) * STORED_W + from_column, in_octet), inside);
#else
    let inside = k < DEPTH && row < IN_H && column < IN_W;
    return select(OUTSIDE, x_at((place.image + row) * STORED_W + column, in_octet), inside);
#end
#end
#end
}

// The result may be in the same memory: vec4s are written there, and two threads must not write halves of an octet.
fn octet_at(place: u32) -> Octet {
#if BESIDE
    return Octet(x[place * 2u], x[place * 2u + 1u]);
#else
    return x[place];
#end
}

fn load_x(found: Found) -> Loaded {
#if MASKED
    return octet_at(select(found, X_FIRST, found == OUTSIDE));
#else
    return octet_at(found);
#end
}

fn octet_of(loaded: Loaded, found: Found) -> Octet {
#if MASKED
    return select(loaded, Octet(), found == OUTSIDE);
#else
    return loaded;
#end
}
#end

// `at`: the first line of the item's weights.
fn fetch_w(at: u32, line: u32, column: u32) -> Octet {
#if EVEN
    return weights[(at + line) * OUT_OCTETS + column];
#else
    return weights[(at + min(line, DEPTH * 8u - 1u)) * OUT_OCTETS + column];
#end
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
    let octets = bufferView<array<Octet, ${OCTETS}>>(&tile, 0);
    let quads = bufferView<array<vec4<f32>, ${OCTETS}>>(&tile, 0);
    let left_at = below * (DOWN * 16u * X_STRIDE) + slice * (STEP * 8u / SLICES);
    let right_at = W_AT + beside * (ACROSS * 16u) + slice * (STEP * 8u / SLICES * W_STRIDE);
#for p in BUFFERS
#if LOOPS
    let left_${p} = ${p}u * STAGED + left_at;
    let right_${p} = ${p}u * STAGED + right_at;
#else
    let left_${p} = bufferView<array<f16, ${LEFT_SPAN}>>(&tile, (${p}u * STAGED + left_at) * 2u);
    let right_${p} = bufferView<array<f16, ${RIGHT_SPAN}>>(&tile, (${p}u * STAGED + right_at) * 2u);
#end
#end
#if ITEMS
    let source = group.z * PIXELS;
    let weights_at = group.z * (DEPTH * 8u);
#else
    let source = 0u;
    let weights_at = 0u;
#end
#if SHARED
    let begin = group.z * SPAN;
#else
    let begin = 0u;
#end
    var step = group.y * SPAN / TILES_DOWN % SPAN;
    let step_x = lane % STEP;
    let load_column = lane % TILE_OCTETS;
    let column = min(group.x * TILE_OCTETS + load_column, OUT_OCTETS - 1u);
#for l in LOADS_X
    let load_${l} = lane / STEP + ${l}u * (THREADS / STEP);
    let place_${l} = place_of(source + min(group.y * TILE_ROWS + load_${l}, PIXELS - 1u));
    var at_${l} = find_x(place_${l}, (begin + step) * STEP + step_x);
    var x_${l} = load_x(at_${l});
#end
#for l in LOADS_W
    let line_${l} = lane / TILE_OCTETS + ${l}u * (THREADS / TILE_OCTETS);
    var w_${l} = fetch_w(weights_at, (begin + step) * (STEP * 8u) + line_${l}, column);
#end
#if BIASED
    // A thread finishes sums of one column only. The bias is loaded here, so that its latency overlaps the product.
    let own_bias = bias[min(group.x * TILE_OCTETS * 2u + lane % (TILE_OCTETS * 2u), OUT_BLOCKS - 1u)];
#end
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
    for (var turn = 0u; turn < SPAN; turn += BUFFERS) {
#for p in BUFFERS
        if (turn + ${p}u < SPAN) {
#for l in LOADS_X
            octets[${p}u * (STAGED / 8u) + load_${l} * (X_STRIDE / 8u) + step_x] = octet_of(x_${l}, at_${l});
#end
#for l in LOADS_W
            octets[${p}u * (STAGED / 8u) + W_AT / 8u + line_${l} * (W_STRIDE / 8u) + load_column] = w_${l};
#end
            workgroupBarrier();
            if (turn + ${p}u + 1u < SPAN) {
                step = select(step + 1u, 0u, step + 1u == SPAN);
#for l in LOADS_X
                at_${l} = find_x(place_${l}, (begin + step) * STEP + step_x);
                x_${l} = load_x(at_${l});
#end
#for l in LOADS_W
                w_${l} = fetch_w(weights_at, (begin + step) * (STEP * 8u) + line_${l}, column);
#end
            }
#if LOOPS
            for (var s = 0u; s < TURNS; s++) {
                for (var m = 0u; m < DOWN * ACROSS; m++) {
                    multiply_add(left_${p} + m / ACROSS * 16u * X_STRIDE + s * 16u, right_${p} + s * 16u * W_STRIDE + m % ACROSS * 16u, m);
                }
            }
#else
#for s in TURNS
            {
#for r in ROUNDS
#for i in AT_ONCE
                let a_${r}_${i} = subgroupMatrixLoad<Left, row_major>(left_${p}, (${r}u * AT_ONCE + ${i}u) * 16u * X_STRIDE + ${s}u * 16u, X_STRIDE);
#end
#end
#for j in ACROSS
                let b_${j} = subgroupMatrixLoad<Right, row_major>(right_${p}, ${s}u * 16u * W_STRIDE + ${j}u * 16u, W_STRIDE);
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
#if BIASED
    let result_at = 0u;
#else
    let result_at = group.z * PIXELS;
#end
    // Through workgroup memory, AT_ONCE rows of each part's matrices at a time. All that is added is loaded before anything is written, behind
    // which the compiler may move no load.
    let drain_at = subgroup / PARTS_ACROSS * (AT_ONCE * 16u) * SUMS_STRIDE + beside * ACROSS * 16u;
#if LOOPS
    let floats = bufferView<array<f32, ${FLOATS}>>(&tile, 0);
#else
    let drained = bufferView<array<f32, ${SUMS_SPAN}>>(&tile, drain_at * 4u);
#end
#for r in ROUNDS
    {
        workgroupBarrier();
#for i in AT_ONCE
#for j in ACROSS
#if LOOPS
        for (var e = 0u; e < 8u; e++) {
            floats[drain_at + (${i}u * 16u + thread / 2u) * SUMS_STRIDE + ${j}u * 16u + thread % 2u * 8u + e] =
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
        let line_${n} = at_${n} / (TILE_OCTETS * 2u);
        let pixel_${n} = group.y * TILE_ROWS + line_${n} / (AT_ONCE * 16u) * (DOWN * 16u) + ${r}u * (AT_ONCE * 16u) + line_${n} % (AT_ONCE * 16u);
        let block_${n} = group.x * TILE_OCTETS * 2u + at_${n} % (TILE_OCTETS * 2u);
#if BIASED
        var own_${n} = own_bias;
#else
        var own_${n} = vec4<f32>();
#end
#for s in SLICES
        own_${n} += quads[((${s}u * DRAINED + line_${n}) * SUMS_STRIDE) / 4u + at_${n} % (TILE_OCTETS * 2u)];
#end
        let place_${n} = result_at + min(pixel_${n}, PIXELS - 1u);
        own_${n} = finished(place_${n}, min(block_${n}, OUT_BLOCKS - 1u), own_${n});
#end
#for n in OWN
        if (pixel_${n} < PIXELS && block_${n} < OUT_BLOCKS) {
            write_y(place_${n}, block_${n}, own_${n});
        }
#end
    }
#end
}
