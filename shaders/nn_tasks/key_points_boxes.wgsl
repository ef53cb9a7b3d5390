// Detectors whose rows have a box, scores and points: `begin`, `score`, `rank`, `choose`. Of two boxes of a class that overlap by more
// than `settings.iou` the lower one goes.

struct Plan {
    rows: u32,
    classes: u32,
    // First number of row 0, numbers from row to row and from column to column: of the box with its scores (slot 0).
    offset: u32,
    row_stride: u32,
    column_stride: u32,
    // Columns: first of the classes' scores, the score that there is anything, the class's number; 0xffffffff where there is none.
    scores: u32,
    objectness: u32,
    class_number: u32,
    // First column of the box; 1: left, top, right, bottom, 0: middle and size.
    box: u32,
    corners: u32,
    // 1: y stands before x, in boxes and points.
    rows_first: u32,
    // The same of the points (slot 1): the first column is the first point's x.
    points_offset: u32,
    points_row_stride: u32,
    points_column_stride: u32,
    // Numbers of a point: 2, or 3 with its confidence.
    dimensions: u32,
    // 1: there is no suppression.
    all_stay: u32,
    // Of the input, in the units of boxes and points.
    width: f32,
    height: f32,
}

const NO_COLUMN = 0xffffffffu;

var<workgroup> boxes: array<vec4f, RANKED>;
var<workgroup> class_of: array<u32, RANKED>;
var<workgroup> stays: array<u32, RANKED>;

fn value(row: u32, column: u32) -> f32 {
    return number(0u, plan.offset + row * plan.row_stride + column * plan.column_stride);
}

@compute @workgroup_size(64)
fn score(@builtin(global_invocation_id) id: vec3u) {
    let row = id.x;
    if row >= plan.rows {
        return;
    }
    var best = 0u;
    var greatest = 0.0;
    if plan.class_number == NO_COLUMN {
        for (var i = 0u; i < plan.classes; i++) {
            let s = unit(value(row, plan.scores + i));
            if s > greatest {
                greatest = s;
                best = i;
            }
        }
    } else {
        let class_number = value(row, plan.class_number);
        if is_none(class_number) || class_number < -0.5 || class_number > f32(plan.classes) - 0.5 {
            return;
        }
        best = min(u32(round(max(class_number, 0.0))), plan.classes - 1u);
        greatest = unit(value(row, plan.scores));
    }
    if plan.objectness != NO_COLUMN {
        greatest *= unit(value(row, plan.objectness));
    }
    if greatest >= settings.score && greatest > 0.0 {
        // The class in the upper 12 bits: rows tell equals apart first.
        pass_on(greatest, row | (best << 20u));
    }
}

fn box_of(row: u32) -> vec4f {
    let first = plan.box;
    var box = vec4f(value(row, first), value(row, first + 1u), value(row, first + 2u), value(row, first + 3u));
    box = select(box, box.yxwz, plan.rows_first == 1u);
    if plan.corners == 1u {
        return box;
    }
    return vec4f(box.xy - box.zw * 0.5, box.xy + box.zw * 0.5);
}

fn is_box(box: vec4f) -> bool {
    let known = is_finite(box.x) && is_finite(box.y) && is_finite(box.z) && is_finite(box.w);
    return known && box.z > box.x && box.w > box.y;
}

fn overlap(a: vec4f, b: vec4f) -> f32 {
    let sides = max(min(a.zw, b.zw) - max(a.xy, b.xy), vec2f(0.0));
    let both = sides.x * sides.y;
    let areas = (a.z - a.x) * (a.w - a.y) + (b.z - b.x) * (b.w - b.y);
    return both / (areas - both);
}

@compute @workgroup_size(256)
fn choose(@builtin(local_invocation_index) thread: u32) {
    let row = ranked_key(thread) & 0xfffffu;
    let is_ranked = thread < ranked_count();
    boxes[thread] = vec4f(0.0);
    stays[thread] = 0u;
    class_of[thread] = ranked_key(thread) >> 20u;
    if is_ranked {
        boxes[thread] = box_of(row);
        stays[thread] = select(0u, 1u, is_box(boxes[thread]));
    }
    workgroupBarrier();
    for (var i = 0u; i < RANKED; i++) {
        let rival = plan.all_stay == 0u && thread > i && stays[thread] == 1u && class_of[i] == class_of[thread];
        if rival && stays[i] == 1u && overlap(boxes[i], boxes[thread]) > settings.iou {
            stays[thread] = 0u;
        }
        workgroupBarrier();
    }
    var before = 0u;
    for (var i = 0u; i < thread; i++) {
        before += stays[i];
    }
    if thread == RANKED - 1u {
        put_counts(min(before + stays[thread], settings.most), atomicLoad(&scratch.count));
    }
    if stays[thread] == 0u || before >= settings.most {
        return;
    }
    let size = vec2f(plan.width, plan.height);
    put_thing(before, ranked_score(thread), class_of[thread], boxes[thread] / vec4f(size, size));
    for (var point = 0u; point < points; point++) {
        let first = plan.points_offset + row * plan.points_row_stride + point * plan.dimensions * plan.points_column_stride;
        let at = vec2f(number(1u, first), number(1u, first + plan.points_column_stride));
        var confidence = 1.0;
        if plan.dimensions == 3u {
            confidence = number(1u, first + 2u * plan.points_column_stride);
        }
        put_point(before, point, select(at, at.yx, plan.rows_first == 1u) / size, confidence);
    }
}
