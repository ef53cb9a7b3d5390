// The best of a detector's anchors: `begin` once, `score` for each group of anchors, `rank` once.
//
// `score` looks at one anchor a thread, and puts it on a list where its best class is shown and scores high enough. The list
// has no order of its own, so `rank` counts for each entry how many come before it, by falling score and, among equals, by rising
// anchor, and copies it to that place. That compares each with each, which for the some hundred that pass costs less than
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
    // Element of anchor 0's class number in the scores' buffer; 0xffffffff where each class has a score.
    number_at: u32,
    // 1 where scores come before their logistic function.
    logits: u32,
    // What stays with the box: columns from its first to theirs, and how many they are.
    extra: u32,
    extra_columns: u32,
    unused_0: u32,
    unused_1: u32,
}

struct Settings {
    threshold: f32,
    unused_0: u32,
    unused_1: u32,
    unused_2: u32,
    // A bit a class.
    shown: array<u32>,
}

// An entry is `entry_words` words: the anchor in the lower 20 bits and the class in the upper 12; the score; the box as four halves;
// what stays with it, as halves.
struct List {
    count: atomic<u32>,
    unused_0: u32,
    unused_1: u32,
    unused_2: u32,
    entries: array<u32>,
}

struct Result {
    passed: u32,
    unused_0: u32,
    unused_1: u32,
    unused_2: u32,
    entries: array<u32>,
}

override entry_words: u32 = 4u;

// Numbers in one word: 1 float32, 2 float16.
override packing: u32 = 1u;

@group(0) @binding(0) var<uniform> plan: Plan;
@group(0) @binding(1) var<storage, read> scores: array<u32>;
@group(0) @binding(2) var<storage, read> objectness: array<u32>;
@group(0) @binding(3) var<storage, read> boxes: array<u32>;
@group(0) @binding(4) var<storage, read> settings: Settings;
@group(0) @binding(5) var<storage, read_write> list: List;
@group(0) @binding(6) var<storage, read_write> result: Result;

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

fn score_of(anchor: u32, column: u32) -> f32 {
    let at = plan.scores_at + anchor * plan.scores_anchor + column * plan.scores_column;
    let value = number(scores[at / packing], at);
    return select(value, select(0.0, -80.0, plan.logits == 1u), is_none(value));
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

fn logistic(x: f32) -> f32 {
    return 1.0 / (1.0 + exp(-clamp(x, -80.0, 80.0)));
}

fn box_number(anchor: u32, column: u32) -> f32 {
    let at = plan.box_at + anchor * plan.box_anchor + column * plan.box_column;
    return number(boxes[at / packing], at);
}

@compute @workgroup_size(1)
fn begin() {
    atomicStore(&list.count, 0u);
}

@compute @workgroup_size(64)
fn score(@builtin(global_invocation_id) id: vec3u) {
    let anchor = id.x;
    if anchor >= plan.anchors {
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
    } else {
        let at = plan.number_at + anchor * plan.scores_anchor;
        let class_number = number(scores[at / packing], at);
        if is_none(class_number) || class_number < -0.5 || class_number > f32(plan.classes) - 0.5 {
            return;
        }
        best = min(u32(round(max(class_number, 0.0))), plan.classes - 1u);
        greatest = score_of(anchor, 0u);
    }
    if plan.logits == 1u {
        greatest = logistic(greatest);
    }
    let at = plan.objectness_at + anchor * plan.objectness_anchor;
    let anything = counted(number(objectness[at / packing], at));
    let value = raised(greatest, plan.score_power) * raised(anything, plan.objectness_power);
    let shown = (settings.shown[best / 32u] >> (best % 32u)) & 1u;
    if shown == 0u || value < settings.threshold {
        return;
    }
    let place = atomicAdd(&list.count, 1u);
    if place >= arrayLength(&list.entries) / entry_words {
        return;
    }
    let entry = place * entry_words;
    list.entries[entry] = (plan.first + anchor) | (best << 20u);
    list.entries[entry + 1u] = bitcast<u32>(value);
    for (var i = 0u; i < 2u; i++) {
        let pair = vec2f(box_number(anchor, 2u * i), box_number(anchor, 2u * i + 1u));
        list.entries[entry + 2u + i] = pack2x16float(pair);
    }
    for (var i = 0u; i < plan.extra_columns; i += 2u) {
        var pair = vec2f(box_number(anchor, plan.extra + i), 0.0);
        if i + 1u < plan.extra_columns {
            pair.y = box_number(anchor, plan.extra + i + 1u);
        }
        list.entries[entry + 4u + i / 2u] = pack2x16float(pair);
    }
}

@compute @workgroup_size(64)
fn rank(@builtin(global_invocation_id) id: vec3u) {
    let passed = atomicLoad(&list.count);
    if id.x == 0u {
        result.passed = passed;
    }
    let count = min(passed, arrayLength(&list.entries) / entry_words);
    if id.x >= count {
        return;
    }
    let mine = id.x * entry_words;
    let score_of_mine = bitcast<f32>(list.entries[mine + 1u]);
    let number_of_mine = list.entries[mine] & 0xfffffu;
    var before = 0u;
    for (var i = 0u; i < count; i++) {
        let score = bitcast<f32>(list.entries[i * entry_words + 1u]);
        let earlier = (list.entries[i * entry_words] & 0xfffffu) < number_of_mine;
        if score > score_of_mine || (score == score_of_mine && earlier) {
            before++;
        }
    }
    if before < arrayLength(&result.entries) / entry_words {
        for (var i = 0u; i < entry_words; i++) {
            result.entries[before * entry_words + i] = list.entries[mine + i];
        }
    }
}
