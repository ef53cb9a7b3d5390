// The state that a network gave becomes the one that it takes with the next picture.

struct State {
    // 32-bit words of the state, and where the two begin in their buffers.
    words: u32,
    given: u32,
    taken: u32,
    unused: u32,
}

@group(0) @binding(0) var<uniform> state: State;
@group(0) @binding(1) var<storage, read> given: array<u32>;
@group(0) @binding(2) var<storage, read_write> taken: array<u32>;

@compute @workgroup_size(64)
fn keep(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let at = id.y * groups.x * 64u + id.x;
    if at < state.words {
        taken[state.taken + at] = given[state.given + at];
    }
}
