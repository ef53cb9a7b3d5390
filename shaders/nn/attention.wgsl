// softmax(SCALE * Q K^T + masks) V with an online softmax: scores never leave the workgroup (nn/kernels/attention.py has the papers).
// A row keeps `largest`, its largest score so far, and `total`, the sum of its weights exp(score - largest).
//
// Where CAUSAL, a row sees none but the keys before row + SEEN: what lies behind the last row's is not read.
//
// No score is below LOWEST but -inf, which has no weight; so a row whose total is 0 is masked everywhere.

const LOWEST = -3.4028234663852886e38;

// The first number of each matrix of a batch's item.
struct Place {
    q: u32, k: u32, v: u32, y: u32,
#for m in MASKS
    m${m}: u32,
#end
}

fn place_of(batch: u32) -> Place {
    var at: Place;
    at.q = Q_FIRST;
    at.k = K_FIRST;
    at.v = V_FIRST;
    at.y = Y_FIRST;
#for m in MASKS
    at.m${m} = M${m}_FIRST;
#end
    var rest = batch;
#for d in BATCH
    {
        let i = rest % BATCH_SIZE_${d};
        rest /= BATCH_SIZE_${d};
        at.q += i * Q_BATCH_${d};
        at.k += i * K_BATCH_${d};
        at.v += i * V_BATCH_${d};
        at.y += i * Y_BATCH_${d};
#for m in MASKS
        at.m${m} += i * M${m}_BATCH_${d};
#end
    }
#end
    return at;
}

// Four scores of a row, for the keys from `key` on; LOWEST past the last one.
fn scores_of(products: vec4<f32>, at: Place, row: u32, key: u32) -> vec4<f32> {
    var scores = vec4<f32>(LOWEST);
#for j in 4
    if (key + ${j}u < KEYS) {
        scores[${j}] = masked(products[${j}] * SCALE, at, row, key + ${j}u);
    }
#end
    return scores;
}

fn weights_of(scores: vec4<f32>, largest: f32, key: u32) -> vec4<f32> {
    let counts = (scores >= vec4<f32>(LOWEST)) | is_undefined(scores);
    let inside = key + vec4<u32>(0u, 1u, 2u, 3u) < vec4<u32>(KEYS);
    return select(vec4<f32>(0.0), exp(scores - largest), counts & inside);
}

fn largest_of(scores: vec4<f32>) -> f32 {
    return max(max(scores.x, scores.y), max(scores.z, scores.w));
}

fn total_of(weights: vec4<f32>) -> f32 {
    return weights.x + weights.y + weights.z + weights.w;
}

// By the bits: WGSL lets a compiler assume that there are no NaNs.
fn is_undefined(v: vec4<f32>) -> vec4<bool> {
    return (bitcast<vec4<u32>>(v) & vec4<u32>(0x7fffffffu)) > vec4<u32>(0x7f800000u);
}

// A row's result: `sums` of weighted values over the weights' total.
fn divided(sums: vec4<f32>, total: f32) -> vec4<f32> {
#if ZERO_UNDEFINED
    if (is_undefined(vec4<f32>(total)).x) {
        return vec4<f32>(0.0);
    }
#end
#if ZERO_MASKED
    let nothing = vec4<f32>(0.0);
#else
    var missing = vec4<u32>(0x7fc00000u); // not a constant expression, in which WGSL forbids NaN
    let nothing = bitcast<vec4<f32>>(missing);
#end
    return select(sums * (GAIN / total), nothing, total == 0.0);
}

#if MATRICES
// SUBGROUPS subgroups of 32 threads take 16 rows each, and 32 keys at a time, on matrices of 16 x 16. A matrix cannot be scaled row by row,
// so the scores are computed twice: first for the largest of each row, then for the weights. A row of scores is shared by two threads.
// Values' sums are 32-bit; queries, keys, values and weights are 16-bit, as they were stored.
var<workgroup> tile: buffer<${MEMORY}>;

#if LOOPS
#else
alias Left = subgroup_matrix_left<f16, 16, 16>;
alias Right = subgroup_matrix_right<f16, 16, 16>;
alias Sum = subgroup_matrix_result<f32, 16, 16>;
#end

