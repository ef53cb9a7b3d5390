// Around a few-step denoiser: squares and sketch of the picture, noise mixed in before each step, the result behind the last.
// desktop/pipeline/running/repaint/denoising.py says the same in NumPy. Pictures are planes (3, height, width), float32 or pairs of float16.

const SIDE = 8u;
const THREADS = 256u;

struct Plan {
    width: u32,
    height: u32,
    // Squares along each side.
    across: u32,
    down: u32,
    // The first 32-bit word of the picture that is read, and of the one that is written.
    source: u32,
    goal: u32,
    // 1: two float16 in a word.
    source_half: u32,
    goal_half: u32,
    seed: u32,
    level: f32,
    // Of the range -1..1.
    similarity: f32,
    unused: u32,
}

@group(0) @binding(0) var<uniform> plan: Plan;
@group(0) @binding(1) var<storage, read> source: array<u32>;
@group(0) @binding(2) var<storage, read_write> goal: array<u32>;
@group(0) @binding(3) var<storage, read_write> means: array<f32>;
// Those of the picture that the result is of.
@group(0) @binding(4) var<storage, read_write> kept: array<f32>;
// 0: 1 once there is a result. 1: 1 where the picture is like that of the result.
@group(0) @binding(5) var<storage, read_write> state: array<u32>;

fn taken(at: u32) -> f32 {
    if plan.source_half == 1u {
        return unpack2x16float(source[plan.source + at / 2u])[at % 2u];
    }
    return bitcast<f32>(source[plan.source + at]);
}

// A network may give anything: what is no number is gray.
fn bounded(v: f32) -> f32 {
    return select(0.0, clamp(v, -1.0, 1.0), abs(v) < 1e30);
}

// x, y, channel of element `at` of a picture.
fn place(at: u32) -> vec3u {
    let plane = plan.width * plan.height;
    let rest = at % plane;
    return vec3u(rest % plan.width, rest / plan.width, at / plane);
}

fn elements() -> u32 {
    return 3u * plan.width * plan.height;
}

fn number(id: vec3u, groups: vec3u) -> u32 {
    return id.y * groups.x * 64u + id.x;
}

// -- the picture ------------------------------------------------------------------------------------------------------------

@compute @workgroup_size(64)
fn reduce(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let at = number(id, groups);
    let count = plan.across * plan.down;
    if at >= 3u * count {
        return;
    }
    let channel = at / count;
    let first = vec2u(at % count % plan.across, at % count / plan.across) * SIDE;
    let last = min(first + SIDE, vec2u(plan.width, plan.height));
    var sum = 0.0;
    for (var y = first.y; y < last.y; y++) {
        for (var x = first.x; x < last.x; x++) {
            sum += bounded(taken((channel * plan.height + y) * plan.width + x));
        }
    }
    means[at] = sum / f32((last.x - first.x) * (last.y - first.y));
}

var<workgroup> most: array<f32, THREADS>;

@compute @workgroup_size(THREADS)
fn judge(@builtin(local_invocation_index) thread: u32) {
    let count = 3u * plan.across * plan.down;
    var greatest = 0.0;
    for (var at = thread; at < count; at += THREADS) {
        greatest = max(greatest, abs(means[at] - kept[at]));
    }
    most[thread] = greatest;
    workgroupBarrier();
    for (var step = THREADS / 2u; step > 0u; step /= 2u) {
        if thread < step {
            most[thread] = max(most[thread], most[thread + step]);
        }
        workgroupBarrier();
    }
    if thread == 0u {
        state[1] = select(0u, 1u, state[0] == 1u && most[0] < plan.similarity);
    }
}

fn sketched(at: u32) -> f32 {
    let p = place(at);
    let edge = vec2f(f32(plan.across), f32(plan.down)) - 1.0;
    let middle = clamp((vec2f(p.xy) + 0.5) / f32(SIDE) - 0.5, vec2f(0.0), edge);
    let low = vec2u(floor(middle));
    let high = min(low + 1u, vec2u(edge));
    let share = middle - floor(middle);
    let plane = p.z * plan.across * plan.down;
    let top = mix(means[plane + low.y * plan.across + low.x], means[plane + low.y * plan.across + high.x], share.x);
    let bottom = mix(means[plane + high.y * plan.across + low.x], means[plane + high.y * plan.across + high.x], share.x);
    return mix(top, bottom, share.y);
}

// -- noise ------------------------------------------------------------------------------------------------------------------

// Jarzynski and Olano, "Hash Functions for GPU Rendering", JCGT 2020.
fn pcg3d(given: vec3u) -> vec3u {
    var v = given * 1664525u + 1013904223u;
    v.x += v.y * v.z;
    v.y += v.z * v.x;
    v.z += v.x * v.y;
    v ^= v >> vec3u(16u);
    v.x += v.y * v.z;
    v.y += v.z * v.x;
    v.z += v.x * v.y;
    return v;
}

fn noised(at: u32) -> f32 {
    let p = place(at);
    let drawn = pcg3d(vec3u(p.x, p.y | (p.z << 20u), plan.seed)) >> vec3u(8u);
    let radius = sqrt(-2.0 * log(f32(drawn.x + 1u) / 16777216.0));
    let noise = radius * cos(f32(drawn.y) * (6.28318530718 / 16777216.0));
    return (1.0 - plan.level) * bounded(taken(at)) + plan.level * noise;
}

// -- what the network is given ----------------------------------------------------------------------------------------------

@compute @workgroup_size(64)
fn write_sketch(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let word = number(id, groups);
    if plan.goal_half == 1u {
        if 2u * word < elements() {
            goal[plan.goal + word] = pack2x16float(vec2f(sketched(2u * word), sketched(2u * word + 1u)));
        }
    } else if word < elements() {
        goal[plan.goal + word] = bitcast<u32>(sketched(word));
    }
}

@compute @workgroup_size(64)
fn write_noised(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let word = number(id, groups);
    if plan.goal_half == 1u {
        if 2u * word < elements() {
            goal[plan.goal + word] = pack2x16float(vec2f(noised(2u * word), noised(2u * word + 1u)));
        }
    } else if word < elements() {
        goal[plan.goal + word] = bitcast<u32>(noised(word));
    }
}

@compute @workgroup_size(1)
fn write_level() {
    goal[plan.goal] = select(bitcast<u32>(plan.level), pack2x16float(vec2f(plan.level, 0.0)), plan.goal_half == 1u);
}

// -- the result -------------------------------------------------------------------------------------------------------------

// The last result stays where the picture is like its own.
@compute @workgroup_size(64)
fn finish(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let at = number(id, groups);
    if state[1] == 1u {
        return;
    }
    if at < elements() {
        goal[plan.goal + at] = bitcast<u32>(bounded(taken(at)));
    }
    if at < 3u * plan.across * plan.down {
        kept[at] = means[at];
    }
    if at == 0u {
        state[0] = 1u;
    }
}
