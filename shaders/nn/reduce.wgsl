// Reduces each group of LENGTH elements of a row-major tensor to one: LANES threads sum up strided parts, then join them in pairs.
// `Value`, `first`, `take`, `join` and `finish` are the operator's.

#if SPLIT
var<workgroup> partial: array<Value, LANES>;
#end

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

#if SPLIT
@compute @workgroup_size(LANES)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let at = min(group.y * WIDTH + group.x, COUNT - 1u);
    let base = base_of(at);
    var value = first();
    for (var k = lane; k < LENGTH; k += LANES) {
        value = join(value, take(base + offset_of(k), k));
    }
    partial[lane] = value;
    workgroupBarrier();
    for (var half = LANES / 2u; half > 0u; half /= 2u) {
        if (lane < half) {
            partial[lane] = join(partial[lane], partial[lane + half]);
        }
        workgroupBarrier();
    }
    if (lane == 0u) {
        y[at] = finish(partial[0]);
    }
}
#else
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let at = id.y * WIDTH + id.x;
    if (at >= COUNT) {
        return;
    }
    let base = base_of(at);
    var value = first();
    for (var k = 0u; k < LENGTH; k++) {
        value = join(value, take(base + offset_of(k), k));
    }
    y[at] = finish(value);
}
#end
