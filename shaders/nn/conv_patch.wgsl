// Convolution of 16-bit floats with a step of one pixel, on the matrices of 16 x 16 that a subgroup of 32 threads multiplies at once. A
// workgroup has a tile of TILE_H x TILE_W pixels by TILE_OCTETS octets of channels. Of STEP octets of its input's channels at a time it
// stages all pixels that the windows see, once for all taps, and the weights of all taps; the next step is under way meanwhile. The left
// matrix of a tap is 16 staged pixels side by side, beginning where the tap does, so that conv_matrix.wgsl, which stages each tap's pixels,
// moves TAPS times as much. Each subgroup has DOWN lines of 16 pixels, one below the other, by ACROSS matrices of channels; a line that it
// has loaded is multiplied with the taps of each row of the window. Sums are 32-bit throughout. Tiles begin at different places of the depth
// and come round to the others (conv_matrix.wgsl says why).
//
// A subgroup sees its part of the memory through views of its own, so that all places of matrices in them are constants (conv_matrix.wgsl
// says what hangs on that).

#use half_matrices

const OUTSIDE = 0xffffffffu;

// The tile: its image, and its first pixel.
struct Place {
    image: u32,
    top: u32,
    left: u32,
}

fn place_of(tile: u32) -> Place {
    return Place(tile / (TILES_H * TILES_W), tile / TILES_W % TILES_H * TILE_H, tile % TILES_W * TILE_W);
}

