// Which of a detector's candidates stay, and the mask of each: coefficients times prototypes (Bolya et al. 2019, arXiv:1904.02689).
//
// `suppress` is one workgroup, a candidate a thread: the candidates stand in the order of their scores, and each that is alive when its
// turn comes takes those of its class behind it that it overlaps too much. `masks` is a thread for each texel of each mask.
//
// Masks are kept as logits: interpolated as such, and compared with 0, they have the border that the network's authors draw. A sigmoid
// before the interpolation moves it.

struct Plan {
    // Element of anchor 0's first coefficient, elements from anchor to anchor, from coefficient to coefficient.
    coefficients_at: u32,
    coefficients_anchor: u32,
    coefficients_step: u32,
    // How many coefficients, and prototypes.
    count: u32,
    // Element of the first prototype's first texel, elements from prototype to prototype, row to row, column to column.
    prototypes_at: u32,
    prototypes_step: u32,
    prototypes_row: u32,
    prototypes_column: u32,
    // Texels for one pixel of the input.
    scale: vec2f,
    // 1: the four numbers of a box are its middle and size; 0: its corners.
    middle: u32,
    // Of the texture that this inference writes, told in the result.
    slot: u32,
    // Candidates that there can be.
    most: u32,
    unused_0: u32,
    unused_1: u32,
    unused_2: u32,
}

struct Settings {
    iou: f32,
    unused_0: u32,
    unused_1: u32,
    unused_2: u32,
}

// See candidates.wgsl.
struct Candidate {
    key: u32,
    score: f32,
    box_low: u32,
    box_high: u32,
}

struct Candidates {
    passed: u32,
    unused_0: u32,
    unused_1: u32,
    unused_2: u32,
    entries: array<Candidate>,
}

struct Instance {
    key: u32,
    score: f32,
    box_low: u32,
    box_high: u32,
    // Texels of the mask within the box.
    area: atomic<u32>,
}

struct Result {
    // Candidates that passed, that stayed, and the slot.
    passed: u32,
    stayed: u32,
    slot: u32,
    unused_0: u32,
    instances: array<Instance>,
}

// Numbers in one word: 1 float32, 2 float16.
override packing: u32 = 1u;

const THREADS = 256u;
// Larger logits are the same mask; infinite ones would make no numbers of their neighbors.
const LARGEST = 1e4;

@group(0) @binding(0) var<uniform> plan: Plan;
@group(0) @binding(1) var<uniform> settings: Settings;
@group(0) @binding(2) var<storage, read> candidates: Candidates;
@group(0) @binding(3) var<storage, read> table: array<u32>;
@group(0) @binding(4) var<storage, read> prototypes: array<u32>;
@group(0) @binding(5) var<storage, read_write> result: Result;
@group(0) @binding(6) var logits: texture_storage_2d_array<r32float, write>;

var<workgroup> boxes: array<vec4f, THREADS>;
var<workgroup> classes: array<u32, THREADS>;
var<workgroup> alive: array<u32, THREADS>;

fn number(word: u32, at: u32) -> f32 {
    if packing == 2u {
        let pair = unpack2x16float(word);
        return select(pair.x, pair.y, at % 2u == 1u);
    }
    return bitcast<f32>(word);
}

// Whether something is infinite or not a number, by its bits: a compiler may take any comparison for granted.
fn is_unbounded(x: f32) -> bool {
    return (bitcast<u32>(x) & 0x7fffffffu) >= 0x7f800000u;
}

// Whether something is not a number.
fn is_none(x: f32) -> bool {
    return (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u;
}

// Corners, in pixels of the input.
fn corners(low: u32, high: u32) -> vec4f {
    let first = unpack2x16float(low);
    let second = unpack2x16float(high);
    if plan.middle == 1u {
        return vec4f(first - second / 2.0, first + second / 2.0);
    }
    return vec4f(first, second);
}

fn area_of(box: vec4f) -> f32 {
    return (box.z - box.x) * (box.w - box.y);
}

@compute @workgroup_size(256)
fn suppress(@builtin(local_invocation_index) thread: u32) {
    let count = min(min(candidates.passed, plan.most), THREADS);
    var lives = 0u;
    if thread < count {
        let mine = candidates.entries[thread];
        let box = corners(mine.box_low, mine.box_high);
        let bad = is_unbounded(box.x) || is_unbounded(box.y) || is_unbounded(box.z) || is_unbounded(box.w);
        lives = select(0u, 1u, !bad && box.z > box.x && box.w > box.y);
        boxes[thread] = box;
        classes[thread] = mine.key >> 20u;
    }
    alive[thread] = lives;
    for (var i = 0u; i < count; i++) {
        workgroupBarrier();
        if alive[i] == 1u && thread > i && thread < count && classes[i] == classes[thread] {
            let side = min(boxes[i].zw, boxes[thread].zw) - max(boxes[i].xy, boxes[thread].xy);
            let shared_area = max(side.x, 0.0) * max(side.y, 0.0);
            if shared_area > settings.iou * (area_of(boxes[i]) + area_of(boxes[thread]) - shared_area) {
                alive[thread] = 0u;
            }
        }
    }
    workgroupBarrier();
    if thread != 0u {
        return;
    }
    var stayed = 0u;
    for (var i = 0u; i < count; i++) {
        if alive[i] == 0u {
            continue;
        }
        if stayed < arrayLength(&result.instances) {
            let one = candidates.entries[i];
            result.instances[stayed].key = one.key;
            result.instances[stayed].score = one.score;
            result.instances[stayed].box_low = one.box_low;
            result.instances[stayed].box_high = one.box_high;
            atomicStore(&result.instances[stayed].area, 0u);
        }
        stayed++;
    }
    result.passed = candidates.passed;
    result.stayed = stayed;
    result.slot = plan.slot;
}

@compute @workgroup_size(8, 8)
fn masks(@builtin(global_invocation_id) id: vec3u) {
    let size = textureDimensions(logits);
    if id.x >= size.x || id.y >= size.y || id.z >= min(result.stayed, arrayLength(&result.instances)) {
        return;
    }
    let box = corners(result.instances[id.z].box_low, result.instances[id.z].box_high) * plan.scale.xyxy;
    let middle = vec2f(id.xy) + 0.5;
    // A texel more than the box on each side, which the interpolation reads.
    if any(middle < box.xy - 1.5) || any(middle > box.zw + 1.5) {
        return;
    }
    let anchor = result.instances[id.z].key & 0xfffffu;
    let first = plan.coefficients_at + anchor * plan.coefficients_anchor;
    let texel = plan.prototypes_at + id.y * plan.prototypes_row + id.x * plan.prototypes_column;
    var sum = 0.0;
    for (var i = 0u; i < plan.count; i++) {
        let c = first + i * plan.coefficients_step;
        let p = texel + i * plan.prototypes_step;
        sum += number(table[c / packing], c) * number(prototypes[p / packing], p);
    }
    let value = select(clamp(sum, -LARGEST, LARGEST), -LARGEST, is_none(sum));
    textureStore(logits, id.xy, id.z, vec4f(value, 0.0, 0.0, 0.0));
    if value > 0.0 && all(middle > box.xy) && all(middle < box.zw) {
        atomicAdd(&result.instances[id.z].area, 1u);
    }
}
