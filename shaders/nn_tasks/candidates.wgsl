// The best of a detector's anchors: `begin` once, `score` and then `rank` for each group of anchors.
//
// `score` looks at one anchor a thread, and puts it on a list where its best class is shown and scores high enough. The list
// has no order of its own, so `rank` counts for each entry how many come before it, by falling score and, among equals, by rising
// anchor, and copies it to that place; for its group's entries, with `boxes` bound to the group's further columns. That compares each with each, which for the some hundred that pass costs less than
// sorting; the list is short enough that it stays harmless where all pass.

struct Plan {
    // Number of the group's first anchor, its anchors, its classes.
    first: u32,
    anchors: u32,
    classes: u32,
    // Element of anchor 0, elements from anchor to anchor, from column to column: of the scores, the objectness and the box.
    scores_at: u32,
    scores_anchor: u32,
    scores_column: u32,
    objectness_at: u32,
    objectness_anchor: u32,
    objectness_column: u32,
    box_at: u32,
    box_anchor: u32,
    box_column: u32,
    objectness_power: f32,
    score_power: f32,
    // Element of anchor 0's class number in its buffer; 0xffffffff where each class has a score.
    number_at: u32,
    // Columns behind the classes that a softmax sees too.
    others: u32,
    // Element of anchor 0's first further column in the boxes' buffer, elements from anchor to anchor, from column to column.
    extra_at: u32,
    extra_anchor: u32,
    extra_column: u32,
    // Elements from class number to class number.
    number_anchor: u32,
    // Logits of each of the box's four distributions; 0 where its numbers stand there themselves.
    bins: u32,
    // Element of the number of anchors that count in its buffer; 0xffffffff where all do.
    rows_at: u32,
    // Width of the map in which only local maxima count; 0 where every anchor does.
    peaks: u32,
}

struct Settings {
    threshold: f32,
    unused_0: u32,
    unused_1: u32,
    unused_2: u32,
    // A bit a class.
    shown: array<u32>,
}

struct Entry {
    // Anchor in the lower 20 bits, class in the upper 12.
    key: u32,
    score: f32,
    // Four halves.
    box_low: u32,
    box_high: u32,
}

struct List {
    count: atomic<u32>,
    unused_0: u32,
    unused_1: u32,
    unused_2: u32,
    entries: array<Entry>,
}

struct Result {
    passed: u32,
    unused_0: u32,
    unused_1: u32,
    unused_2: u32,
    // Of each entry its four words, then its further columns.
    words: array<u32>,
}

// Numbers in one word: 1 float32, 2 float16.
override packing: u32 = 1u;
// 0: the columns are scores; of logits 1 a sigmoid each, 2 a softmax of all.
override activation: u32 = 0u;
// Further columns of an entry, as float32.
override extras: u32 = 0u;
// 1: the box's last two numbers are two further columns.
override has_rest: u32 = 0u;
// 1: numbers of classes are whole, a word each; 0: they are as the scores. Likewise the number of anchors that count.
override whole: u32 = 0u;
override whole_rows: u32 = 0u;

const LARGEST = 1e4;

@group(0) @binding(0) var<uniform> plan: Plan;
@group(0) @binding(1) var<storage, read> scores: array<u32>;
@group(0) @binding(2) var<storage, read> objectness: array<u32>;
@group(0) @binding(3) var<storage, read> boxes: array<u32>;
@group(0) @binding(4) var<storage, read> settings: Settings;
@group(0) @binding(5) var<storage, read_write> list: List;
@group(0) @binding(6) var<storage, read_write> result: Result;
@group(0) @binding(7) var<storage, read> numbers: array<u32>;
@group(0) @binding(8) var<storage, read> rows: array<u32>;

fn number(word: u32, at: u32) -> f32 {
    if packing == 2u {
        let pair = unpack2x16float(word);
        return select(pair.x, pair.y, at % 2u == 1u);
    }
    return bitcast<f32>(word);
}

