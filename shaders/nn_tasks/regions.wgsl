// Of a detector's ranked candidates (candidates.wgsl): decode, suppress, and make a region of each that stays, for a second network. One
// workgroup, for a list of some hundred: each candidate that stays is one round, in which all threads look for what it suppresses.
//
// Behind this text stand what the decoder says of its boxes (`box_of`, `point_of`) and the constants COUNT (most candidates), EXTRA (numbers
// beside a box), both at least 1. The rules are those of vision/tasks/common/regions.py, where they are explained.

struct Region {
    // a, b, c of x = a u + b v + c, and the score; zero for no region.
    across: vec4f,
    // d, e, f, and the class.
    down: vec4f,
    // Left, top, right, bottom of the box in shares of the picture; zero for a region that was carried.
    box: vec4f,
}

struct Plan {
    // Sizes in pixels: of the network's input, of the picture.
    input_size: vec2f,
    picture_size: vec2f,
    // From the input to the picture: (position - target) * scale + origin.
    scale: vec2f,
    origin: vec2f,
    target_origin: vec2f,
    // Of the rule.
    shift: vec2f,
    enlarge: f32,
    angle: f32,
    // Width to height of the second network's input.
    aspect: f32,
    iou: f32,
    // Points, a bit each.
    start: u32,
    end: u32,
    flags: u32,
    // Regions at most, and how many of them were carried and stand there already.
    most: u32,
    held: u32,
    entry_words: u32,
}

const CIRCLE = 1u;
const SQUARE = 2u;
const MERGES = 4u;
const REGIONS = 16u;
const THREADS = 64u;
// Of two regions that share more than this, one is of a thing that the other has already.
const SAME = 0.5;
// Pixels of the picture, as in detector.py.
const FARTHEST = 1e6;

@group(0) @binding(0) var<uniform> plan: Plan;
@group(0) @binding(1) var<storage, read> candidates: array<u32>;
@group(0) @binding(2) var<storage, read_write> regions: array<Region>;

var<workgroup> boxes: array<vec4f, COUNT>;
// 0 for one that is not decided yet, 1 for none, 2 and more for one that the candidate of this number less 2 suppresses.
var<workgroup> owner: array<u32, COUNT>;
var<workgroup> filled: u32;
var<workgroup> total: u32;
var<workgroup> undecided: u32;

fn is_finite(x: f32) -> bool {
    return (bitcast<u32>(x) & 0x7f800000u) != 0x7f800000u;
}

fn entry(i: u32) -> u32 {
    return 4u + i * plan.entry_words;
}

fn class_of(i: u32) -> u32 {
    return candidates[entry(i)] >> 20u;
}

fn score_of(i: u32) -> f32 {
    return bitcast<f32>(candidates[entry(i) + 1u]);
}

fn in_picture(position: vec2f) -> vec2f {
    return (position - plan.target_origin) * plan.scale + plan.origin;
}

fn box_in_picture(i: u32) -> vec4f {
    let at = entry(i);
    let values = vec4f(unpack2x16float(candidates[at + 2u]), unpack2x16float(candidates[at + 3u]));
    let corners = box_of(candidates[at] & 0xfffffu, values, plan.input_size);
    let low = clamp(in_picture(corners.xy), vec2f(0.0), plan.picture_size);
    let high = clamp(in_picture(corners.zw), vec2f(0.0), plan.picture_size);
    return vec4f(low, high);
}

fn point_in_picture(i: u32, point: u32) -> vec2f {
    let at = entry(i);
    let x = bitcast<f32>(candidates[at + 4u + 2u * point]);
    let y = bitcast<f32>(candidates[at + 5u + 2u * point]);
    return in_picture(point_of(candidates[at] & 0xfffffu, vec2f(x, y), plan.input_size));
}

fn overlap(a: vec4f, b: vec4f) -> f32 {
    let sides = max(min(a.zw, b.zw) - max(a.xy, b.xy), vec2f(0.0));
    let both = sides.x * sides.y;
    let sides_a = a.zw - a.xy;
    let sides_b = b.zw - b.xy;
    return both / max(sides_a.x * sides_a.y + sides_b.x * sides_b.y - both, 1e-9);
}

// What is one thing of candidate `i`: its own number, or, where boxes merge, its mean with those that it suppresses.
fn belongs(i: u32, j: u32) -> bool {
    return j == i || ((plan.flags & MERGES) != 0u && owner[j] == i + 2u);
}

fn merged_box(i: u32, count: u32) -> vec4f {
    var sum = vec4f(0.0);
    var weight = 0.0;
    for (var j = i; j < count; j++) {
        if belongs(i, j) {
            sum += boxes[j] * score_of(j);
            weight += score_of(j);
        }
    }
    return sum / max(weight, 1e-9);
}

// The mean of some points, of candidate `i` and those that belong to it.
fn merged_points(i: u32, count: u32, which: u32) -> vec2f {
    var sum = vec2f(0.0);
    var weight = 0.0;
    for (var j = i; j < count; j++) {
        if belongs(i, j) {
            for (var point = 0u; point < EXTRA / 2u; point++) {
                if ((which >> point) & 1u) == 1u {
                    sum += point_in_picture(j, point) * score_of(j);
                    weight += score_of(j);
                }
            }
        }
    }
    return sum / max(weight, 1e-9);
}

