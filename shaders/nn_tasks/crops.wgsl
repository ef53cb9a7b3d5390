// Regions of a picture become the items of a network's input batch, in two passes.
//
// `sample` takes each pixel of each region from the picture: bilinear, the edge repeated outside. A sample is of two texels across and
// down; where a pixel covers more, it is the mean of as many samples as leave none out (at most MOST each way). It applies the affine
// map of the channels. `store` packs that into the tensor.

// A region: (u, v) in 0..1 of it lies at (dot(across.xyz, (u, v, 1)), dot(down.xyz, (u, v, 1))) in shares of the picture. across.w is its
// score, zero for no region; what else it has is for who reads it back.
struct Region {
    across: vec4f,
    down: vec4f,
    box: vec4f,
}

struct Plan {
    target_size: vec2u,
    // First region, and how many items.
    first: u32,
    items: u32,
    channels: u32,
    // Channels as stored with channels last: at least `channels`; the rest are zero.
    stored_channels: u32,
    channels_last: u32,
    // First word of the tensor in its buffer.
    offset: u32,
    // channel = dot(row, vec4(R', G', B', 1)) with R'G'B' in 0..1.
    rows: array<vec4f, 3>,
}

const MOST = 16.0;

// Elements of the tensor in one word: 1 float32 or, with `whole`, int32; 2 float16; 4 bytes.
override packing: u32 = 1u;
override whole: u32 = 0u;
// Of a byte: 0, or -128 where it is signed.
override least: f32 = 0.0;

@group(0) @binding(0) var<uniform> plan: Plan;
@group(0) @binding(1) var source: texture_2d<f32>;
@group(0) @binding(2) var<storage, read> regions: array<Region>;
@group(0) @binding(3) var<storage, read_write> middle: array<f32>; // [item][channel][row][column]
@group(0) @binding(4) var<storage, read_write> tensor: array<u32>;

fn texel(at: vec2i) -> vec3f {
    let last = vec2i(textureDimensions(source)) - 1;
    // What the screen cannot show, the network does not see either.
    return clamp(textureLoad(source, clamp(at, vec2i(0), last), 0).rgb, vec3f(0.0), vec3f(1.0));
}

// The picture at a position in texels, whose middles are at halves.
fn bilinear(position: vec2f) -> vec3f {
    let size = vec2f(textureDimensions(source));
    let at = clamp(position, vec2f(0.0), size) - 0.5;
    let low = floor(at);
    let share = at - low;
    let first = vec2i(low);
    let above = mix(texel(first), texel(first + vec2i(1, 0)), share.x);
    let below = mix(texel(first + vec2i(0, 1)), texel(first + vec2i(1, 1)), share.x);
    return mix(above, below, share.y);
}

@compute @workgroup_size(8, 8)
fn sample(@builtin(global_invocation_id) id: vec3u) {
    if any(id.xy >= plan.target_size) || id.z >= plan.items {
        return;
    }
    let region = regions[plan.first + id.z];
    let size = vec2f(textureDimensions(source));
    let target_size = vec2f(plan.target_size);
    // One step to the right and one down in the input, in texels.
    let right = vec2f(region.across.x, region.down.x) * size / target_size.x;
    let down = vec2f(region.across.y, region.down.y) * size / target_size.y;
    let counts = clamp(ceil(vec2f(length(right), length(down)) / 2.0 - 0.001), vec2f(1.0), vec2f(MOST));
    let corner = vec2f(region.across.z, region.down.z) * size;
    var sum = vec3f(0.0);
    if region.across.w > 0.0 {
        for (var j = 0.0; j < counts.y; j += 1.0) {
            for (var i = 0.0; i < counts.x; i += 1.0) {
                let at = vec2f(id.xy) + (vec2f(i, j) + 0.5) / counts;
                sum += bilinear(corner + at.x * right + at.y * down);
            }
        }
    }
    let color = vec4f(sum / (counts.x * counts.y), 1.0);
    let area = plan.target_size.x * plan.target_size.y;
    for (var c = 0u; c < plan.channels; c++) {
        let at = (id.z * plan.channels + c) * area + id.y * plan.target_size.x + id.x;
        middle[at] = dot(plan.rows[c], color);
    }
}

fn element(index: u32) -> f32 {
    let area = plan.target_size.x * plan.target_size.y;
    if plan.channels_last == 0u {
        return middle[index];
    }
    let c = index % plan.stored_channels;
    let pixel = index / plan.stored_channels;
    if c >= plan.channels {
        return 0.0;
    }
    return middle[((pixel / area) * plan.channels + c) * area + pixel % area];
}

@compute @workgroup_size(64)
fn store(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let word = id.x + id.y * groups.x * 64u;
    let first = word * packing;
    let stored = select(plan.channels, plan.stored_channels, plan.channels_last == 1u);
    let elements = plan.items * stored * plan.target_size.x * plan.target_size.y;
    if first >= elements {
        return;
    }
    var bits = 0u;
    if whole == 1u {
        bits = bitcast<u32>(i32(clamp(round(element(first)), least, least + 255.0)));
    } else if packing == 1u {
        bits = bitcast<u32>(element(first));
    } else if packing == 2u {
        var pair = vec2f(element(first), 0.0);
        if first + 1u < elements {
            pair.y = element(first + 1u);
        }
        // Without the shader-f16 feature, which not every adapter has.
        bits = pack2x16float(pair);
    } else {
        for (var i = 0u; i < 4u && first + i < elements; i++) {
            let byte = bitcast<u32>(i32(clamp(round(element(first + i)), least, least + 255.0))) & 255u;
            bits |= byte << (8u * i);
        }
    }
    tensor[plan.offset + word] = bits;
}
