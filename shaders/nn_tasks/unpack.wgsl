// A network's output tensor becomes a texture that covers the picture: an image's channels in 0..1, a mask's probability, a map's value,
// the number of the likeliest class, a flow's two.
//
// Only the part of the output that the picture fills is read: what the input was padded with is cut off here.

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
    padding: u32,
    // An image's channel in 0..1, and a map's value, is value * gain + bias.
    gain: f32,
    bias: f32,
}

// Elements of the tensor: 0 float32, 1 float16, 2 int32, 3 uint32.
override element_type: u32 = 0u;

@group(0) @binding(0) var<uniform> plan: Plan;
@group(0) @binding(1) var<storage, read> tensor: array<u32>;
@group(0) @binding(2) var target_texture: texture_storage_2d<TARGET_FORMAT, write>;

fn element(index: u32) -> f32 {
    let at = plan.offset + index;
    if element_type == 1u {
        // Without the shader-f16 feature, which not every adapter has.
        return unpack2x16float(tensor[at / 2u])[at % 2u];
    }
    let word = tensor[at];
    if element_type == 2u {
        return f32(bitcast<i32>(word));
    }
    return select(bitcast<f32>(word), f32(word), element_type == 3u);
}

fn softmax(first: u32) -> f32 {
    var greatest = element(first);
    for (var c = 1u; c < plan.channels; c++) {
        greatest = max(greatest, element(first + c * plan.stride_c));
    }
    var sum = 0.0;
    for (var c = 0u; c < plan.channels; c++) {
        sum += exp(element(first + c * plan.stride_c) - greatest);
    }
    return exp(element(first + plan.channel * plan.stride_c) - greatest) / sum;
}

fn mask(first: u32) -> f32 {
    switch plan.activation {
        case 1u: { return 1.0 / (1.0 + exp(-element(first + plan.channel * plan.stride_c))); }
        case 2u: { return softmax(first); }
        case 3u: { return select(0.0, 1.0, u32(round(element(first))) == plan.channel); }
        default: { return clamp(element(first + plan.channel * plan.stride_c), 0.0, 1.0); }
    }
}

// The number of the likeliest class; of one channel 1 where that is more likely than not.
fn class_of(first: u32) -> f32 {
    if plan.activation == 3u {
        return round(element(first));
    }
    if plan.channels == 1u {
        return select(0.0, 1.0, mask(first) > 0.5);
    }
    var best = 0u;
    for (var c = 1u; c < plan.channels; c++) {
        if element(first + c * plan.stride_c) > element(first + best * plan.stride_c) {
            best = c;
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
        case 1u: { value = vec4f(vec3f(mask(first)), 1.0); }
        case 3u: { value = vec4f(vec3f(class_of(first)), 1.0); }
        case 4u: { value = vec4f(vec2f(element(first), element(first + plan.stride_c)) * plan.gain, 0.0, 1.0); }
        default: { value = vec4f(vec3f(element(first) * plan.gain + plan.bias), 1.0); }
    }
    textureStore(target_texture, id.xy, value);
}
