// A batch of matrix products over strided operands. `Number`, `load_a`, `load_b` and `done` (scale, bias, storage) are the operator's.

fn a_base(batch: u32) -> u32 {
    var rest = batch;
    var base = A_FIRST;
#for d in BATCH
    base += rest % BATCH_SIZE_${d} * A_BATCH_${d};
    rest /= BATCH_SIZE_${d};
#end
    return base;
}

fn b_base(batch: u32) -> u32 {
    var rest = batch;
    var base = B_FIRST;
#for d in BATCH
    base += rest % BATCH_SIZE_${d} * B_BATCH_${d};
    rest /= BATCH_SIZE_${d};
#end
    return base;
}

#if TILED
// A workgroup computes TILE x TILE results, a thread SIDE x SIDE of them, 16 steps of depth at a time. SHARED: workgroups in z have PART of
// the depth each, and write products of their own.
const TILE = 16u * SIDE;
var<workgroup> tile_a: array<Number, TILE * 16u>;
var<workgroup> tile_b: array<Number, TILE * 16u>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
#if SHARED
    let left = a_base(group.z % BATCHES);
    let right = b_base(group.z % BATCHES);
    let first = group.z / BATCHES * PART;
#else
    let left = a_base(group.z);
    let right = b_base(group.z);
    let first = 0u;
#end
    let across = lane % 16u;
    let down = lane / 16u;
#for i in SIDE
#for j in SIDE
    var sum_${i}_${j} = Number(0);
#end
#end
    for (var part = 0u; part < PART; part += 16u) {
        let depth = first + part;
#for l in SIDE
#if A_ACROSS
        let a_at_${l} = lane / TILE + ${l}u * (256u / TILE);
        let a_line_${l} = lane % TILE;
#else
        let a_at_${l} = lane % 16u;
        let a_line_${l} = lane / 16u + ${l}u * 16u;
#end
#if B_ACROSS
        let b_at_${l} = lane / TILE + ${l}u * (256u / TILE);
        let b_line_${l} = lane % TILE;
#else
        let b_at_${l} = lane % 16u;
        let b_line_${l} = lane / 16u + ${l}u * 16u;
#end
        let a_row_${l} = group.y * TILE + a_line_${l};
        let a_depth_${l} = depth + a_at_${l};
        let b_depth_${l} = depth + b_at_${l};
        let b_column_${l} = group.x * TILE + b_line_${l};
        var a_${l} = Number(0);
        if (a_row_${l} < M && a_depth_${l} < K) {
            a_${l} = load_a(left + a_row_${l} * A_ROW + a_depth_${l} * A_COLUMN, a_row_${l});
        }
        var b_${l} = Number(0);
        if (b_column_${l} < N && b_depth_${l} < K) {
            b_${l} = load_b(right + b_depth_${l} * B_ROW + b_column_${l} * B_COLUMN, b_column_${l});
        }
#end
        workgroupBarrier();
#for l in SIDE
        tile_a[a_at_${l} * TILE + a_line_${l}] = a_${l};
        tile_b[b_at_${l} * TILE + b_line_${l}] = b_${l};
#end
        workgroupBarrier();
#for k in 16
        {
#for i in SIDE
            let a_${i} = tile_a[${k}u * TILE + down + ${i}u * 16u];
            let b_${i} = tile_b[${k}u * TILE + across + ${i}u * 16u];
#end
#for i in SIDE
#for j in SIDE
            sum_${i}_${j} += a_${i} * b_${j};
#end
#end
        }
#end
    }
#for i in SIDE
#for j in SIDE
    {
        let row = group.y * TILE + down + ${i}u * 16u;
        let column = group.x * TILE + across + ${j}u * 16u;
        if (row < M && column < N) {
            y[(group.z * M + row) * N + column] = done(sum_${i}_${j}, group.z, row, column);
        }
    }
#end
#end
}
#else
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let at = id.y * WIDTH + id.x;
    if (at >= COUNT) {
        return;
    }
    let column = at % N;
    let row = at / N % M;
    let batch = at / (N * M);
    let left = a_base(batch) + row * A_ROW;
    let right = b_base(batch) + column * B_COLUMN;
    var sum = Number(0);
    for (var k = 0u; k < K; k++) {
        sum += load_a(left + k * A_COLUMN, row) * load_b(right + k * B_ROW, column);
    }
    y[at] = done(sum, batch, row, column);
}
#end
