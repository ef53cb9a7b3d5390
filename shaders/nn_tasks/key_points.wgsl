// What the shaders of key points share. Each stands behind this text, with a `struct Plan` of its own; desktop/vision/tasks/key_points/
// gpu_points.py puts them together and reads what they leave in `found`.
//
// Positions are shares of the network's input, 0 to 1, kept from -0.5 to 1.5: two numbers of 16 bits, a step is 1/32768 of the input.
// A point that is not a number has both of them 65535 and the confidence 0.

struct Settings {
    score: f32,
    iou: f32,
    // Things that are left in `found`, at most.
    most: u32,
    unused: u32,
}

struct Scratch {
    // How many candidates passed; of more than CAPACITY some are left out, whatever their score.
    count: atomic<u32>,
    unused_0: u32,
    unused_1: u32,
    unused_2: u32,
    // CAPACITY pairs of (score, key) in no order, RANKED of them with the best first, then what the shader wants.
    words: array<u32>,
}

struct Found {
    stored: u32,
    passed: u32,
    unused_0: u32,
    unused_1: u32,
    // Of each thing: score, class, left upper and right lower corner of its box, the positions of its points, and their confidences
    // where `confident` is 1.
    words: array<u32>,
}

// Numbers in one word of the tensors: 1 float32, 2 float16.
override packing: u32 = 1u;
override points: u32 = 1u;
override confident: u32 = 1u;

const CAPACITY = 8192u;
const RANKED = 256u;
const THREADS = 64u;
const LEAST = -3.4e38;

@group(0) @binding(0) var<uniform> plan: Plan;
@group(0) @binding(1) var<storage, read> tensor0: array<u32>;
@group(0) @binding(2) var<storage, read> tensor1: array<u32>;
@group(0) @binding(3) var<storage, read> tensor2: array<u32>;
@group(0) @binding(4) var<storage, read> tensor3: array<u32>;
@group(0) @binding(5) var<storage, read> settings: Settings;
@group(0) @binding(6) var<storage, read_write> scratch: Scratch;
@group(0) @binding(7) var<storage, read_write> found: Found;

fn number(slot: u32, at: u32) -> f32 {
    var word: u32;
    switch slot {
        case 0u: { word = tensor0[at / packing]; }
        case 1u: { word = tensor1[at / packing]; }
        case 2u: { word = tensor2[at / packing]; }
        default: { word = tensor3[at / packing]; }
    }
    if packing == 2u {
        let pair = unpack2x16float(word);
        return select(pair.x, pair.y, at % 2u == 1u);
    }
    return bitcast<f32>(word);
}

// By the bits: a compiler may take any comparison with a number that is none for granted.
fn is_none(x: f32) -> bool {
    return (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u;
}

fn is_finite(x: f32) -> bool {
    return (bitcast<u32>(x) & 0x7fffffffu) < 0x7f800000u;
}

fn or_least(x: f32) -> f32 {
    return select(x, LEAST, is_none(x));
}

// A score in 0..1.
fn unit(x: f32) -> f32 {
    return select(clamp(x, 0.0, 1.0), 0.0, is_none(x));
}

fn sigmoid(x: f32) -> f32 {
    return 1.0 / (1.0 + exp(-clamp(x, -80.0, 80.0)));
}

fn first_word(thing: u32) -> u32 {
    return thing * (4u + points * (1u + confident));
}

fn packed(at: vec2f) -> u32 {
    return pack2x16unorm((at + 0.5) * 0.5);
}

fn put_thing(thing: u32, score: f32, class_number: u32, box: vec4f) {
    let first = first_word(thing);
    found.words[first] = bitcast<u32>(unit(score));
    found.words[first + 1u] = class_number;
    found.words[first + 2u] = packed(box.xy);
    found.words[first + 3u] = packed(box.zw);
}

fn put_point(thing: u32, point: u32, at: vec2f, confidence: f32) {
    let first = first_word(thing) + 4u + point;
    let known = is_finite(at.x) && is_finite(at.y);
    found.words[first] = select(0xffffffffu, packed(at), known);
    if confident == 1u {
        found.words[first + points] = bitcast<u32>(select(0.0, unit(confidence), known));
    }
}

fn put_counts(stored: u32, passed: u32) {
    found.stored = stored;
    found.passed = passed;
}

// -- candidates: `begin`, then what calls `pass_on`, then `rank` -----------------------------------------------------

fn pass_on(score: f32, key: u32) {
    let place = atomicAdd(&scratch.count, 1u);
    if place < CAPACITY {
        scratch.words[2u * place] = bitcast<u32>(score);
        scratch.words[2u * place + 1u] = key;
    }
}

fn ranked_score(place: u32) -> f32 {
    return bitcast<f32>(scratch.words[2u * (CAPACITY + place)]);
}

fn ranked_key(place: u32) -> u32 {
    return scratch.words[2u * (CAPACITY + place) + 1u];
}

fn ranked_count() -> u32 {
    return min(atomicLoad(&scratch.count), RANKED);
}

@compute @workgroup_size(1)
fn begin() {
    atomicStore(&scratch.count, 0u);
}

// Counts for each candidate how many come before it, by falling score and, among equals, by rising key, and copies it to that place.
@compute @workgroup_size(64)
fn rank(@builtin(global_invocation_id) id: vec3u) {
    let count = min(atomicLoad(&scratch.count), CAPACITY);
    if id.x >= count {
        return;
    }
    let score = bitcast<f32>(scratch.words[2u * id.x]);
    let key = scratch.words[2u * id.x + 1u];
    var before = 0u;
    for (var i = 0u; i < count; i++) {
        let other = bitcast<f32>(scratch.words[2u * i]);
        if other > score || (other == score && scratch.words[2u * i + 1u] < key) {
            before++;
        }
    }
    if before < RANKED {
        scratch.words[2u * (CAPACITY + before)] = bitcast<u32>(score);
        scratch.words[2u * (CAPACITY + before) + 1u] = key;
    }
}