@compute @workgroup_size(SUBGROUPS * 32u)
#if LOOPS
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let subgroup = lane / 32u;
#else
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32, @builtin(subgroup_id) subgroup: u32) {
#end
    let halves = bufferView<array<f16, ${HALVES}>>(&tile, 0);
    let staged = bufferView<array<vec4<f16>, ${FOURS}>>(&tile, 0);
    let floats = bufferView<array<f32, ${FLOATS}>>(&tile, 0);
    let quads = bufferView<array<vec4<f32>, ${QUADS}>>(&tile, 0);
    let item = min(group.y * WIDTH + group.x, COUNT - 1u);
    let first_row = item % ROW_TILES * HEIGHT;
    let at = place_of(item / ROW_TILES);
    let thread = lane % 32u;
    let own = subgroup * 16u + thread / 2u; // this thread's row of the tile
    let row = min(first_row + own, QUERIES - 1u);
    for (var n = lane; n < HEIGHT * HEAD_FOURS; n += SUBGROUPS * 32u) {
        let line = n / HEAD_FOURS;
        let block = n % HEAD_FOURS;
        var value = vec4<f32>(0.0);
        if (first_row + line < QUERIES && block < HEAD_BLOCKS) {
            value = load_q(at.q + (first_row + line) * Q_ROW, block);
        }
        staged[(Q_AT + line * Q_STRIDE) / 4u + block] = vec4<f16>(value);
    }
#if LOOPS
    var sums: array<f32, ${VALUE_SUMS}>;
#else
    workgroupBarrier();
#for t in HEAD_UNITS
    let q_${t} = subgroupMatrixLoad<Left, row_major>(halves, Q_AT + subgroup * 16u * Q_STRIDE + ${t}u * 16u, Q_STRIDE);
#end
#for t in VALUE_UNITS
    var sum_${t} = Sum();
#end
#end
#if CAUSAL
    let end = first_row + (HEIGHT - 1u + SEEN);
#else
    let end = KEYS;
#end
    var largest = LOWEST;
    var total = 0.0;
#for pass in 2
    for (var key = 0u; key < min(KEYS, end); key += 32u) {
        workgroupBarrier();
        for (var n = lane; n < 32u * HEAD_FOURS; n += SUBGROUPS * 32u) {
#if K_ACROSS
            let place = vec2<u32>(n % 32u, n / 32u);
#else
            let place = vec2<u32>(n / HEAD_FOURS, n % HEAD_FOURS);
#end
            var value = vec4<f32>(0.0);
            if (key + place.x < KEYS && place.y < HEAD_BLOCKS) {
                value = load_k(at.k + (key + place.x) * K_ROW, place.y);
            }
            staged[place.x * (K_STRIDE / 4u) + place.y] = vec4<f16>(value);
        }
#if pass
        for (var n = lane; n < 32u * VALUE_FOURS; n += SUBGROUPS * 32u) {
#if V_ACROSS
            let place = vec2<u32>(n % 32u, n / 32u);
#else
            let place = vec2<u32>(n / VALUE_FOURS, n % VALUE_FOURS);
#end
            var value = vec4<f32>(0.0);
            if (key + place.x < KEYS && place.y < VALUE_BLOCKS) {
                value = load_v(at.v + (key + place.x) * V_ROW, place.y);
            }
            staged[(V_AT + place.x * V_STRIDE) / 4u + place.y] = vec4<f16>(value);
        }
#end
        workgroupBarrier();
#for j in 2
#if LOOPS
        for (var e = 0u; e < 8u; e++) {
            let column = ${j}u * 16u + thread % 2u * 8u + e;
            var score = 0.0;
            for (var d = 0u; d < HEAD_UNITS * 16u; d++) {
                score += f32(halves[Q_AT + own * Q_STRIDE + d]) * f32(halves[column * K_STRIDE + d]);
            }
            floats[SCORES_AT + own * 36u + column] = score;
        }
#else
        {
            var score = Sum();
#for t in HEAD_UNITS
            score = subgroupMatrixMultiplyAccumulate(
                q_${t}, subgroupMatrixLoad<Right, col_major>(halves, ${j}u * 16u * K_STRIDE + ${t}u * 16u, K_STRIDE), score);
#end
            subgroupMatrixStore<row_major>(floats, SCORES_AT + subgroup * 576u + ${j}u * 16u, score, 36u);
        }
#end
#end
        workgroupBarrier();
#for f in 4
        {
            // The four threads of two rows read side by side.
            let four = ${f}u * 2u + thread % 2u;
            let scores = scores_of(quads[(SCORES_AT + own * 36u) / 4u + four], at, row, key + four * 4u);
#if pass
            let weights = weights_of(scores, largest, key + four * 4u);
            total += total_of(weights);
            staged[(WEIGHTS_AT + own * 40u) / 4u + four] = vec4<f16>(weights);
#else
            largest = max(largest, largest_of(scores));
#end
        }
#end
#if pass
        workgroupBarrier();
#for t in VALUE_UNITS
#if LOOPS
        for (var e = 0u; e < 8u; e++) {
            for (var k = 0u; k < 32u; k++) {
                let value = f32(halves[V_AT + k * V_STRIDE + ${t}u * 16u + thread % 2u * 8u + e]);
                sums[${t}u * 8u + e] += f32(halves[WEIGHTS_AT + own * 40u + k]) * value;
            }
        }
#else
#for j in 2
        sum_${t} = subgroupMatrixMultiplyAccumulate(
            subgroupMatrixLoad<Left, row_major>(halves, WEIGHTS_AT + subgroup * 640u + ${j}u * 16u, 40u),
            subgroupMatrixLoad<Right, row_major>(halves, V_AT + ${j}u * 16u * V_STRIDE + ${t}u * 16u, V_STRIDE), sum_${t});
#end
#end
#end
#end
    }
    // What the two threads of a row have.
#if pass
    floats[SHARED_AT + lane] = total;
    workgroupBarrier();
    total += floats[SHARED_AT + (lane ^ 1u)];
#else
    floats[SHARED_AT + lane] = largest;
    workgroupBarrier();
    largest = max(largest, floats[SHARED_AT + (lane ^ 1u)]);
#end
#end
    workgroupBarrier();
#for t in VALUE_UNITS
#if LOOPS
    for (var e = 0u; e < 8u; e++) {
        floats[own * RESULT_STRIDE + ${t}u * 16u + thread % 2u * 8u + e] = sums[${t}u * 8u + e];
    }
#else
    subgroupMatrixStore<row_major>(floats, subgroup * 16u * RESULT_STRIDE + ${t}u * 16u, sum_${t}, RESULT_STRIDE);
#end
#end
    workgroupBarrier();
    if (first_row + own < QUERIES) {
        for (var block = thread % 2u; block < VALUE_BLOCKS; block += 2u) {
            store_y(at.y + (first_row + own) * Y_ROW, block, divided(quads[own * (RESULT_STRIDE / 4u) + block], total));
        }
    }
}
#else
#if TILED
// 64 threads, 8 across by 8 down, take HEIGHT rows. Of 32 keys at a time, a thread has the scores of ROWS rows (8 apart) by 4 keys
// (side by side); then, of 8 vec4s of values at a time, one vec4 for each of its rows.
// Tiles have 33 or HEIGHT + 1 vec4s a line, so that threads side by side write to different banks.
var<workgroup> tile_q: array<vec4<f32>, Q_TILE>;
var<workgroup> tile_k: array<vec4<f32>, 264>; // keys, then values
var<workgroup> tile_weights: array<vec4<f32>, HEIGHT * 8u>;
var<workgroup> shared_rows: array<f32, HEIGHT * 8u>;