// Its bits are asked: a comparison with what is no number may be compiled to anything.
fn is_near(x: f32) -> bool {
    return (bitcast<u32>(x) & 0x7fffffffu) < bitcast<u32>(FARTHEST);
}

// Points that are no numbers, or nowhere near the picture, are none, and then the others of the thing are not counted either.
fn has_points(i: u32, count: u32) -> bool {
    for (var point = 0u; point < EXTRA / 2u; point++) {
        let at = merged_points(i, count, 1u << point);
        if !is_near(at.x) || !is_near(at.y) {
            return false;
        }
    }
    return EXTRA > 1u;
}

fn turned(v: vec2f, turn: f32) -> vec2f {
    let c = cos(turn);
    let s = sin(turn);
    return vec2f(v.x * c - v.y * s, v.x * s + v.y * c);
}

// The region of candidate `i`; its score is zero where its numbers make none.
fn region_of(i: u32, count: u32) -> Region {
    var none: Region;
    let box = merged_box(i, count);
    var middle = (box.xy + box.zw) / 2.0;
    var sides = box.zw - box.xy;
    var turn = 0.0;
    if plan.start != 0u && has_points(i, count) {
        let from_point = merged_points(i, count, plan.start);
        let to_point = merged_points(i, count, plan.end);
        let line = to_point - from_point;
        turn = plan.angle - atan2(-line.y, line.x);
        if (plan.flags & CIRCLE) != 0u {
            middle = from_point;
            sides = vec2f(2.0 * length(line));
        }
    }
    middle += turned(plan.shift * sides, turn);
    if (plan.flags & SQUARE) != 0u {
        sides = vec2f(max(sides.x, sides.y));
    } else {
        sides = max(sides, sides.yx * vec2f(plan.aspect, 1.0 / plan.aspect));
    }
    sides *= plan.enlarge;
    let right = turned(vec2f(sides.x, 0.0), turn);
    let down = turned(vec2f(0.0, sides.y), turn);
    let corner = middle - (right + down) / 2.0;
    let most = 16.0 * max(plan.picture_size.x, plan.picture_size.y);
    let sane = is_finite(sides.x) && is_finite(sides.y) && is_finite(turn) && is_finite(corner.x) && is_finite(corner.y);
    if !sane || min(sides.x, sides.y) < 1.0 || max(sides.x, sides.y) > most || max(abs(corner.x), abs(corner.y)) >= most {
        return none;
    }
    let size = plan.picture_size;
    let across = vec4f(right.x / size.x, down.x / size.x, corner.x / size.x, score_of(i));
    let along = vec4f(right.y / size.y, down.y / size.y, corner.y / size.y, f32(class_of(i)));
    return Region(across, along, box / vec4f(size, size));
}

// The upright rectangle around a region, in shares of the picture.
fn around(region: Region) -> vec4f {
    let corner = vec2f(region.across.z, region.down.z);
    let right = vec2f(region.across.x, region.down.x);
    let down = vec2f(region.across.y, region.down.y);
    let low = corner + min(right, vec2f(0.0)) + min(down, vec2f(0.0));
    let high = corner + max(right, vec2f(0.0)) + max(down, vec2f(0.0));
    return vec4f(low, high);
}

fn take(i: u32, count: u32) {
    let region = region_of(i, count);
    if region.across.w <= 0.0 {
        return;
    }
    let mine = around(region);
    for (var k = 0u; k < plan.held; k++) {
        if overlap(mine, around(regions[k])) > SAME {
            return;
        }
    }
    regions[filled] = region;
    filled += 1u;
}

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) thread: u32) {
    if thread == 0u {
        filled = min(plan.held, plan.most);
        total = min(candidates[0], COUNT);
    }
    let count = workgroupUniformLoad(&total);
    for (var i = thread; i < count; i += THREADS) {
        let box = box_in_picture(i);
        let known = is_finite(box.x) && is_finite(box.y) && is_finite(box.z) && is_finite(box.w);
        boxes[i] = box;
        owner[i] = select(1u, 0u, known && box.z > box.x && box.w > box.y);
    }
    workgroupBarrier();
    for (var i = 0u; i < count; i++) {
        if thread == 0u {
            undecided = select(0u, 1u, owner[i] == 0u && filled < plan.most);
        }
        if workgroupUniformLoad(&undecided) == 1u {
            for (var j = i + 1u + thread; j < count; j += THREADS) {
                if owner[j] == 0u && class_of(j) == class_of(i) && overlap(boxes[i], boxes[j]) > plan.iou {
                    owner[j] = i + 2u;
                }
            }
            workgroupBarrier();
            if thread == 0u {
                take(i, count);
            }
        }
        workgroupBarrier();
    }
    let first = workgroupUniformLoad(&filled);
    if thread >= first && thread < REGIONS {
        var none: Region;
        regions[thread] = none;
    }
}
