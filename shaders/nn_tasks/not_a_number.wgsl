// Whether one of a tensor's values is no number: `begin` forgets, `look` notes the first that a thread finds.

struct Plan {
    // First value in the buffer, and how many there are, counted in values.
    first: u32,
    count: u32,
}

// Values in one word: 1 float32, 2 float16.
override packing: u32 = 1u;
// Threads of all workgroups of `look`.
override threads: u32 = 256u;

@group(0) @binding(0) var<uniform> plan: Plan;
@group(0) @binding(1) var<storage, read> values: array<u32>;
@group(0) @binding(2) var<storage, read_write> found: atomic<u32>;

@compute @workgroup_size(1)
fn begin() {
    atomicStore(&found, 0u);
}

// A test by `x != x` may be optimized away, so the bits are looked at.
fn is_nan(at: u32) -> bool {
    if packing == 2u {
        let half = (values[at / 2u] >> (16u * (at % 2u))) & 0x7fffu;
        return half > 0x7c00u;
    }
    return (values[at] & 0x7fffffffu) > 0x7f800000u;
}

@compute @workgroup_size(256)
fn look(@builtin(global_invocation_id) thread: vec3u) {
    for (var i = thread.x; i < plan.count; i += threads) {
        if is_nan(plan.first + i) {
            atomicStore(&found, 1u);
            return;
        }
    }
}
