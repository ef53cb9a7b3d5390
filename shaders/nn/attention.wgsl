// softmax(SCALE * Q K^T + masks) V with an online softmax: scores never leave the workgroup (nn/kernels/attention.py has the papers).
// A row keeps `largest`, its largest score so far, and `total`, the sum of its weights exp(score - largest).
//
// Where CAUSAL, a row sees none but the keys before row + SEEN: what lies behind the last row's is not used.
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

// Four scores of a row, of products that are scaled already where PACKED, for the keys from `key` on. Past the last key they have no weight.
fn scores_of(products: vec4<f32>, at: Place, row: u32, key: u32) -> vec4<f32> {
#if PLAIN
#if PACKED
    let scores = products;
#else
    let scores = products * SCALE;
#end
#if EVEN
    return scores;
#else
    var least = 0xff800000u; // not a constant expression, in which WGSL forbids infinities
    return select(vec4<f32>(bitcast<f32>(least)), scores, key + vec4<u32>(0u, 1u, 2u, 3u) < vec4<u32>(KEYS));
#end
#else
    var scores = vec4<f32>(LOWEST);
#for j in 4
    if (key + ${j}u < KEYS) {
#if PACKED
        scores[${j}] = masked(products[${j}], at, row, key + ${j}u);
#else
        scores[${j}] = masked(products[${j}] * SCALE, at, row, key + ${j}u);
#end
    }
#end
    return scores;
#end
}

// Where PLAIN, of exponents to the base 2, and -inf has no weight by itself; not so on llvmpipe.
fn power(exponent: f32) -> f32 {
#if PLAIN
    return exp2(exponent);
#else
    return exp(exponent);
#end
}

fn weights_of(scores: vec4<f32>, largest: f32, key: u32) -> vec4<f32> {
#if PLAIN
    return exp2(scores - largest);
#else
    let counts = (scores >= vec4<f32>(LOWEST)) | is_undefined(scores);
    let inside = key + vec4<u32>(0u, 1u, 2u, 3u) < vec4<u32>(KEYS);
    return select(vec4<f32>(0.0), exp(scores - largest), counts & inside);
#end
}

fn largest_of(scores: vec4<f32>) -> f32 {
    return max(max(scores.x, scores.y), max(scores.z, scores.w));
}

