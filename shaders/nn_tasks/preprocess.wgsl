// A picture becomes a network's input tensor, in two passes of a separable resampling filter.
//
// `horizontal` reads the source's rows that the crop needs, resamples them to the target's width and applies the
// affine map of the channels (color order, scale, mean, deviation). `vertical` resamples the columns and stores.
// The affine map commutes with the second pass because a filter's weights are normalized to 1.
//
// The filter's weights come in `taps`, made once a picture size on the CPU (gpu_preprocess.py): they would cost more
// than the samples they weigh if every pixel computed its own.

struct Plan {
    // The input's size, and the part of it that the picture fills (smaller than the whole for a letterbox).
    target_size: vec2u,
    inner_origin: vec2u,
    inner_size: vec2u,
    // Samples that one output sample is made of, across and down.
    taps: vec2u,
    // First source row of the intermediate, and how many rows it has.
    first_row: u32,
    row_count: u32,
    channels: u32,
    // Channels as stored with channels last: at least `channels`; the rest are zero.
    stored_channels: u32,
    channels_last: u32,
    // First word of the tensor in its buffer.
    offset: u32,
    elements: u32,
    // Gray level around the picture; -1: its edge is repeated instead; -2: the tensor is zero there.
    pad: f32,
    // channel = dot(row, vec4(R', G', B', 1)) with R'G'B' in 0..1.
    rows: array<vec4f, 3>,
}

// Elements of the tensor in one word: 1 float32 or, with `whole`, int32; 2 float16; 4 bytes.
override packing: u32 = 1u;
override whole: u32 = 0u;
// Of bytes: 0, or -128 for those with a sign.
override least: f32 = 0.0;

@group(0) @binding(0) var<uniform> plan: Plan;
@group(0) @binding(1) var source: texture_2d<f32>;
@group(0) @binding(2) var<storage, read_write> middle: array<f32>; // [channel][source row][target column]
@group(0) @binding(3) var<storage, read_write> tensor: array<u32>;
// For each column, then for each row, of the inner part: the first source sample, then the bits of `taps` weights. Rows
// count from `first_row`.
@group(0) @binding(4) var<storage, read> taps: array<u32>;

@compute @workgroup_size(16, 8)
fn horizontal(@builtin(global_invocation_id) id: vec3u) {
    let width = plan.inner_size.x;
    if id.x >= width || id.y >= plan.row_count {
        return;
    }
    let row = plan.first_row + id.y;
    let at = id.x * (plan.taps.x + 1u);
    let first = taps[at];
    var sum = vec3f(0.0);
    for (var i = 0u; i < plan.taps.x; i++) {
        // What the screen cannot show, the network does not see either.
        let rgb = clamp(textureLoad(source, vec2u(first + i, row), 0).rgb, vec3f(0.0), vec3f(1.0));
        sum += bitcast<f32>(taps[at + 1u + i]) * rgb;
    }
    let color = vec4f(sum, 1.0);
    for (var c = 0u; c < plan.channels; c++) {
        middle[(c * plan.row_count + id.y) * width + id.x] = dot(plan.rows[c], color);
    }
}

fn element(index: u32) -> f32 {
    var c: u32;
    var x: u32;
    var y: u32;
    if plan.channels_last == 1u {
        c = index % plan.stored_channels;
        x = (index / plan.stored_channels) % plan.target_size.x;
        y = index / (plan.stored_channels * plan.target_size.x);
    } else {
        x = index % plan.target_size.x;
        y = (index / plan.target_size.x) % plan.target_size.y;
        c = index / (plan.target_size.x * plan.target_size.y);
    }
    if c >= plan.channels {
        return 0.0;
    }
    // Unsigned: what lies left of or above the picture wraps to a large number.
    var column = x - plan.inner_origin.x;
    var line = y - plan.inner_origin.y;
    let is_outside = column >= plan.inner_size.x || line >= plan.inner_size.y;
    if plan.pad < -1.5 && is_outside {
        return 0.0;
    } else if plan.pad < 0.0 {
        column = u32(clamp(i32(column), 0, i32(plan.inner_size.x) - 1));
        line = u32(clamp(i32(line), 0, i32(plan.inner_size.y) - 1));
    } else if is_outside {
        return dot(plan.rows[c], vec4f(vec3f(plan.pad), 1.0));
    }
    let at = plan.inner_size.x * (plan.taps.x + 1u) + line * (plan.taps.y + 1u);
    var position = (c * plan.row_count + taps[at]) * plan.inner_size.x + column;
    var sum = 0.0;
    for (var i = 0u; i < plan.taps.y; i++) {
        sum += bitcast<f32>(taps[at + 1u + i]) * middle[position];
        position += plan.inner_size.x;
    }
    return sum;
}

@compute @workgroup_size(64)
fn vertical(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let word = id.x + id.y * groups.x * 64u;
    let first = word * packing;
    if first >= plan.elements {
        return;
    }
    var bits = 0u;
    if whole == 1u {
        bits = bitcast<u32>(i32(clamp(round(element(first)), least, least + 255.0)));
    } else if packing == 1u {
        bits = bitcast<u32>(element(first));
    } else if packing == 2u {
        var pair = vec2f(element(first), 0.0);
        if first + 1u < plan.elements {
            pair.y = element(first + 1u);
        }
        // Without the shader-f16 feature, which not every adapter has.
        bits = pack2x16float(pair);
    } else {
        for (var i = 0u; i < 4u && first + i < plan.elements; i++) {
            let byte = bitcast<u32>(i32(clamp(round(element(first + i)), least, least + 255.0))) & 255u;
            bits |= byte << (8u * i);
        }
    }
    tensor[plan.offset + word] = bits;
}