fn stage_q(n: u32, first: u32, base: u32, blocks: u32, row_of_tile: u32) {
    let row = n / blocks;
    let block = n % blocks;
    var value = vec4<f32>(0.0);
    if (row_of_tile + row < QUERIES && first + block < HEAD_BLOCKS) {
        value = load_q(base + (row_of_tile + row) * Q_ROW, first + block);
    }
    tile_q[block * (HEIGHT + 1u) + row] = value;
}

// Where in a tile of 32 keys by 8 vec4s the n-th of its loads is: threads side by side read numbers side by side.
fn key_place(n: u32) -> vec2<u32> {
#if K_ACROSS
    return vec2<u32>(n % 32u, n / 32u);
#else
    return vec2<u32>(n / 8u, n % 8u);
#end
}

fn value_place(n: u32) -> vec2<u32> {
#if V_ACROSS
    return vec2<u32>(n % 32u, n / 32u);
#else
    return vec2<u32>(n / 8u, n % 8u);
#end
}

// The n-th load of the tile that begins at `key` and vec4 `chunk`; zeros past the end.
fn fetch_key(n: u32, base: u32, key: u32, chunk: u32) -> vec4<f32> {
    let place = vec2<u32>(key, chunk) + key_place(n);
    if (place.x >= KEYS || place.y >= HEAD_BLOCKS) {
        return vec4<f32>(0.0);
    }
    return load_k(base + place.x * K_ROW, place.y);
}