fn add_product(sum: f32, a: vec4<f32>, b: vec4<f32>) -> f32 {
    return fma(a.w, b.w, fma(a.z, b.z, fma(a.y, b.y, fma(a.x, b.x, sum))));
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
// SHARES subgroups of 32 threads take 16 rows, and TILE_KEYS keys at a time, on matrices of 16 x 16: each a part of the keys, then of the
// numbers of a value. A row of scores, its weights and its sums belong to ROW_THREADS threads side by side. A matrix cannot be scaled row by row: what a tile of values adds up to leaves the matrices through workgroup
// memory, and the threads of a row add it to what they have. Sums are 32-bit; queries, keys, values and weights are 16-bit, as stored.
// 32 rows for each subgroup, a thread with a row of its own, read keys and values half as often and took 1.2 to 1.4 times as long on an H100.
// Each subgroup has views of its own, so that all places of matrices in them are constants (conv_matrix.wgsl says what hangs on that).
var<workgroup> tile: buffer<${MEMORY}>;

#if LOOPS
#else
alias Left = subgroup_matrix_left<f16, 16, 16>;
alias Right = subgroup_matrix_right<f16, 16, 16>;
alias Sum = subgroup_matrix_result<f32, 16, 16>;
#end

fn key_place(n: u32) -> vec2<u32> {
#if K_ACROSS
    return vec2<u32>(n % TILE_KEYS, min(n / TILE_KEYS, HEAD_BLOCKS - 1u));
#else
    return vec2<u32>(n / HEAD_BLOCKS, n % HEAD_BLOCKS);
#end
}

fn value_place(n: u32) -> vec2<u32> {
#if V_ACROSS
    return vec2<u32>(n % TILE_KEYS, min(n / TILE_KEYS, VALUE_BLOCKS - 1u));
#else
    return vec2<u32>(n / VALUE_BLOCKS, n % VALUE_BLOCKS);
#end
}

// The n-th load of the tile that begins at `key`. Past the end the last key stands in, whose scores are not used, and its value, which is
// not staged. No load is in a branch, at whose end it would be waited for.
fn fetch_key(n: u32, base: u32, key: u32) -> vec4<f16> {
    let place = key_place(n);
    return load_k(base + min(key + place.x, KEYS - 1u) * K_ROW, place.y);
}

fn fetch_value(n: u32, base: u32, key: u32) -> vec4<f16> {
    let place = value_place(n);
    return load_v(base + min(key + place.x, KEYS - 1u) * V_ROW, place.y);
}

@compute @workgroup_size(THREADS)
#if LOOPS
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let subgroup = lane / 32u;
#else
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32, @builtin(subgroup_id) subgroup: u32) {
#end
    let staged = bufferView<array<vec4<f16>, ${FOURS}>>(&tile, 0);
    let floats = bufferView<array<f32, ${FLOATS}>>(&tile, 0);
    let quads = bufferView<array<vec4<f32>, ${QUADS}>>(&tile, 0);
#if LOOPS
    let halves = bufferView<array<f16, ${HALVES}>>(&tile, 0);
#else
    let lines = subgroup / SHARES * 16u;
    let share = subgroup % SHARES;
    let own_queries = bufferView<array<f16, ${Q_SPAN}>>(&tile, (Q_AT + lines * Q_STRIDE) * 2u);
    let own_keys = bufferView<array<f16, ${K_SPAN}>>(&tile, share * (KEY_UNITS * 16u * K_STRIDE) * 2u);
    let own_values = bufferView<array<f16, ${V_SPAN}>>(&tile, (V_AT + share * (VALUE_UNITS * 16u)) * 2u);
    let own_scores = bufferView<array<f32, ${S_SPAN}>>(&tile, (SCORES_AT + lines * S_STRIDE + share * (KEY_UNITS * 16u)) * 4u);
    let own_added = bufferView<array<f32, ${A_SPAN}>>(&tile, (SCORES_AT + lines * S_STRIDE + share * (VALUE_UNITS * 16u)) * 4u);
    let own_weights = bufferView<array<f16, ${W_SPAN}>>(&tile, (WEIGHTS_AT + lines * W_STRIDE) * 2u);
#end
    let item = min(group.y * WIDTH + group.x, COUNT - 1u);
    let first_row = item % ROW_TILES * HEIGHT;
    let at = place_of(item / ROW_TILES);
    let own = lane / ROW_THREADS; // this thread's row of the tile, with those beside it
    let part = lane % ROW_THREADS;
    let row = min(first_row + own, QUERIES - 1u);
#if CAUSAL
    let end = first_row + (HEIGHT - 1u + SEEN);
#else
    let end = KEYS;
#end
    for (var n = lane; n < HEIGHT * HEAD_FOURS; n += THREADS) {
        let line = n / HEAD_FOURS;
        let block = n % HEAD_FOURS;
        var value = vec4<f16>();
        if (first_row + line < QUERIES && block < HEAD_BLOCKS) {
            value = load_q(at.q + (first_row + line) * Q_ROW, block);
        }
        staged[(Q_AT + line * Q_STRIDE) / 4u + block] = value;
    }
    // What fills a head's last matrix up.
    for (var n = lane; n < FILL; n += THREADS) {
        staged[n % TILE_KEYS * (K_STRIDE / 4u) + HEAD_BLOCKS + n / TILE_KEYS] = vec4<f16>();
    }
#for l in LOADS_K
    var key_${l} = fetch_key(lane + ${l}u * THREADS, at.k, 0u);
#end
#for l in LOADS_V
    var value_${l} = fetch_value(lane + ${l}u * THREADS, at.v, 0u);
#end
    workgroupBarrier();
#if LOOPS
#else
#for t in HEAD_UNITS
    let q_${t} = subgroupMatrixLoad<Left, row_major>(own_queries, ${t}u * 16u, Q_STRIDE);
#end
#end
#for b in OWN_FOURS
    var sum_${b} = vec4<f32>(0.0);
#end
    var largest = LOWEST;
    var total = 0.0; // of this thread's part of the keys
    for (var key = 0u; key < min(KEYS, end); key += TILE_KEYS) {
#for l in LOADS_K
        if (lane + ${l}u * THREADS < TILE_KEYS * HEAD_BLOCKS) {
            let place = key_place(lane + ${l}u * THREADS);
            staged[place.x * (K_STRIDE / 4u) + place.y] = key_${l};
        }
#end
#for l in LOADS_V
        if (lane + ${l}u * THREADS < TILE_KEYS * VALUE_BLOCKS) {
            let place = value_place(lane + ${l}u * THREADS);
#if EVEN
            staged[V_AT / 4u + place.x * (V_STRIDE / 4u) + place.y] = value_${l};
#else
            // Zeros past the end: an infinite value times zero would be none.
            let inside = vec4<bool>(key + place.x < KEYS);
            staged[V_AT / 4u + place.x * (V_STRIDE / 4u) + place.y] = select(vec4<f16>(), value_${l}, inside);
#end
        }
#end
        workgroupBarrier();
#if SEVERAL
        // The next tile is on its way while the present one is multiplied, and an unused one behind the last.
#for l in LOADS_K
        key_${l} = fetch_key(lane + ${l}u * THREADS, at.k, key + TILE_KEYS);
#end
#for l in LOADS_V
        value_${l} = fetch_value(lane + ${l}u * THREADS, at.v, key + TILE_KEYS);
#end
#end
#if LOOPS
        for (var e = part; e < TILE_KEYS; e += ROW_THREADS) {
            var score = 0.0;
            for (var d = 0u; d < HEAD_UNITS * 16u; d++) {
                score += f32(halves[Q_AT + own * Q_STRIDE + d]) * f32(halves[e * K_STRIDE + d]);
            }
            floats[SCORES_AT + own * S_STRIDE + e] = score;
        }
#else
#for j in KEY_UNITS
        {
            var score = Sum();
#for t in HEAD_UNITS
            score = subgroupMatrixMultiplyAccumulate(
                q_${t}, subgroupMatrixLoad<Right, col_major>(own_keys, ${j}u * 16u * K_STRIDE + ${t}u * 16u, K_STRIDE), score);
#end
            subgroupMatrixStore<row_major>(own_scores, ${j}u * 16u, score, S_STRIDE);
        }
#end
#end
        workgroupBarrier();
        var top = largest;
#for f in KEY_FOURS
        // Threads side by side read side by side.
        let scores_${f} = scores_of(quads[(SCORES_AT + own * S_STRIDE) / 4u + ${f}u * ROW_THREADS + part], at, row, key + (${f}u * ROW_THREADS + part) * 4u);
        top = max(top, largest_of(scores_${f}));
#end
#if LOOPS
        floats[SHARED_AT + lane] = top;
        workgroupBarrier();
#for i in ROW_THREADS
        top = max(top, floats[SHARED_AT + own * ROW_THREADS + ${i}u]);
#end
#else
#for i in EXCHANGES
        top = max(top, subgroupShuffleXor(top, 1u << ${i}u));
#end
#end
        let factor = power(largest - top);
        largest = top;
        total *= factor;
#for f in KEY_FOURS
        {
            let weights = weights_of(scores_${f}, top, key + (${f}u * ROW_THREADS + part) * 4u);
            total += total_of(weights);
            staged[(WEIGHTS_AT + own * W_STRIDE) / 4u + ${f}u * ROW_THREADS + part] = vec4<f16>(weights);
        }
#end
        workgroupBarrier();
#if LOOPS
        for (var e = part; e < ROW_FOURS * 4u; e += ROW_THREADS) {
            var added = 0.0;
            for (var k = 0u; k < TILE_KEYS; k++) {
                added += f32(halves[WEIGHTS_AT + own * W_STRIDE + k]) * f32(halves[V_AT + k * V_STRIDE + e]);
            }
            floats[SCORES_AT + own * S_STRIDE + e] = added;
        }
#else
#for j in ALL_KEY_UNITS
        let w_${j} = subgroupMatrixLoad<Left, row_major>(own_weights, ${j}u * 16u, W_STRIDE);
#end
#for t in VALUE_UNITS
        {
            var added = Sum();
#for j in ALL_KEY_UNITS
            added = subgroupMatrixMultiplyAccumulate(
                w_${j}, subgroupMatrixLoad<Right, row_major>(own_values, ${j}u * 16u * V_STRIDE + ${t}u * 16u, V_STRIDE), added);
#end
            subgroupMatrixStore<row_major>(own_added, ${t}u * 16u, added, S_STRIDE);
        }
#end
#end
        workgroupBarrier();
#for b in OWN_FOURS
        sum_${b} = sum_${b} * factor + quads[(SCORES_AT + own * S_STRIDE) / 4u + ${b}u * ROW_THREADS + part];
#end
    }
#if LOOPS
    floats[SHARED_AT + lane] = total;
    workgroupBarrier();
    total = 0.0;
#for i in ROW_THREADS
    total += floats[SHARED_AT + own * ROW_THREADS + ${i}u];
#end
#else
#for i in EXCHANGES
    total += subgroupShuffleXor(total, 1u << ${i}u);
#end
#end
    if (first_row + own < QUERIES) {
#for b in OWN_FOURS
        if (${b}u * ROW_THREADS + part < VALUE_BLOCKS) {
            store_y(at.y + (first_row + own) * Y_ROW, ${b}u * ROW_THREADS + part, divided(sum_${b}, total));
        }
#end
    }
}
#else
#if PACKED
// Products of 16-bit floats, two an instruction: of scores the sums over TURN vec4s of a head, of values those over VALUE_TURN x 4 keys; all
// else is 32-bit. ACROSS x DOWN threads take HEIGHT rows, and TILE_KEYS = 4 x ACROSS keys at a time: a thread has the scores of ROWS rows (DOWN
// apart) by 4 keys, then one vec4 of values for each of its rows, ACROSS of them at a time (CHUNKS times).
var<workgroup> tile_q: array<vec4<f16>, HEAD_BLOCKS * (HEIGHT + 1u)>;
var<workgroup> tile_k: array<vec4<f16>, STAGED>; // keys, then values
var<workgroup> tile_weights: array<vec4<f16>, HEIGHT * ACROSS>;
var<workgroup> shared_rows: array<f32, HEIGHT * ACROSS>;

