// Where each of n heat maps is greatest, how great it is there, and what the two maps of offsets of that point say there:
// channels 0 to n - 1 are the heat maps, n to 2n - 1 the offsets of rows, 2n to 3n - 1 those of columns. One workgroup a point.
//
// With `cells` 0 the tensor is a list of (row, column, confidence) instead, which is copied.
//
// The first of equals is taken, and what is not a number counts as the least.

struct Plan {
    points: u32,
    // Of a map; 0 for a list.
    cells: u32,
    // First element of the tensor in its buffer.
    offset: u32,
    // Elements from channel to channel, and from cell to cell (from row to row of a list).
    channel_stride: u32,
    cell_stride: u32,
    unused_0: u32,
    unused_1: u32,
    unused_2: u32,
}

struct Entry {
    place: u32,
    score: f32,
    row: f32,
    column: f32,
}

// Numbers in one word: 1 float32, 2 float16.
override packing: u32 = 1u;

const THREADS = 64u;
const LEAST = -3.4e38;

@group(0) @binding(0) var<uniform> plan: Plan;
@group(0) @binding(1) var<storage, read> tensor: array<u32>;
@group(0) @binding(2) var<storage, read_write> result: array<Entry>;

var<workgroup> best_score: array<f32, THREADS>;
var<workgroup> best_place: array<u32, THREADS>;

fn value(channel: u32, cell: u32) -> f32 {
    let at = plan.offset + channel * plan.channel_stride + cell * plan.cell_stride;
    if packing == 2u {
        let pair = unpack2x16float(tensor[at / 2u]);
        return select(pair.x, pair.y, at % 2u == 1u);
    }
    return bitcast<f32>(tensor[at]);
}

// By the bits: a compiler may take any comparison with a number that is none for granted.
fn or_least(x: f32) -> f32 {
    return select(x, LEAST, (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u);
}

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) thread: u32) {
    let point = group.x;
    var score = LEAST;
    var place = 0u;
    for (var cell = thread; cell < plan.cells; cell += THREADS) {
        let x = or_least(value(point, cell));
        if x > score {
            score = x;
            place = cell;
        }
    }
    best_score[thread] = score;
    best_place[thread] = place;
    workgroupBarrier();
    for (var half = THREADS / 2u; half > 0u; half /= 2u) {
        if thread < half {
            let other = best_score[thread + half];
            let earlier = other == best_score[thread] && best_place[thread + half] < best_place[thread];
            if other > best_score[thread] || earlier {
                best_score[thread] = other;
                best_place[thread] = best_place[thread + half];
            }
        }
        workgroupBarrier();
    }
    if thread != 0u {
        return;
    }
    if plan.cells == 0u {
        result[point] = Entry(0u, value(2u, point), value(0u, point), value(1u, point));
        return;
    }
    let found = best_place[0];
    let n = plan.points;
    result[point] = Entry(found, value(point, found), value(n + point, found), value(2u * n + point, found));
}
