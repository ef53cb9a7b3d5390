// Between the networks of a pipeline's folder: tensors copied and scaled, noise mixed in, the steps of a scheduler.
// desktop/pipeline/running/repaint/latents.py says the same in NumPy, desktop/vision/diffusion/trajectory.py what a step is.

const F16 = 1u;
const I32 = 2u;

struct Plan {
    // Elements of the source that count, and of the goal, which repeats them.
    count: u32,
    total: u32,
    // The first 32-bit word of each.
    source: u32,
    goal: u32,
    // 0: float32, 1: two float16 in a word, 2: int32.
    source_kind: u32,
    goal_kind: u32,
    // 1: outputs of two prompts lie one behind the other.
    guided: u32,
    gain: f32,
    bias: f32,
    guidance: f32,
    // What `Step` has.
    denoised_sample: f32,
    denoised_output: f32,
    clip: f32,
    of_sample: f32,
    of_output: f32,
    of_denoised: f32,
    of_previous: f32,
    of_second: f32,
    of_third: f32,
    of_noise: f32,
    // 1: later steps look at what this one denoised.
    kept: u32,
}

@group(0) @binding(0) var<uniform> plan: Plan;
@group(0) @binding(1) var<storage, read> source: array<u32>;
@group(0) @binding(2) var<storage, read_write> goal: array<u32>;
@group(0) @binding(3) var<storage, read> noise: array<f32>;
// What the last three steps denoised, the newest first.
@group(0) @binding(4) var<storage, read_write> past: array<f32>;

fn number(id: vec3u, groups: vec3u) -> u32 {
    return id.y * groups.x * 64u + id.x;
}

fn taken(at: u32) -> f32 {
    if plan.source_kind == F16 {
        return unpack2x16float(source[plan.source + at / 2u])[at % 2u];
    }
    return bitcast<f32>(source[plan.source + at]);
}

fn scaled(at: u32) -> f32 {
    return taken(at % plan.count) * plan.gain + plan.bias;
}

// One word of the goal a thread.
@compute @workgroup_size(64)
fn scale(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let word = number(id, groups);
    if plan.goal_kind == F16 {
        if 2u * word < plan.total {
            goal[plan.goal + word] = pack2x16float(vec2f(scaled(2u * word), scaled(2u * word + 1u)));
        }
    } else if word < plan.total {
        goal[plan.goal + word] = bitcast<u32>(scaled(word));
    }
}

// A number for all of a tensor's elements: `bias`.
@compute @workgroup_size(64)
fn tell(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let word = number(id, groups);
    if plan.goal_kind == F16 {
        if 2u * word < plan.total {
            goal[plan.goal + word] = pack2x16float(vec2f(plan.bias));
        }
    } else if word < plan.total {
        goal[plan.goal + word] = select(bitcast<u32>(plan.bias), u32(plan.bias), plan.goal_kind == I32);
    }
}

// The first sample.
@compute @workgroup_size(64)
fn begin(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let at = number(id, groups);
    if at < plan.count {
        goal[at] = bitcast<u32>(scaled(at) + plan.of_noise * noise[at]);
    }
}

// 0 times infinity is no 0.
fn term(factor: f32, value: f32) -> f32 {
    return select(factor * value, 0.0, factor == 0.0);
}

@compute @workgroup_size(64)
fn advance(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let at = number(id, groups);
    if at >= plan.count {
        return;
    }
    let sample = bitcast<f32>(goal[at]);
    var output = taken(at);
    if plan.guided == 1u {
        output += plan.guidance * (taken(plan.count + at) - output);
    }
    var denoised = term(plan.denoised_sample, sample) + term(plan.denoised_output, output);
    if plan.clip > 0.0 {
        denoised = clamp(denoised, -plan.clip, plan.clip);
    }
    var next = term(plan.of_sample, sample) + term(plan.of_output, output) + term(plan.of_denoised, denoised);
    let second = plan.count + at;
    let third = 2u * plan.count + at;
    next += term(plan.of_previous, past[at]) + term(plan.of_second, past[second]) + term(plan.of_third, past[third]);
    if plan.of_noise != 0.0 {
        next += plan.of_noise * noise[at];
    }
    goal[at] = bitcast<u32>(next);
    if plan.kept == 1u {
        past[third] = past[second];
        past[second] = past[at];
        past[at] = denoised;
    }
}