fn key_place(n: u32) -> vec2<u32> {
#if K_ACROSS
    return vec2<u32>(n % TILE_KEYS, n / TILE_KEYS);
#else
    return vec2<u32>(n / HEAD_BLOCKS, n % HEAD_BLOCKS);
#end
}

fn value_place(n: u32) -> vec2<u32> {
#if V_ACROSS
    return vec2<u32>(n % TILE_KEYS, n / TILE_KEYS);
#else
    return vec2<u32>(n / ACROSS, n % ACROSS);
#end
}

// The n-th load of the tile that begins at `key` and, of values, vec4 `first`. Past the end other numbers stand in, whose weight is zero.
fn fetch_key(n: u32, base: u32, key: u32) -> vec4<f16> {
    let place = key_place(n);
    return load_k(base + min(key + place.x, KEYS - 1u) * K_ROW, min(place.y, HEAD_BLOCKS - 1u));
}

fn fetch_value(n: u32, base: u32, key: u32, first: u32) -> vec4<f16> {
    let place = value_place(n);
    if (key + place.x >= KEYS) {
        return vec4<f16>(); // an infinite value times zero would be none
    }
    return load_v(base + (key + place.x) * V_ROW, min(first + place.y, VALUE_BLOCKS - 1u));
}

@compute @workgroup_size(THREADS)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let item = min(group.y * WIDTH + group.x, COUNT - 1u);
    let first_row = item % ROW_TILES * HEIGHT;
    let at = place_of(item / ROW_TILES);
    let across = lane % ACROSS;
    let down = lane / ACROSS;
