// Whether one of a tensor's values lies at the end of its type's range or beyond: infinite, no number, or the largest finite one, which
// stands for all that a float16 does not hold. `found` has a word for each tensor that is looked through, and keeps what was noted.

struct Plan {
    // How many values there are, and the tensor's word.
    count: u32,
    word: u32,
}

// Values in one word: 1 float32, 2 float16.
override packing: u32 = 1u;
// The smallest bits of a float32 that is noted.
override least: u32 = 0x7f7fffffu;
// Threads of all workgroups.
override threads: u32 = 256u;

@group(0) @binding(0) var<uniform> plan: Plan;
@group(0) @binding(1) var<storage, read> values: array<u32>;
@group(0) @binding(2) var<storage, read_write> found: array<atomic<u32>>;

fn is_out(at: u32) -> bool {
    if packing == 2u {
        let half = (values[at / 2u] >> (16u * (at % 2u))) & 0x7fffu;
        return half >= 0x7bffu;
    }
    return (values[at] & 0x7fffffffu) >= least;
}

@compute @workgroup_size(256)
fn look(@builtin(global_invocation_id) thread: vec3u) {
    for (var i = thread.x; i < plan.count; i += threads) {
        if is_out(i) {
            atomicStore(&found[plan.word], 1u);
            return;
        }
    }
}
