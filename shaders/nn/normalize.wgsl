// Normalizes each group of LENGTH elements of a row-major tensor: less their mean where CENTERED, times `factor` of the sum of `term`s.
// `term`, `factor` and `stored` (scale, bias) are the operator's. A workgroup a group.
// WRITES: 0 the elements, 1 the mean, 2 the factor.

var<workgroup> partial: array<f32, LANES>;

fn base_of(group: u32) -> u32 {
    var rest = group;
    var base = 0u;
#for d in KEPT
    base += rest % KEPT_SIZE_${d} * KEPT_STRIDE_${d};
    rest /= KEPT_SIZE_${d};
#end
    return base;
}

fn offset_of(k: u32) -> u32 {
    var rest = k;
    var offset = 0u;
#for d in GONE
    offset += rest % GONE_SIZE_${d} * GONE_STRIDE_${d};
    rest /= GONE_SIZE_${d};
#end
    return offset;
}

// Every thread gets the sum of what the threads of the workgroup bring.
fn total(lane: u32, value: f32) -> f32 {
    partial[lane] = value;
    workgroupBarrier();
    for (var half = LANES / 2u; half > 0u; half /= 2u) {
        if (lane < half) {
            partial[lane] += partial[lane + half];
        }
        workgroupBarrier();
    }
    let sum = partial[0];
    workgroupBarrier();
    return sum;
}

@compute @workgroup_size(LANES)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let row = min(group.y * WIDTH + group.x, COUNT - 1u);
    let base = base_of(row);
    var mean = 0.0;
#if CENTERED
    var sum = 0.0;
    for (var k = lane; k < LENGTH; k += LANES) {
        sum += f32(x[base + offset_of(k)]);
    }
    mean = total(lane, sum) / f32(LENGTH);
#end
    // What a sum of large numbers rounds away is the mean of what they have beyond its mean, of which little is rounded.
    var rest = 0.0;
#if CENTERED
    sum = 0.0;
    for (var k = lane; k < LENGTH; k += LANES) {
        sum += f32(x[base + offset_of(k)]) - mean;
    }
    rest = total(lane, sum) / f32(LENGTH);
#end
    var terms = 0.0;
    for (var k = lane; k < LENGTH; k += LANES) {
        terms += term(f32(x[base + offset_of(k)]) - mean - rest);
    }
    let scale = factor(total(lane, terms));
#if WRITES
    if (lane == 0u) {
#if WRITES_MEAN
        // Nothing is beyond an infinite mean: the rest is then no number. Asked of the bits, for compilers may assume that there is none.
        let is_infinite = (bitcast<u32>(mean) & 0x7fffffffu) == 0x7f800000u;
        y[row] = Element(select(mean + rest, mean, is_infinite));
#else
        y[row] = Element(scale);
#end
    }
#else
    for (var k = lane; k < LENGTH; k += LANES) {
        let at = base + offset_of(k);
        y[at] = stored((f32(x[at]) - mean - rest) * scale, at);
    }
#end
}
