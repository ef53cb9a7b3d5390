// A network's input tensor as a picture: what normalization did is undone, channels come back into the order R, G, B, and each pixel is
// the mean of `step` x `step` of the input's. One word a pixel: R'G'B'A of 8 bits.

struct Plan {
    // Of the input, and of the picture.
    size: vec2u,
    shown: vec2u,
    channels: u32,
    // Channels from pixel to pixel, where they come last.
    stored_channels: u32,
    channels_last: u32,
    // First number of the tensor in its buffer.
    offset: u32,
    items: u32,
    // First picture that these items are.
    first: u32,
    step: u32,
    // 1: int8 in four to a word.
    is_signed: u32,
    // R'G'B' = rows x (channel 0, 1, 2, 1).
    rows: array<vec4f, 3>,
}

// Numbers in one word: 1 float32 or int32, 2 float16, 4 bytes.
override packing: u32 = 1u;
override whole: u32 = 0u;

@group(0) @binding(0) var<uniform> plan: Plan;
@group(0) @binding(1) var<storage, read> tensor: array<u32>;
@group(0) @binding(2) var<storage, read_write> pictures: array<u32>;

fn number(index: u32) -> f32 {
    let at = plan.offset + index;
    let word = tensor[at / packing];
    if packing == 4u {
        let byte = (word >> (8u * (at % 4u))) & 255u;
        return f32(i32(byte) - select(0, 256, plan.is_signed == 1u && byte > 127u));
    }
    if packing == 2u {
        let pair = unpack2x16float(word);
        return select(pair.x, pair.y, at % 2u == 1u);
    }
    if whole == 1u {
        return f32(bitcast<i32>(word));
    }
    return bitcast<f32>(word);
}

fn channel(item: u32, x: u32, y: u32, c: u32) -> f32 {
    if c >= plan.channels {
        return 0.0;
    }
    if plan.channels_last == 1u {
        return number(((item * plan.size.y + y) * plan.size.x + x) * plan.stored_channels + c);
    }
    return number(((item * plan.channels + c) * plan.size.y + y) * plan.size.x + x);
}

@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) id: vec3u) {
    if id.x >= plan.shown.x || id.y >= plan.shown.y {
        return;
    }
    let start = id.xy * plan.step;
    let end = min(start + plan.step, plan.size);
    var sum = vec3f(0.0);
    for (var y = start.y; y < end.y; y++) {
        for (var x = start.x; x < end.x; x++) {
            sum += vec3f(channel(id.z, x, y, 0u), channel(id.z, x, y, 1u), channel(id.z, x, y, 2u));
        }
    }
    let count = (end - start).x * (end - start).y;
    let stored = vec4f(sum / f32(count), 1.0);
    let color = vec3f(dot(plan.rows[0], stored), dot(plan.rows[1], stored), dot(plan.rows[2], stored));
    let at = ((plan.first + id.z) * plan.shown.y + id.y) * plan.shown.x + id.x;
    pictures[at] = pack4x8unorm(vec4f(color, 1.0));
}
