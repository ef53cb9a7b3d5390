// Where each of the heat maps of points is greatest (`heat_maps`), or each pair of distributions over columns and rows (`simcc`). One
// workgroup a point; the first of equals is taken, and what is not a number counts as the least.

struct Plan {
    // First number, and numbers from map to map, row to row, column to column; of `simcc` the columns' tensor (slot 0).
    offset: u32,
    point_stride: u32,
    row_stride: u32,
    column_stride: u32,
    width: u32,
    height: u32,
    // How a maximum is moved: 0 not, 1 by a quarter to its greater neighbors, 2 to that of a parabola through the blurred logarithms.
    refinement: u32,
    // 1: the first and last cell lie on the input's edges.
    to_edges: u32,
    // Where in its cell a maximum lies: 0 at its left upper corner, 0.5 in its middle.
    within: f32,
    // Of `simcc`: the rows' tensor (slot 1); `height` of them.
    rows_offset: u32,
    rows_point_stride: u32,
    rows_stride: u32,
}

const BLUR = 5;
const DEVIATION = 2.0;

var<workgroup> best_score: array<f32, THREADS>;
var<workgroup> best_place: array<u32, THREADS>;
var<workgroup> around: array<f32, 9>;

fn heat(point: u32, row: u32, column: u32) -> f32 {
    return number(0u, plan.offset + point * plan.point_stride + row * plan.row_stride + column * plan.column_stride);
}

// The best of all threads is then in the first place.
fn reduce(thread: u32, score: f32, place: u32) {
    workgroupBarrier();
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
}

// An index beyond the edges comes back as if they were mirrors (OpenCV's BORDER_REFLECT_101).
fn reflected(index: i32, length: u32) -> u32 {
    let last = i32(length) - 1;
    let inside = select(index, -index, index < 0);
    return u32(clamp(select(inside, 2 * last - inside, inside > last), 0, last));
}

fn weight(step: i32) -> f32 {
    return exp(-f32(step * step) / (2.0 * DEVIATION * DEVIATION));
}

// The logarithm of the blurred map.
fn blurred(point: u32, row: u32, column: u32) -> f32 {
    var sum = 0.0;
    var total = 0.0;
    for (var y = -BLUR; y <= BLUR; y++) {
        for (var x = -BLUR; x <= BLUR; x++) {
            let share = weight(x) * weight(y);
            let value = heat(point, reflected(i32(row) + y, plan.height), reflected(i32(column) + x, plan.width));
            sum += share * value;
            total += share;
        }
    }
    return log(clamp(sum / total, 0.001, 50.0));
}

fn quarter(less: f32, more: f32) -> f32 {
    let known = is_finite(less) && is_finite(more);
    return select(0.0, 0.25 * sign(more - less), known);
}

fn moved_by_quarter(point: u32, row: u32, column: u32) -> vec2f {
    if column < 2u || column + 2u > plan.width || row < 2u || row + 2u > plan.height {
        return vec2f(0.0);
    }
    return vec2f(
        quarter(heat(point, row, column - 1u), heat(point, row, column + 1u)),
        quarter(heat(point, row - 1u, column), heat(point, row + 1u, column)),
    );
}

// Newton's step from the middle of `around` to where the gradient is 0, at most a cell.
fn step_to_top() -> vec2f {
    let center = around[4];
    let gradient = 0.5 * vec2f(around[5] - around[3], around[7] - around[1]);
    let xx = around[5] - 2.0 * center + around[3] + 1.1920929e-7;
    let yy = around[7] - 2.0 * center + around[1] + 1.1920929e-7;
    let xy = 0.5 * (around[8] - around[5] - around[7] + 2.0 * center - around[3] - around[1] + around[0]);
    let determinant = xx * yy - xy * xy;
    let step = -vec2f(yy * gradient.x - xy * gradient.y, xx * gradient.y - xy * gradient.x) / determinant;
    if !is_finite(step.x) || !is_finite(step.y) {
        return vec2f(0.0);
    }
    return clamp(step, vec2f(-1.0), vec2f(1.0));
}

@compute @workgroup_size(64)
fn heat_maps(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) thread: u32) {
    let point = group.x;
    var score = LEAST;
    var place = 0u;
    for (var cell = thread; cell < plan.width * plan.height; cell += THREADS) {
        let x = or_least(heat(point, cell / plan.width, cell % plan.width));
        if x > score {
            score = x;
            place = cell;
        }
    }
    reduce(thread, score, place);
    let row = best_place[0] / plan.width;
    let column = best_place[0] % plan.width;
    if plan.refinement == 2u && thread < 9u {
        // The neighbors of a cell at the edge are that cell.
        let y = clamp(i32(row) + i32(thread / 3u) - 1, 0, i32(plan.height) - 1);
        let x = clamp(i32(column) + i32(thread % 3u) - 1, 0, i32(plan.width) - 1);
        around[thread] = blurred(point, u32(y), u32(x));
    }
    workgroupBarrier();
    if thread != 0u {
        return;
    }
    var at = vec2f(f32(column), f32(row)) + plan.within;
    if plan.refinement == 1u {
        at += moved_by_quarter(point, row, column);
    } else if plan.refinement == 2u {
        at += step_to_top();
    }
    let cells = vec2f(f32(plan.width - plan.to_edges), f32(plan.height - plan.to_edges));
    put_point(0u, point, at / cells, best_score[0]);
    if point == 0u {
        put_counts(1u, 1u);
        put_thing(0u, 0.0, 0u, vec4f(0.0));
    }
}

@compute @workgroup_size(64)
fn simcc(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) thread: u32) {
    let point = group.x;
    var score = LEAST;
    var place = 0u;
    for (var i = thread; i < plan.width; i += THREADS) {
        let x = or_least(number(0u, plan.offset + point * plan.point_stride + i * plan.column_stride));
        if x > score {
            score = x;
            place = i;
        }
    }
    reduce(thread, score, place);
    let column = best_place[0];
    let across = best_score[0];
    score = LEAST;
    place = 0u;
    for (var i = thread; i < plan.height; i += THREADS) {
        let y = or_least(number(1u, plan.rows_offset + point * plan.rows_point_stride + i * plan.rows_stride));
        if y > score {
            score = y;
            place = i;
        }
    }
    reduce(thread, score, place);
    if thread != 0u {
        return;
    }
    let at = vec2f(f32(column) / f32(plan.width), f32(best_place[0]) / f32(plan.height));
    put_point(0u, point, at, min(across, best_score[0]));
    if point == 0u {
        put_counts(1u, 1u);
        put_thing(0u, 0.0, 0u, vec4f(0.0));
    }
}