// Whether something is not a number. A test by `x != x` may be optimized away, so the bits are looked at.
fn is_none(x: f32) -> bool {
    return (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u;
}

fn counted(x: f32) -> f32 {
    return select(x, 0.0, is_none(x));
}

// A score, or a logit: what is not a number is the least.
fn score_of(anchor: u32, column: u32) -> f32 {
    let at = plan.scores_at + anchor * plan.scores_anchor + column * plan.scores_column;
    let x = number(scores[at / packing], at);
    if activation != 0u {
        return select(clamp(x, -LARGEST, LARGEST), -LARGEST, is_none(x));
    }
    return counted(x);
}

// The score of an anchor's best class, whose column is `greatest`.
fn activated(anchor: u32, greatest: f32) -> f32 {
    if activation == 1u {
        return 1.0 / (1.0 + exp(-greatest));
    }
    if activation == 2u {
        // Relative to the greatest of all, of nothing too.
        var top = greatest;
        for (var i = 0u; i < plan.others; i++) {
            top = max(top, score_of(anchor, plan.classes + i));
        }
        var sum = 0.0;
        for (var i = 0u; i < plan.classes + plan.others; i++) {
            sum += exp(score_of(anchor, i) - top);
        }
        return exp(greatest - top) / sum;
    }
    return greatest;
}

// The objectness of its column: where scores are logits it is one too.
fn anything(anchor: u32) -> f32 {
    let at = plan.objectness_at + anchor * plan.objectness_anchor;
    let x = number(objectness[at / packing], at);
    if activation != 0u {
        return 1.0 / (1.0 + exp(-select(clamp(x, -LARGEST, LARGEST), -LARGEST, is_none(x))));
    }
    return counted(x);
}

// How many anchors of the group count.
fn anchors_that_count() -> u32 {
    if plan.rows_at == 0xffffffffu {
        return plan.anchors;
    }
    var count = 0.0;
    if whole_rows == 1u {
        count = f32(bitcast<i32>(rows[plan.rows_at]));
    } else {
        count = counted(number(rows[plan.rows_at / packing], plan.rows_at));
    }
    return u32(round(clamp(count, 0.0, f32(plan.anchors))));
}

// Whether no neighbor on the map scores higher in a class.
fn is_peak(anchor: u32, column: u32) -> bool {
    let mine = score_of(anchor, column);
    let x = i32(anchor % plan.peaks);
    let y = i32(anchor / plan.peaks);
    for (var down = -1; down <= 1; down++) {
        for (var right = -1; right <= 1; right++) {
            let across = x + right;
            let other = (y + down) * i32(plan.peaks) + across;
            let inside = across >= 0 && across < i32(plan.peaks) && other >= 0 && other < i32(plan.anchors);
            if inside && score_of(u32(other), column) > mine {
                return false;
            }
        }
    }
    return true;
}

fn box_column(anchor: u32, column: u32) -> f32 {
    let at = plan.box_at + anchor * plan.box_anchor + column * plan.box_column;
    return number(boxes[at / packing], at);
}

// A further column, of what is bound as `boxes` then.
fn further(anchor: u32, column: u32) -> f32 {
    let at = plan.extra_at + anchor * plan.extra_anchor + column * plan.extra_column;
    return number(boxes[at / packing], at);
}

// One of the box's four numbers: a column, or the mean of a distribution.
fn box_number(anchor: u32, which: u32) -> f32 {
    if plan.bins == 0u {
        return box_column(anchor, which);
    }
    var top = -LARGEST;
    for (var i = 0u; i < plan.bins; i++) {
        top = max(top, clamp(box_column(anchor, which * plan.bins + i), -LARGEST, LARGEST));
    }
    var sum = 0.0;
    var moment = 0.0;
    for (var i = 0u; i < plan.bins; i++) {
        let power = exp(clamp(box_column(anchor, which * plan.bins + i), -LARGEST, LARGEST) - top);
        sum += power;
        moment += power * f32(i);
    }
    return moment / sum;
}

fn raised(x: f32, power: f32) -> f32 {
    let value = clamp(x, 0.0, 1.0);
    if power == 0.0 {
        return 1.0;
    }
    if power == 1.0 || value == 0.0 {
        return value;
    }
    return pow(value, power);
}

@compute @workgroup_size(1)
fn begin() {
    atomicStore(&list.count, 0u);
}

@compute @workgroup_size(64)
fn score(@builtin(global_invocation_id) id: vec3u) {
    let anchor = id.x;
    if anchor >= anchors_that_count() {
        return;
    }
    var best = 0u;
    var greatest = 0.0;
    if plan.number_at == 0xffffffffu {
        for (var i = 0u; i < plan.classes; i++) {
            let s = score_of(anchor, i);
            if i == 0u || s > greatest {
                greatest = s;
                best = i;
            }
        }
        if plan.peaks != 0u && !is_peak(anchor, best) {
            return;
        }
        greatest = activated(anchor, greatest);
    } else {
        let at = plan.number_at + anchor * plan.number_anchor;
        var class_number = 0.0;
        if whole == 1u {
            class_number = f32(bitcast<i32>(numbers[at]));
        } else {
            class_number = number(numbers[at / packing], at);
        }
        if is_none(class_number) || class_number < -0.5 || class_number > f32(plan.classes) - 0.5 {
            return;
        }
        best = min(u32(round(max(class_number, 0.0))), plan.classes - 1u);
        greatest = score_of(anchor, 0u);
    }
    let value = raised(greatest, plan.score_power) * raised(anything(anchor), plan.objectness_power);
    let shown = (settings.shown[best / 32u] >> (best % 32u)) & 1u;
    if shown == 0u || value < settings.threshold {
        return;
    }
    let place = atomicAdd(&list.count, 1u);
    if place >= arrayLength(&list.entries) {
        return;
    }
    var box: vec4f;
    for (var i = 0u; i < 4u; i++) {
        box[i] = box_number(anchor, i);
    }
    let key = (plan.first + anchor) | (best << 20u);
    list.entries[place] = Entry(key, value, pack2x16float(box.xy), pack2x16float(box.zw));
}

@compute @workgroup_size(64)
fn rank(@builtin(global_invocation_id) id: vec3u) {
    let passed = atomicLoad(&list.count);
    if id.x == 0u {
        result.passed = passed;
    }
    let count = min(passed, arrayLength(&list.entries));
    if id.x >= count {
        return;
    }
    let mine = list.entries[id.x];
    let number_of_mine = mine.key & 0xfffffu;
    if number_of_mine < plan.first || number_of_mine >= plan.first + plan.anchors {
        return;
    }
    var before = 0u;
    for (var i = 0u; i < count; i++) {
        let other = list.entries[i].score;
        if other > mine.score || (other == mine.score && (list.entries[i].key & 0xfffffu) < number_of_mine) {
            before++;
        }
    }
    let at = before * (4u + extras);
    if at + 4u + extras > arrayLength(&result.words) {
        return;
    }
    result.words[at] = mine.key;
    result.words[at + 1u] = bitcast<u32>(mine.score);
    result.words[at + 2u] = mine.box_low;
    result.words[at + 3u] = mine.box_high;
    let anchor = number_of_mine - plan.first;
    if has_rest == 1u {
        result.words[at + 3u] = pack2x16float(vec2f(further(anchor, 0u), further(anchor, 1u)));
    }
    for (var i = 0u; i < extras; i++) {
        result.words[at + 4u + i] = bitcast<u32>(further(anchor, i));
    }
}