// The input's pixel that is the n-th of the tile's patch; OUTSIDE in the padding and past the patch.
fn pixel_of(place: Place, n: u32) -> u32 {
    let row = place.top + n / PATCH_W - PAD_H; // wraps to a huge number above the picture
    let column = place.left + n % PATCH_W - PAD_W;
    let inside = n < PATCH_H * PATCH_W && row < IN_H && column < IN_W;
#if MAPPED
    let from_row = source_row(row);
    let from_column = source_column(column);
    let stored = from_row < STORED_H && from_column < STORED_W;
    return select(OUTSIDE, (place.image * STORED_H + from_row) * STORED_W + from_column, inside && stored);
#else
    return select(OUTSIDE, (place.image * IN_H + row) * IN_W + column, inside);
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

// Zeros outside. What is there is loaded in any case: a load in a branch is waited for where the branch ends.
fn fetch_x(pixel: u32, octet: u32) -> Octet {
#if PARTLY
    let inside = pixel != OUTSIDE && octet < IN_OCTETS;
    return select(Octet(), octet_at(x_at(select(0u, pixel, inside), select(0u, octet, inside))), inside);
#else
    let inside = pixel != OUTSIDE;
    return select(Octet(), octet_at(x_at(select(0u, pixel, inside), octet)), inside);
#end
}

// Of channels that are not there the weights do not matter, as long as there are some.
fn fetch_w(step: u32, n: u32, first: u32) -> Octet {
    let line = n / TILE_OCTETS;
    let channel = min(step * (STEP * 8u) + line % (STEP * 8u), IN_OCTETS * 8u - 1u);
    let tap = min(line / (STEP * 8u), TAPS - 1u);
    return weights[(tap * (IN_OCTETS * 8u) + channel) * OUT_OCTETS + min(first + n % TILE_OCTETS, OUT_OCTETS - 1u)];
}

@compute @workgroup_size(THREADS)
#if LOOPS
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let subgroup = lane / 32u;
    thread = lane % 32u;
#else
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32, @builtin(subgroup_id) subgroup: u32) {
#end
    let part = subgroup / PARTS_ACROSS;
    let beside = subgroup % PARTS_ACROSS;
    let octets = bufferView<array<Octet, ${OCTETS}>>(&tile, 0);
    let quads = bufferView<array<vec4<f32>, ${OCTETS}>>(&tile, 0);
    let left_at = (part / STRIPS * DOWN * PATCH_W + part % STRIPS * 16u) * X_STRIDE;
    let right_at = W_AT + beside * (ACROSS * 16u);
#if LOOPS
    let left = left_at;
    let right = right_at;
#else
    let left = bufferView<array<f16, ${LEFT_SPAN}>>(&tile, left_at * 2u);
    let right = bufferView<array<f16, ${RIGHT_SPAN}>>(&tile, right_at * 2u);
#end
    let place = place_of(group.y);
    let first = group.x * TILE_OCTETS;
    let step_x = lane % STEP;
    var step = group.y * STEPS / TILES % STEPS;
#for l in LOADS_X
    let load_${l} = lane / STEP + ${l}u * (THREADS / STEP);
    let pixel_${l} = pixel_of(place, load_${l});
    var x_${l} = fetch_x(pixel_${l}, step * STEP + step_x);
#end
#for l in LOADS_W
    var w_${l} = fetch_w(step, lane + ${l}u * THREADS, first);
#end
    // A thread finishes sums of one column only. The bias is loaded here, so that its latency overlaps the product.
    let own_bias = bias[min(group.x * TILE_OCTETS * 2u + lane % (TILE_OCTETS * 2u), OUT_BLOCKS - 1u)];
#if LOOPS
#else
#for i in DOWN
#for j in ACROSS
    var sum_${i}_${j} = Sum();
#end
#end
#end
    for (var turn = 0u; turn < STEPS; turn++) {
#for l in LOADS_X
        if (load_${l} < PATCH_H * PATCH_W) {
            octets[load_${l} * (X_STRIDE / 8u) + step_x] = x_${l};
        }
#end
#for l in LOADS_W
        {
            let n = lane + ${l}u * THREADS;
            if (n < TAPS * STEP * 8u * TILE_OCTETS) {
                octets[W_AT / 8u + n / TILE_OCTETS * (W_STRIDE / 8u) + n % TILE_OCTETS] = w_${l};
            }
        }
#end
        workgroupBarrier();
        if (turn + 1u < STEPS) {
            step = select(step + 1u, 0u, step + 1u == STEPS);
#for l in LOADS_X
            x_${l} = fetch_x(pixel_${l}, step * STEP + step_x);
#end
#for l in LOADS_W
            w_${l} = fetch_w(step, lane + ${l}u * THREADS, first);
#end
        }
#if LOOPS
        for (var s = 0u; s < TURNS; s++) {
            for (var t = 0u; t < TAPS; t++) {
                for (var m = 0u; m < DOWN * ACROSS; m++) {
                    let line = (m / ACROSS + t / KERNEL_W) * PATCH_W + t % KERNEL_W;
                    multiply_add(left + line * X_STRIDE + s * 16u, right + (t * STEP * 8u + s * 16u) * W_STRIDE + m % ACROSS * 16u, m);
                }
            }
        }
#else
#for s in TURNS
#for c in KERNEL_W
        {
#for i in LINES
            let a_${i} = subgroupMatrixLoad<Left, row_major>(left, (${i}u * PATCH_W + ${c}u) * X_STRIDE + ${s}u * 16u, X_STRIDE);
#end
#for r in KERNEL_H
#for j in ACROSS
            let b_${r}_${j} = subgroupMatrixLoad<Right, row_major>(
                right, ((${r}u * KERNEL_W + ${c}u) * STEP * 8u + ${s}u * 16u) * W_STRIDE + ${j}u * 16u, W_STRIDE);
#for i in DOWN
            sum_${i}_${j} = subgroupMatrixMultiplyAccumulate(a_${i+r}, b_${r}_${j}, sum_${i}_${j});
#end
#end
#end
        }
#end
#end
#end
        workgroupBarrier(); // before the next step takes its place
    }
    // Through workgroup memory, AT_ONCE lines of each part's at a time. All that is added is loaded before anything is written, behind which
    // the compiler may move no load.
    let drain_at = part * (AT_ONCE * 16u) * SUMS_STRIDE + beside * ACROSS * 16u;
#if LOOPS
    let floats = bufferView<array<f32, ${FLOATS}>>(&tile, 0);
#else
    let drained = bufferView<array<f32, ${SUMS_SPAN}>>(&tile, drain_at * 4u);
#end
#for q in ROUNDS
    {
#if LOOPS
        for (var m = 0u; m < AT_ONCE * ACROSS; m++) {
            for (var e = 0u; e < 8u; e++) {
                floats[drain_at + (m / ACROSS * 16u + thread / 2u) * SUMS_STRIDE + m % ACROSS * 16u + thread % 2u * 8u + e] =
                    sums[${q}u * AT_ONCE * ACROSS + m][e];
            }
        }
#else
#for i in AT_ONCE
#for j in ACROSS
        subgroupMatrixStore<row_major>(drained, ${i}u * 16u * SUMS_STRIDE + ${j}u * 16u, sum_${q*AT_ONCE+i}_${j}, SUMS_STRIDE);
#end
#end
#end
        workgroupBarrier();
#for n in OWN
        let at_${n} = lane + ${n}u * THREADS;
        let line_${n} = at_${n} / (TILE_OCTETS * 2u);
        let of_${n} = line_${n} / (AT_ONCE * 16u);
        let row_${n} = place.top + of_${n} / STRIPS * DOWN + ${q}u * AT_ONCE + line_${n} / 16u % AT_ONCE;
        let column_${n} = place.left + of_${n} % STRIPS * 16u + line_${n} % 16u;
        let block_${n} = group.x * TILE_OCTETS * 2u + at_${n} % (TILE_OCTETS * 2u);
        let place_${n} = (place.image * OUT_H + min(row_${n}, OUT_H - 1u)) * OUT_W + min(column_${n}, OUT_W - 1u);
        let own_${n} = finished(place_${n}, min(block_${n}, OUT_BLOCKS - 1u),
            own_bias + quads[line_${n} * SUMS_STRIDE / 4u + at_${n} % (TILE_OCTETS * 2u)]);
#end
#for n in OWN
        if (row_${n} < OUT_H && column_${n} < OUT_W && block_${n} < OUT_BLOCKS) {
            write_y(place_${n}, block_${n}, own_${n});
        }
#end
        workgroupBarrier();
    }
#end
}