#for i in ROWS
    var largest_${i} = LOWEST;
    var total_${i} = 0.0; // of this thread's keys
#for c in CHUNKS
    var sum_${i}_${c} = vec4<f32>(0.0);
#end
#end
    // Scaled before they are multiplied, so that sums stay far from the end of 16 bits.
    for (var n = lane; n < HEAD_BLOCKS * HEIGHT; n += THREADS) {
        let line = n / HEAD_BLOCKS;
        let block = n % HEAD_BLOCKS;
        tile_q[block * (HEIGHT + 1u) + line] = vec4<f16>(vec4<f32>(load_q(at.q + min(first_row + line, QUERIES - 1u) * Q_ROW, block)) * SCALE);
    }
#if CAUSAL
    let end = first_row + (HEIGHT - 1u + SEEN);
#else
    let end = KEYS;
#end
    // The next tile is on its way while the present one is multiplied.
#for l in LOADS_K
    var key_${l} = fetch_key(lane + ${l}u * THREADS, at.k, 0u);
#end
#for l in LOADS_V
    var value_${l} = vec4<f16>();
#end
    for (var key = 0u; key < min(KEYS, end); key += TILE_KEYS) {
        workgroupBarrier();
#for l in LOADS_K
        if (lane + ${l}u * THREADS < TILE_KEYS * HEAD_BLOCKS) {
            let place = key_place(lane + ${l}u * THREADS);
            tile_k[(place.y * 4u + place.x % 4u) * ACROSS + place.x / 4u] = key_${l};
        }
#end
        workgroupBarrier();
#for l in LOADS_V
        value_${l} = fetch_value(lane + ${l}u * THREADS, at.v, key, 0u);
#end
#for i in ROWS
        var score_${i} = vec4<f32>(0.0);
#end
#for t in TURNS
        {
#for i in ROWS
#for j in 4
            var part_${i}_${j} = vec2<f16>();
#end
#end
#for s in TURN
#for j in 4
            let k_${s}_${j} = tile_k[((${t}u * TURN + ${s}u) * 4u + ${j}u) * ACROSS + across];
#end
#for i in ROWS
            let q_${s}_${i} = tile_q[(${t}u * TURN + ${s}u) * (HEIGHT + 1u) + down + ${i}u * DOWN];
#for j in 4
            part_${i}_${j} = fma(q_${s}_${i}.zw, k_${s}_${j}.zw, fma(q_${s}_${i}.xy, k_${s}_${j}.xy, part_${i}_${j}));
#end
#end
#end
#for i in ROWS
            score_${i} += vec4<f32>(vec4<f16>(part_${i}_0.x, part_${i}_1.x, part_${i}_2.x, part_${i}_3.x));
            score_${i} += vec4<f32>(vec4<f16>(part_${i}_0.y, part_${i}_1.y, part_${i}_2.y, part_${i}_3.y));
#end
        }
#end
        let own_key = key + across * 4u;
#for i in ROWS
        score_${i} = scores_of(score_${i}, at, min(first_row + down + ${i}u * DOWN, QUERIES - 1u), own_key);
        shared_rows[(down + ${i}u * DOWN) * ACROSS + across] = largest_of(score_${i});
#end
        workgroupBarrier();
#for i in ROWS
        {
            var largest = largest_${i};
#for t in ACROSS
            largest = max(largest, shared_rows[(down + ${i}u * DOWN) * ACROSS + ${t}u]);
#end
            let factor = power(largest_${i} - largest);
            let weights = weights_of(score_${i}, largest, own_key);
            tile_weights[(down + ${i}u * DOWN) * ACROSS + across] = vec4<f16>(weights);
            total_${i} = total_${i} * factor + total_of(weights);
            largest_${i} = largest;
#for c in CHUNKS
            sum_${i}_${c} *= factor;
#end
        }
#end
#for c in CHUNKS
        workgroupBarrier();
#for l in LOADS_V
        if (lane + ${l}u * THREADS < TILE_KEYS * ACROSS) {
            let place = value_place(lane + ${l}u * THREADS);
            tile_k[place.x * ACROSS + place.y] = value_${l};
        }
#end
        workgroupBarrier();
        if (${c}u + 1u < CHUNKS) {
#for l in LOADS_V
            value_${l} = fetch_value(lane + ${l}u * THREADS, at.v, key, (${c}u + 1u) * ACROSS);
#end
        } else {
#for l in LOADS_K
            key_${l} = fetch_key(lane + ${l}u * THREADS, at.k, key + TILE_KEYS);
#end
        }
#for t in VALUE_TURNS
#if EVEN
        {
#else
        if (key + ${t}u * (VALUE_TURN * 4u) < KEYS) { // else there are no more
#end
#for i in ROWS
            var added_${i} = vec4<f16>();
#end
#for s in VALUE_TURN
#for j in 4
            let v_${s}_${j} = tile_k[((${t}u * VALUE_TURN + ${s}u) * 4u + ${j}u) * ACROSS + across];
#end
#for i in ROWS
            let w_${s}_${i} = tile_weights[(down + ${i}u * DOWN) * ACROSS + ${t}u * VALUE_TURN + ${s}u];
            added_${i} = fma(vec4<f16>(w_${s}_${i}.x), v_${s}_0, added_${i});
            added_${i} = fma(vec4<f16>(w_${s}_${i}.y), v_${s}_1, added_${i});
            added_${i} = fma(vec4<f16>(w_${s}_${i}.z), v_${s}_2, added_${i});
            added_${i} = fma(vec4<f16>(w_${s}_${i}.w), v_${s}_3, added_${i});
#end
#end
#for i in ROWS
            sum_${i}_${c} += vec4<f32>(added_${i});
#end
        }
#end
#end
    }
#for i in ROWS
    shared_rows[(down + ${i}u * DOWN) * ACROSS + across] = total_${i};
#end
    workgroupBarrier();
#for i in ROWS
    {
        let row = first_row + down + ${i}u * DOWN;
        var total = 0.0;
#for t in ACROSS
        total += shared_rows[(down + ${i}u * DOWN) * ACROSS + ${t}u];
#end
#for c in CHUNKS
        if (row < QUERIES && ${c}u * ACROSS + across < VALUE_BLOCKS) {
            store_y(at.y + row * Y_ROW, ${c}u * ACROSS + across, divided(sum_${i}_${c}, total));
        }
#end
    }
#end
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
#for j in 4
                    score_${i}[${j}] = add_product(score_${i}[${j}], q_${i}, k_${j});
#end
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
            let factor = power(largest_${i} - largest);
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
#for j in 4
            sum_${i}_${c} = fma(vec4<f32>(w_${i}[${j}]), v_${j}, sum_${i}_${c});
#end
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
    var own_q: array<vec4<f32>, HEAD_BLOCKS * ROWS>;
    var sum: array<vec4<f32>, VALUE_BLOCKS * ROWS>;
#for i in ROWS
    let row_${i} = min(first_row + ${i}u, QUERIES - 1u);
    var largest_${i} = LOWEST;
    var total_${i} = 0.0;
    for (var b = 0u; b < HEAD_BLOCKS; b++) {
        own_q[b * ROWS + ${i}u] = load_q(at.q + row_${i} * Q_ROW, b);
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
            let q_${i} = own_q[b * ROWS + ${i}u];
            score_${i} += vec4<f32>(dot(q_${i}, k_0), dot(q_${i}, k_1), dot(q_${i}, k_2), dot(q_${i}, k_3));
#end
        }
#for i in ROWS
        score_${i} = scores_of(score_${i}, at, row_${i}, key);
        let larger_${i} = max(largest_${i}, largest_of(score_${i}));
        let factor_${i} = power(largest_${i} - larger_${i});
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
#end
