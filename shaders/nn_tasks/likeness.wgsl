// The cosine between a vector and each of some references of length 1, by one workgroup a reference.
//
// The vector is scaled by the power of two of its greatest number before it is squared, so that no sum overflows. It is not divided by that
// number: a GPU may divide by its reciprocal, which is 0 where the number is near the largest that there is. A vector that has no length, or in which
// something is not a number, points nowhere: its cosine is 0.

struct Plan {
    // Numbers of the vector.
    count: u32,
    // First element of the vector in its buffer, and elements from one number to the next.
    offset: u32,
    stride: u32,
    unused: u32,
}

// Numbers in one word: 1 float32, 2 float16.
override packing: u32 = 1u;

const THREADS = 256u;

@group(0) @binding(0) var<uniform> plan: Plan;
@group(0) @binding(1) var<storage, read> vector: array<u32>;
@group(0) @binding(2) var<storage, read> references: array<u32>;
@group(0) @binding(3) var<storage, read_write> result: array<f32>;

var<workgroup> partial: array<vec3f, THREADS>;

fn bits(x: f32) -> u32 {
    return bitcast<u32>(x) & 0x7fffffffu;
}

fn number(i: u32) -> f32 {
    let at = plan.offset + i * plan.stride;
    if packing == 2u {
        let pair = unpack2x16float(vector[at / 2u]);
        return select(pair.x, pair.y, at % 2u == 1u);
    }
    return bitcast<f32>(vector[at]);
}

// 2 to the power of `exponent`, -126 to 127.
fn power_of_two(exponent: i32) -> f32 {
    return bitcast<f32>(u32(exponent + 127) << 23u);
}

fn reference(i: u32) -> f32 {
    if packing == 2u {
        let pair = unpack2x16float(references[i / 2u]);
        return select(pair.x, pair.y, i % 2u == 1u);
    }
    return bitcast<f32>(references[i]);
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) thread: u32) {
    // Sizes as bits: their order is that of the numbers, and what is infinite or no number is greater than all of them.
    var most = 0u;
    for (var i = thread; i < plan.count; i += THREADS) {
        most = max(most, bits(number(i)));
    }
    partial[thread] = vec3f(bitcast<f32>(min(most, 0x7f7fffffu)), select(0.0, 1.0, most > 0x7f7fffffu), 0.0);
    workgroupBarrier();
    for (var half = THREADS / 2u; half > 0u; half /= 2u) {
        if thread < half {
            partial[thread] = max(partial[thread], partial[thread + half]);
        }
        workgroupBarrier();
    }
    let scale = partial[0].x;
    let is_wrong = partial[0].y > 0.0 || scale == 0.0;
    workgroupBarrier();

    // In two steps, because the power for the smallest numbers is none itself.
    let exponent = 127 - i32(bits(scale) >> 23u);
    let first = power_of_two(exponent / 2);
    let second = power_of_two(exponent - exponent / 2);
    var sum = vec3f(0.0);
    if !is_wrong {
        for (var i = thread; i < plan.count; i += THREADS) {
            let x = number(i) * first * second;
            sum += vec3f(x * reference(group.x * plan.count + i), x * x, 0.0);
        }
    }
    partial[thread] = sum;
    workgroupBarrier();
    for (var half = THREADS / 2u; half > 0u; half /= 2u) {
        if thread < half {
            partial[thread] += partial[thread + half];
        }
        workgroupBarrier();
    }
    if thread == 0u {
        // Of the scaled vector one number is at least 1, so its length is at least that.
        result[group.x] = select(partial[0].x / sqrt(max(partial[0].y, 1e-30)), 0.0, is_wrong);
    }
}
