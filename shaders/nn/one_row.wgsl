// A product of one row by weights of (columns, depth), which threads side by side read side by side: SLICES threads share the depth of four
// columns, BLOCKS such groups a workgroup.

// FEW sums are what one thread adds up: a tree would take a barrier a level, and one thread alone would wait for all of them.

var<workgroup> partial: array<vec4<f32>, SLICES * BLOCKS>;

@compute @workgroup_size(SLICES * BLOCKS)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let slice = lane % SLICES;
    let block = group.x * BLOCKS + lane / SLICES;
    let first = min(block, OUT_BLOCKS - 1u) * 4u * DEPTH;
    let own_bias = bias[min(block, OUT_BLOCKS - 1u)]; // behind the barriers it would be waited for
    var sum = vec4<f32>(0.0);
    for (var depth = slice; depth < DEPTH; depth += SLICES * UNROLL) {
#for u in UNROLL
#if EVEN
        let k_${u} = depth + ${u}u * SLICES;
        let x_${u} = read_x(0u, k_${u});
#else
        let k_${u} = min(depth + ${u}u * SLICES, DEPTH - 1u);
        let x_${u} = select(vec4<f32>(0.0), read_x(0u, k_${u}), depth + ${u}u * SLICES < DEPTH);
#end
#for l in 4
        let w_${u}_${l} = vec4<f32>(weights[first + ${l}u * DEPTH + k_${u}]);
#end
#end
#for u in UNROLL
        sum += vec4<f32>(dot(x_${u}, w_${u}_0), dot(x_${u}, w_${u}_1), dot(x_${u}, w_${u}_2), dot(x_${u}, w_${u}_3));
#end
    }
    partial[lane] = sum;
    workgroupBarrier();
    if (slice % FEW == 0u) {
#for n in OTHERS
        sum += partial[lane + ${n}u + 1u];
#end
        partial[lane] = sum;
    }
    workgroupBarrier();
    if (slice == 0u && block < OUT_BLOCKS) {
#for n in OTHER_SUMS
        sum += partial[lane + (${n}u + 1u) * FEW];
#end
        finish(0u, block, sum + own_bias);
    }
}