fn fetch_value(n: u32, base: u32, key: u32, chunk: u32) -> vec4<f32> {
    let place = vec2<u32>(key, chunk) + value_place(n);
    if (place.x >= KEYS || place.y >= VALUE_BLOCKS) {
        return vec4<f32>(0.0);
    }
    return load_v(base + place.x * V_ROW, place.y);
}

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let item = min(group.y * WIDTH + group.x, COUNT - 1u);
    let first_row = item % ROW_TILES * HEIGHT;
    let at = place_of(item / ROW_TILES);
    let across = lane % 8u;
    let down = lane / 8u;
#for i in ROWS
    var largest_${i} = LOWEST;
    var total_${i} = 0.0; // of this thread's keys
#for c in CHUNKS
    var sum_${i}_${c} = vec4<f32>(0.0);
#end
#end
#if RESIDENT
    for (var n = lane; n < HEAD_BLOCKS * HEIGHT; n += 64u) {
        stage_q(n, 0u, at.q, HEAD_BLOCKS, first_row);
    }
#end
#if CAUSAL
    let end = first_row + (HEIGHT - 1u + SEEN);
#else
    let end = KEYS;
#end
    // The next tile is on its way while the present one is multiplied.
#for l in 4
    var next_${l} = fetch_key(lane + ${l}u * 64u, at.k, 0u, 0u);
#end
    for (var key = 0u; key < min(KEYS, end); key += 32u) {
#for i in ROWS
        var score_${i} = vec4<f32>(0.0);
#end
        for (var chunk = 0u; chunk < HEAD_BLOCKS; chunk += 8u) {
            workgroupBarrier();
#for l in 4
            {
                let place = key_place(lane + ${l}u * 64u);
                tile_k[place.y * 33u + place.x % 4u * 8u + place.x / 4u] = next_${l};
            }
#end
#if RESIDENT
            let q_base = chunk;
#else
#for l in ROWS
            stage_q(lane + ${l}u * 64u, chunk, at.q, 8u, first_row);
#end
            let q_base = 0u;
#end
            workgroupBarrier();
            if (chunk + 8u < HEAD_BLOCKS) {
#for l in 4
                next_${l} = fetch_key(lane + ${l}u * 64u, at.k, key, chunk + 8u);
#end
            } else {
#for l in 4
                next_${l} = fetch_value(lane + ${l}u * 64u, at.v, key, 0u);
#end
            }
            for (var step = 0u; step < min(8u, HEAD_BLOCKS - chunk); step += UNROLL) {
#for u in UNROLL
                {
#for j in 4
                    let k_${j} = tile_k[(step + ${u}u) * 33u + ${j}u * 8u + across];
#end
#for i in ROWS
                    let q_${i} = tile_q[(q_base + step + ${u}u) * (HEIGHT + 1u) + down + ${i}u * 8u];
                    score_${i} += vec4<f32>(dot(q_${i}, k_0), dot(q_${i}, k_1), dot(q_${i}, k_2), dot(q_${i}, k_3));
#end
                }
#end
            }
        }
        let own_key = key + across * 4u;
#for i in ROWS
        score_${i} = scores_of(score_${i}, at, min(first_row + down + ${i}u * 8u, QUERIES - 1u), own_key);
        shared_rows[(down + ${i}u * 8u) * 8u + across] = largest_of(score_${i});
#end
        workgroupBarrier();
#for i in ROWS
        {
            var largest = largest_${i};
#for t in 8
            largest = max(largest, shared_rows[(down + ${i}u * 8u) * 8u + ${t}u]);
#end
            let factor = exp(largest_${i} - largest);
            let weights = weights_of(score_${i}, largest, own_key);
            tile_weights[(down + ${i}u * 8u) * 8u + across] = weights;
            total_${i} = total_${i} * factor + total_of(weights);
            largest_${i} = largest;
#for c in CHUNKS
            sum_${i}_${c} *= factor;
#end
        }
#end
#for c in CHUNKS
        workgroupBarrier();
#for l in 4
        {
            let place = value_place(lane + ${l}u * 64u);
            tile_k[place.x * 8u + place.y] = next_${l};
        }
#end
        workgroupBarrier();
        if (${c}u + 1u < CHUNKS) {
#for l in 4
            next_${l} = fetch_value(lane + ${l}u * 64u, at.v, key, ${c}u * 8u + 8u);
#end
        } else {
#for l in 4
            next_${l} = fetch_key(lane + ${l}u * 64u, at.k, key + 32u, 0u);
#end
        }
        for (var four = 0u; four < 8u; four++) {
#for j in 4
            let v_${j} = tile_k[(four * 4u + ${j}u) * 8u + across];
#end
#for i in ROWS
            let w_${i} = tile_weights[(down + ${i}u * 8u) * 8u + four];
            sum_${i}_${c} += w_${i}.x * v_0 + w_${i}.y * v_1 + w_${i}.z * v_2 + w_${i}.w * v_3;
#end
        }
#end
    }
