// Tiles of a picture for a network that does not take all of it at once: `cut` copies one out of the whole input tensor into the network's,
// `paste` adds what the network made of it to the whole output tensor, with weights that fade from tile to tile.

struct Tile {
    // Of the tile and of the whole tensor, in columns and rows, and where the tile begins in it.
    size: vec2u,
    whole: vec2u,
    origin: vec2u,
    channels: u32,
    // 1: [height, width, channels], 0: [channels, height, width].
    channels_last: u32,
    // In columns and rows of the whole: where the tile begins to be seen and is seen fully, where it begins to go and is gone.
    rise: vec4f, // x from, x to, y from, y to
    fall: vec4f,
}

// Elements: 0 float32, 1 float16, 2 int32, 3 uint32; `cut` copies bits, and only asks how many there are in a word.
override element_type: u32 = 0u;
override packing: u32 = 1u;

@group(0) @binding(0) var<uniform> tile: Tile;
@group(0) @binding(1) var<storage, read> source: array<u32>;
@group(0) @binding(2) var<storage, read_write> result: array<u32>;

// Number of an element of the tile -> column, row, channel.
fn place(index: u32) -> vec3u {
    if tile.channels_last == 1u {
        let pixel = index / tile.channels;
        return vec3u(pixel % tile.size.x, pixel / tile.size.x, index % tile.channels);
    }
    let row = index / tile.size.x;
    return vec3u(index % tile.size.x, row % tile.size.y, row / tile.size.y);
}

fn address(at: vec3u, size: vec2u) -> u32 {
    if tile.channels_last == 1u {
        return (at.y * size.x + at.x) * tile.channels + at.z;
    }
    return (at.z * size.y + at.y) * size.x + at.x;
}

@compute @workgroup_size(64)
fn cut(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let word = id.y * groups.x * 64u + id.x;
    let count = tile.size.x * tile.size.y * tile.channels;
    if word * packing >= count {
        return;
    }
    let bits = 32u / packing;
    var found = 0u;
    for (var i = 0u; i < packing; i++) {
        let index = word * packing + i;
        if index < count {
            let from_index = address(place(index) + vec3u(tile.origin, 0u), tile.whole);
            let element = extractBits(source[from_index / packing], from_index % packing * bits, bits);
            found = insertBits(found, element, i * bits, bits);
        }
    }
    result[word] = found;
}

fn element(index: u32) -> f32 {
    if element_type == 1u {
        return unpack2x16float(source[index / 2u])[index % 2u];
    }
    let word = source[index];
    if element_type == 2u {
        return f32(bitcast<i32>(word));
    }
    return select(bitcast<f32>(word), f32(word), element_type == 3u);
}

fn ramp(at: f32, low: f32, high: f32) -> f32 {
    return select(clamp((at - low) / (high - low), 0.0, 1.0), step(low, at), high <= low);
}

@compute @workgroup_size(8, 8)
fn paste(@builtin(global_invocation_id) id: vec3u) {
    if id.x >= tile.size.x || id.y >= tile.size.y {
        return;
    }
    let at = vec2f(id.xy + tile.origin) + 0.5;
    let rise = vec2f(ramp(at.x, tile.rise.x, tile.rise.y), ramp(at.y, tile.rise.z, tile.rise.w));
    let fall = vec2f(1.0 - ramp(at.x, tile.fall.x, tile.fall.y), 1.0 - ramp(at.y, tile.fall.z, tile.fall.w));
    let weight = rise.x * rise.y * fall.x * fall.y;
    if weight <= 0.0 {
        return;
    }
    // The first tile at a pixel replaces what the picture before left there.
    let is_first = rise.x >= 1.0 && rise.y >= 1.0;
    for (var c = 0u; c < tile.channels; c++) {
        let to = address(vec3u(id.xy + tile.origin, c), tile.whole);
        let before = select(bitcast<f32>(result[to]), 0.0, is_first);
        result[to] = bitcast<u32>(before + weight * element(address(vec3u(id.xy, c), tile.size)));
    }
}
