// Which class each pixel of a segmentation network's output is of: how many pixels each has, and of the most frequent classes a mask.
//
// `begin` empties the counts, `count` is a thread a pixel, `choose` one workgroup that ranks the classes by their counts, `margins` a
// thread a pixel again. A class's mask is how far its score lies above the best other: interpolated and compared with 0, the borders of
// all classes meet without a gap.

struct Plan {
    size: vec2u,
    // Elements from one column, row and channel to the next.
    stride_x: u32,
    stride_y: u32,
    stride_c: u32,
    channels: u32,
    // First element of the tensor in its buffer.
    offset: u32,
    // 0: a channel a class; 1: numbers of classes; 2: one channel, above `edge` of class 1.
    kind: u32,
    classes: u32,
    // Of the texture that this inference writes, told in the result.
    slot: u32,
    edge: f32,
    // Pixels for one texel of a mask.
    step: u32,
    // Of scores on a map smaller than the input, which are enlarged bilinearly: columns and rows of the map, and how many of them one
    // pixel is; 0 where the scores are read as they are.
    cells: vec2u,
    scale: vec2f,
}

struct Entry {
    class_number: u32,
    pixels: u32,
}

struct Result {
    // Classes that have a pixel.
    present: u32,
    slot: u32,
    unused_0: u32,
    unused_1: u32,
    entries: array<Entry>,
}

struct Found {
    best: u32,
    first: f32,
    second: f32,
}

const LARGEST = 1e4;

@group(0) @binding(0) var<uniform> plan: Plan;
@group(0) @binding(1) var<storage, read> tensor: array<u32>;
@group(0) @binding(2) var<storage, read_write> counts: array<atomic<u32>>;
@group(0) @binding(3) var<storage, read_write> result: Result;
// A bit a class: it is shown.
@group(0) @binding(4) var<storage, read> shown: array<u32>;
// How many classes have a layer, then which.
@group(0) @binding(5) var<storage, read_write> drawn: array<u32>;
@group(0) @binding(6) var layers: texture_storage_2d_array<r32float, write>;

// What is not a number is the least: asked of the bits, because a compiler may take any comparison for granted.
fn bounded(x: f32) -> f32 {
    let none = (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u;
    return select(clamp(x, -LARGEST, LARGEST), -LARGEST, none);
}

fn score(taps: Taps, number: u32) -> f32 {
    let cells = taps.cells + number * plan.stride_c;
    let first = bounded(element(cells.x));
    if plan.scale.x == 0.0 {
        return first;
    }
    let above = mix(first, bounded(element(cells.y)), taps.shares.x);
    let below = mix(bounded(element(cells.z)), bounded(element(cells.w)), taps.shares.x);
    return mix(above, below, taps.shares.y);
}

fn found_at(taps: Taps) -> Found {
    if plan.kind == 1u {
        let number = score(taps, 0u);
        return Found(u32(clamp(round(number), 0.0, f32(plan.classes - 1u))), 1.0, 0.0);
    }
    if plan.kind == 2u {
        let above = score(taps, 0u) - plan.edge;
        return Found(select(0u, 1u, above > 0.0), abs(above), 0.0);
    }
    var found = Found(0u, score(taps, 0u), -LARGEST);
    for (var c = 1u; c < plan.channels; c++) {
        let value = score(taps, c);
        if value > found.first {
            found = Found(c, value, found.first);
        } else if value > found.second {
            found.second = value;
        }
    }
    return found;
}

@compute @workgroup_size(64)
fn begin(@builtin(global_invocation_id) id: vec3u) {
    if id.x < plan.classes {
        atomicStore(&counts[id.x], 0u);
    }
}

@compute @workgroup_size(8, 8)
fn count(@builtin(global_invocation_id) id: vec3u) {
    if any(id.xy >= plan.size) {
        return;
    }
    atomicAdd(&counts[found_at(taps_at(id.xy)).best], 1u);
}

fn is_shown(number: u32) -> bool {
    return ((shown[number / 32u] >> (number % 32u)) & 1u) == 1u;
}

@compute @workgroup_size(256)
fn choose(@builtin(local_invocation_index) thread: u32) {
    for (var c = thread; c < plan.classes; c += 256u) {
        let mine = atomicLoad(&counts[c]);
        if mine == 0u {
            continue;
        }
        var before = 0u;
        var drawn_before = 0u;
        for (var i = 0u; i < plan.classes; i++) {
            let other = atomicLoad(&counts[i]);
            if other > mine || (other == mine && i < c) {
                before++;
                drawn_before += select(0u, 1u, is_shown(i));
            }
        }
        if is_shown(c) && drawn_before + 1u < arrayLength(&drawn) {
            drawn[drawn_before + 1u] = c;
        }
        if before < arrayLength(&result.entries) {
            result.entries[before] = Entry(c, mine);
        }
    }
    if thread == 0u {
        var present = 0u;
        var drawable = 0u;
        for (var i = 0u; i < plan.classes; i++) {
            let here = atomicLoad(&counts[i]) > 0u;
            present += select(0u, 1u, here);
            drawable += select(0u, 1u, here && is_shown(i));
        }
        drawn[0] = min(drawable, arrayLength(&drawn) - 1u);
        result.present = present;
        result.slot = plan.slot;
    }
}

@compute @workgroup_size(8, 8)
fn margins(@builtin(global_invocation_id) id: vec3u) {
    if any(id.xy >= textureDimensions(layers)) {
        return;
    }
    // The pixel in the middle of the texel.
    let p = min(id.xy * plan.step + (plan.step - 1u) / 2u, plan.size - 1u);
    let taps = taps_at(p);
    let found = found_at(taps);
    for (var i = 0u; i < drawn[0]; i++) {
        let number = drawn[i + 1u];
        var margin = found.first - found.second;
        if number != found.best {
            var own = found.second;
            if plan.kind == 0u {
                own = score(taps, number);
            }
            margin = own - found.first;
        }
        textureStore(layers, id.xy, i, vec4f(margin, 0.0, 0.0, 0.0));
    }
}
