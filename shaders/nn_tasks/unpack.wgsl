// A network's output tensor becomes a texture that covers the picture: an image's channels in 0..1, a mask's probability, a map's value,
// the number of the likeliest class, a flow's two.
//
// Only the part of the output that the picture fills is read: what the input was padded with is cut off here. Scores of a mask or of
// classes on a map smaller than the input are enlarged bilinearly first, so that borders run between cells and not along them.

struct Plan {
    size: vec2u,
    // Elements from one column, row and channel to the next.
    stride_x: u32,
    stride_y: u32,
    stride_c: u32,
    channels: u32,
    // First element of the tensor in its buffer.
    offset: u32,
    // The channel or class of a mask.
    channel: u32,
    // 0 image, 1 mask, 2 map, 3 classes, 4 flow.
    kind: u32,
    // Of a mask: 0 none, 1 sigmoid, 2 softmax over the channels, 3 argmax: the tensor holds numbers of classes.
    activation: u32,
    reverse: u32,
    unused: u32,
    // An image's channel in 0..1, and a map's value, is value * gain + bias.
    gain: f32,
    bias: f32,
    // Of scores that are enlarged: columns and rows of the map, and how many of them one texel is; 0 where they are read as they are.
    cells: vec2u,
    scale: vec2f,
}

const LARGEST = 1e30;

@group(0) @binding(0) var<uniform> plan: Plan;
@group(0) @binding(1) var<storage, read> tensor: array<u32>;
@group(0) @binding(2) var target_texture: texture_storage_2d<TARGET_FORMAT, write>;

// An infinite score would make no number of a cell that has no share.
fn finite(x: f32) -> f32 {
    let none = (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u;
    return select(clamp(x, -LARGEST, LARGEST), x, none);
}

fn score(taps: Taps, channel: u32) -> f32 {
    let cells = taps.cells + channel * plan.stride_c;
    let first = element(cells.x);
    if plan.scale.x == 0.0 {
        return first;
    }
    let above = mix(finite(first), finite(element(cells.y)), taps.shares.x);
    let below = mix(finite(element(cells.z)), finite(element(cells.w)), taps.shares.x);
    return mix(above, below, taps.shares.y);
}

fn softmax(taps: Taps) -> f32 {
    var greatest = score(taps, 0u);
    for (var c = 1u; c < plan.channels; c++) {
        greatest = max(greatest, score(taps, c));
    }
    var sum = 0.0;
    for (var c = 0u; c < plan.channels; c++) {
        sum += exp(score(taps, c) - greatest);
    }
    return exp(score(taps, plan.channel) - greatest) / sum;
}

fn mask(taps: Taps) -> f32 {
    switch plan.activation {
        case 1u: { return 1.0 / (1.0 + exp(-score(taps, plan.channel))); }
        case 2u: { return softmax(taps); }
        case 3u: { return select(0.0, 1.0, u32(round(score(taps, 0u))) == plan.channel); }
        default: { return clamp(score(taps, plan.channel), 0.0, 1.0); }
    }
}

// The number of the likeliest class; of one channel 1 where that is more likely than not.
fn class_of(taps: Taps) -> f32 {
    if plan.activation == 3u {
        return round(score(taps, 0u));
    }
    if plan.channels == 1u {
        return select(0.0, 1.0, mask(taps) > 0.5);
    }
    var best = 0u;
    var greatest = score(taps, 0u);
    for (var c = 1u; c < plan.channels; c++) {
        let value = score(taps, c);
        if value > greatest {
            best = c;
            greatest = value;
        }
    }
    return f32(best);
}

fn image(first: u32) -> vec3f {
    if plan.channels < 3u {
        return vec3f(element(first));
    }
    let c = vec3f(element(first), element(first + plan.stride_c), element(first + 2u * plan.stride_c));
    return select(c, c.bgr, plan.reverse == 1u);
}

@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) id: vec3u) {
    if id.x >= plan.size.x || id.y >= plan.size.y {
        return;
    }
    let first = id.x * plan.stride_x + id.y * plan.stride_y;
    var value: vec4f;
    switch plan.kind {
        // Networks overshoot; what they mean by it is white or black.
        case 0u: { value = vec4f(clamp(image(first) * plan.gain + plan.bias, vec3f(0.0), vec3f(1.0)), 1.0); }
        case 1u: { value = vec4f(vec3f(mask(taps_at(id.xy))), 1.0); }
        case 3u: { value = vec4f(vec3f(class_of(taps_at(id.xy))), 1.0); }
        case 4u: { value = vec4f(vec2f(element(first), element(first + plan.stride_c)) * plan.gain, 0.0, 1.0); }
        default: { value = vec4f(vec3f(element(first) * plan.gain + plan.bias), 1.0); }
    }
    textureStore(target_texture, id.xy, value);
}