#for i in ROWS
    shared_rows[(down + ${i}u * 8u) * 8u + across] = total_${i};
#end
    workgroupBarrier();
#for i in ROWS
    {
        let row = first_row + down + ${i}u * 8u;
        var total = 0.0;
#for t in 8
        total += shared_rows[(down + ${i}u * 8u) * 8u + ${t}u];
#end
#for c in CHUNKS
        if (row < QUERIES && ${c}u * 8u + across < VALUE_BLOCKS) {
            store_y(at.y + row * Y_ROW, ${c}u * 8u + across, divided(sum_${i}_${c}, total));
        }
#end
    }
#end
}
#else
// A thread takes ROWS rows, and 4 keys at a time: for adapters that compute on the CPU, where workgroup memory is no faster.
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let item = id.y * WIDTH + id.x;
    if (item >= COUNT) {
        return;
    }
    let first_row = item % ROW_TILES * ROWS;
    let at = place_of(item / ROW_TILES);
    var q: array<vec4<f32>, HEAD_BLOCKS * ROWS>;
    var sum: array<vec4<f32>, VALUE_BLOCKS * ROWS>;
#for i in ROWS
    let row_${i} = min(first_row + ${i}u, QUERIES - 1u);
    var largest_${i} = LOWEST;
    var total_${i} = 0.0;
    for (var b = 0u; b < HEAD_BLOCKS; b++) {
        q[b * ROWS + ${i}u] = load_q(at.q + row_${i} * Q_ROW, b);
    }
    for (var b = 0u; b < VALUE_BLOCKS; b++) {
        sum[b * ROWS + ${i}u] = vec4<f32>(0.0);
    }
#end
#if CAUSAL
    let end = first_row + (HEIGHT - 1u + SEEN);
#else
    let end = KEYS;
#end
    for (var key = 0u; key < min(KEYS, end); key += 4u) {
#for i in ROWS
        var score_${i} = vec4<f32>(0.0);
#end
#for j in 4
        let key_${j} = min(key + ${j}u, KEYS - 1u);
#end
        for (var b = 0u; b < HEAD_BLOCKS; b++) {
#for j in 4
            let k_${j} = load_k(at.k + key_${j} * K_ROW, b);
#end
#for i in ROWS
            let q_${i} = q[b * ROWS + ${i}u];
            score_${i} += vec4<f32>(dot(q_${i}, k_0), dot(q_${i}, k_1), dot(q_${i}, k_2), dot(q_${i}, k_3));
#end
        }
#for i in ROWS
        score_${i} = scores_of(score_${i}, at, row_${i}, key);
        let larger_${i} = max(largest_${i}, largest_of(score_${i}));
        let factor_${i} = exp(largest_${i} - larger_${i});
        let w_${i} = weights_of(score_${i}, larger_${i}, key);
        total_${i} = total_${i} * factor_${i} + total_of(w_${i});
        largest_${i} = larger_${i};
#end
        for (var b = 0u; b < VALUE_BLOCKS; b++) {
#for j in 4
            let v_${j} = select(vec4<f32>(0.0), load_v(at.v + key_${j} * V_ROW, b), key + ${j}u < KEYS);
#end
#for i in ROWS
            sum[b * ROWS + ${i}u] = sum[b * ROWS + ${i}u] * factor_${i}
                + (w_${i}.x * v_0 + w_${i}.y * v_1 + w_${i}.z * v_2 + w_${i}.w * v_3);
#end
        }
    }
#for i in ROWS
    if (first_row + ${i}u < QUERIES) {
        for (var b = 0u; b < VALUE_BLOCKS; b++) {
            store_y(at.y + row_${i} * Y_ROW, b, divided(sum[b * ROWS + ${i}u], total_${i}));
        }
    }
#end
}
#end
#end
