// Softmax (with LOG: its logarithm) of rows of LENGTH numbers, INNER apart; one workgroup a row. The maximum is subtracted first, as everywhere.

var<workgroup> partial: array<vec4<f32>, THREADS / 4u>;

fn address(row: u32, k: u32) -> u32 {
    return (row / INNER * LENGTH + k) * INNER + row % INNER;
}

@compute @workgroup_size(THREADS)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let row = min(group.y * WIDTH + group.x, COUNT - 1u);
    var largest = -3.4028234e38;
    for (var k = lane; k < LENGTH; k += THREADS) {
        largest = max(largest, f32(x[address(row, k)]) * SCALE);
    }
    partial[lane / 4u][lane % 4u] = largest;
    workgroupBarrier();
    // Every thread looks through all of them: a tree would take a barrier a level.
    var most = partial[0];
#for n in OTHERS
    most = max(most, partial[${n}u + 1u]);
#end
    largest = max(max(most.x, most.y), max(most.z, most.w));
    workgroupBarrier();
    var sum = 0.0;
    for (var k = lane; k < LENGTH; k += THREADS) {
        sum += exp(f32(x[address(row, k)]) * SCALE - largest);
    }
    partial[lane / 4u][lane % 4u] = sum;
    workgroupBarrier();
    var all = partial[0];
#for n in OTHERS
    all += partial[${n}u + 1u];
#end
    sum = (all.x + all.y) + (all.z + all.w);
#if LOG
    // Of a sum near 1, log is right to 2^-21 only. The sum is zero where all is minus infinity.
    let rest = select(log_1p(vec4<f32>(sum - 1.0)).x, special(0xff800000u).x, sum == 0.0);
#else
    let scale = 1.0 / sum;
#end
    for (var k = lane; k < LENGTH; k += THREADS) {
        let at = address(row, k);
#if LOG
        y[at] = Element((f32(x[at]) * SCALE - largest) - rest); // largest + rest would lose the digits of rest
#else
        y[at] = Element(exp(f32(x[at]) * SCALE - largest) * scale);
#end
    }
}
