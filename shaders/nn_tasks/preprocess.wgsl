// A picture becomes a network's input tensor, in two passes of a separable resampling filter.
//
// `horizontal` reads the source's rows that the crop needs, resamples them to the target's width and applies the
// affine map of the channels (colour order, scale, mean, deviation). `vertical` resamples the columns and stores.
// The affine map commutes with the second pass because a filter's weights are normalised to 1.
//
// The filter is that of an antialiased resize: its support grows with the factor by which the picture shrinks, as in
// Pillow's Image.resize (Duff, "Compositing 3-D Rendered Images", and Turkowski, "Filters for Common Resampling
// Tasks", 1990). Taps are cut off at the picture's edges, not at the crop's.

struct Plan {
    // The part of the source that is used, in pixels.
    origin: vec2f,
    extent: vec2f,
    source: vec2u,
    // The input's size, and the part of it that the picture fills (smaller than the whole for a letterbox).
    target_size: vec2u,
    inner_origin: vec2u,
    inner_size: vec2u,
    // First source row of the intermediate, and how many rows it has.
    first_row: u32,
    row_count: u32,
    channels: u32,
    // Channels as stored with channels last: at least `channels`; the rest are zero.
    stored_channels: u32,
    channels_last: u32,
    filter_kind: u32, // 0 nearest, 1 bilinear (triangle), 2 bicubic (Keys, a = -0.5)
    // First element of the tensor in its buffer.
    offset: u32,
    elements: u32,
    pad: f32,
    unused: f32,
    // channel = dot(row, vec4(R', G', B', 1)) with R'G'B' in 0..1.
    rows: array<vec4f, 3>,
}

// Elements of the tensor in one word: 1 float32, 2 float16, 4 uint8.
override packing: u32 = 1u;

@group(0) @binding(0) var<uniform> plan: Plan;
@group(0) @binding(1) var source: texture_2d<f32>;
@group(0) @binding(2) var<storage, read_write> middle: array<f32>; // [channel][source row][target column]
@group(0) @binding(3) var<storage, read_write> tensor: array<u32>;

struct Taps {
    first: u32,
    last: u32, // one past the last
    center: f32,
    inverse_scale: f32,
}

fn taps(index: u32, count: u32, origin: f32, extent: f32, limit: u32) -> Taps {
    let step = extent / f32(count);
    let center = origin + (f32(index) + 0.5) * step;
    if plan.filter_kind == 0u {
        let nearest = u32(clamp(floor(center), 0.0, f32(limit - 1u)));
        return Taps(nearest, nearest + 1u, f32(nearest) + 0.5, 1.0);
    }
    let scale = max(step, 1.0);
    let support = scale * select(1.0, 2.0, plan.filter_kind == 2u);
    let first = u32(clamp(floor(center - support + 0.5), 0.0, f32(limit - 1u)));
    let last = u32(clamp(floor(center + support + 0.5), f32(first) + 1.0, f32(limit)));
    return Taps(first, last, center, 1.0 / scale);
}

fn weight(position: u32, t: Taps) -> f32 {
    let x = abs((f32(position) + 0.5 - t.center) * t.inverse_scale);
    if plan.filter_kind == 2u {
        if x < 1.0 {
            return (1.5 * x - 2.5) * x * x + 1.0;
        }
        return select(0.0, ((-0.5 * x + 2.5) * x - 4.0) * x + 2.0, x < 2.0);
    }
    return max(1.0 - x, 0.0);
}

@compute @workgroup_size(16, 8)
fn horizontal(@builtin(global_invocation_id) id: vec3u) {
    let width = plan.inner_size.x;
    if id.x >= width || id.y >= plan.row_count {
        return;
    }
    let row = plan.first_row + id.y;
    let t = taps(id.x, width, plan.origin.x, plan.extent.x, plan.source.x);
    var sum = vec3f(0.0);
    var total = 0.0;
    for (var x = t.first; x < t.last; x++) {
        let w = weight(x, t);
        // What the screen cannot show, the network does not see either.
        sum += w * clamp(textureLoad(source, vec2u(x, row), 0).rgb, vec3f(0.0), vec3f(1.0));
        total += w;
    }
    let color = vec4f(sum / total, 1.0);
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
    let column = x - plan.inner_origin.x;
    let line = y - plan.inner_origin.y;
    if column >= plan.inner_size.x || line >= plan.inner_size.y {
        return dot(plan.rows[c], vec4f(vec3f(plan.pad), 1.0));
    }
    let t = taps(line, plan.inner_size.y, plan.origin.y, plan.extent.y, plan.source.y);
    let base = c * plan.row_count * plan.inner_size.x + column;
    var sum = 0.0;
    var total = 0.0;
    for (var row = t.first; row < t.last; row++) {
        let w = weight(row, t);
        sum += w * middle[(row - plan.first_row) * plan.inner_size.x + base];
        total += w;
    }
    return sum / total;
}

@compute @workgroup_size(64)
fn vertical(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let word = id.x + id.y * groups.x * 64u;
    let first = word * packing;
    if first >= plan.elements {
        return;
    }
    var bits = 0u;
    if packing == 1u {
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
            bits |= u32(clamp(round(element(first + i)), 0.0, 255.0)) << (8u * i);
        }
    }
    tensor[plan.offset + word] = bits;
}
