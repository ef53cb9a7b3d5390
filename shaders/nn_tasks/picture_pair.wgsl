// The picture before, for a network of two pictures: kept on the GPU from one inference to the next.

struct Pair {
    // 32-bit words of a picture, and where the two begin in their buffers.
    words: u32,
    present: u32,
    before: u32,
    unused: u32,
}

@group(0) @binding(0) var<uniform> pair: Pair;
@group(0) @binding(1) var<storage, read> present: array<u32>;
@group(0) @binding(2) var<storage, read_write> before: array<u32>;
// 0: there is none.
@group(0) @binding(3) var<storage, read_write> state: array<u32>;

fn word(id: vec3u, groups: vec3u) -> u32 {
    return id.y * groups.x * 64u + id.x;
}

// The first picture is its own past: nothing has moved.
@compute @workgroup_size(64)
fn begin(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let at = word(id, groups);
    if at < pair.words && state[0] == 0u {
        before[pair.before + at] = present[pair.present + at];
    }
}

@compute @workgroup_size(64)
fn keep(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let at = word(id, groups);
    if at < pair.words {
        before[pair.before + at] = present[pair.present + at];
    }
    if at == 0u {
        state[0] = 1u;
    }
}
