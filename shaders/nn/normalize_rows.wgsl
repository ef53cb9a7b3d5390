// Normalizes rows of BLOCKS vec4s: less their mean where CENTERED, times `factor` of the sum of squares, times scale, plus bias.
// A workgroup a row, which its threads hold in registers, HELD vec4s each: it is read once, and nobody waits for it a second time.
// Where SHARES, the rows are a product's, added up of so many shares, and written as they are besides.

#if SUBGROUP
var<workgroup> partial: array<array<f32, OTHERS + 1u>, 3>;

// Every thread gets the sum of what the threads of the workgroup bring. Each `turn` has memory of its own: no sum is written while the one
// before is read.
fn total(lane: u32, turn: u32, value: vec4<f32>) -> f32 {
    let own = subgroupAdd((value.x + value.y) + (value.z + value.w));
    if (lane % SUBGROUP == 0u) {
        partial[turn][lane / SUBGROUP] = own;
    }
    workgroupBarrier();
    var sum = partial[turn][0];
#for n in OTHERS
    sum += partial[turn][${n}u + 1u];
#end
    return sum;
}
#else
var<workgroup> partial: array<vec4<f32>, LANES / 4u>;

// Every thread gets the sum of what the threads of the workgroup bring: at once, for a tree would take a barrier a level. `turn` is not needed.
fn total(lane: u32, turn: u32, value: vec4<f32>) -> f32 {
    partial[lane / 4u][lane % 4u] = (value.x + value.y) + (value.z + value.w);
    workgroupBarrier();
    var sum = partial[0];
#for n in OTHERS
    sum += partial[${n}u + 1u];
#end
    workgroupBarrier();
    return (sum.x + sum.y) + (sum.z + sum.w);
}
#end

@compute @workgroup_size(LANES)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let row = min(group.y * WIDTH + group.x, COUNT - 1u);
#for h in HELD
    let block_${h} = min(lane + ${h}u * LANES, BLOCKS - 1u);
    let inside_${h} = lane + ${h}u * LANES < BLOCKS;
#if SHARES
    var v_${h} = factors[block_${h}];
#for s in SHARES
    v_${h} += read_x(${s}u * COUNT + row, block_${h});
#end
    v_${h} = finished(row, block_${h}, v_${h});
    if (inside_${h}) {
        write_y(row, block_${h}, v_${h});
    }
#else
    var v_${h} = read_x(row, block_${h});
#end
#end
#for h in HELD
#if SCALED
    let scale_${h} = factors[SCALE_AT + block_${h}]; // behind the barriers they would be waited for
#end
#if BIASED
    let bias_${h} = factors[BIAS_AT + block_${h}];
#end
#end
#if CENTERED
    var sum = vec4<f32>(0.0);
#for h in HELD
    sum += select(vec4<f32>(0.0), v_${h}, inside_${h});
#end
    let mean = total(lane, 0u, sum) / f32(BLOCKS * 4u);
    // What a sum of large numbers rounds away is the mean of what they have beyond its mean, of which little is rounded.
    var rests = vec4<f32>(0.0);
#for h in HELD
    v_${h} -= mean;
    rests += select(vec4<f32>(0.0), v_${h}, inside_${h});
#end
    let rest = total(lane, 1u, rests) / f32(BLOCKS * 4u);
#for h in HELD
    v_${h} -= rest;
#end
#end
    var squares = vec4<f32>(0.0);
#for h in HELD
    squares += select(vec4<f32>(0.0), v_${h} * v_${h}, inside_${h});
#end
    let by = factor(total(lane, 2u, squares));
#for h in HELD
    if (inside_${h}) {
        var y_${h} = v_${h} * by;
#if SCALED
        y_${h} *= scale_${h};
#end
#if BIASED
        y_${h} += bias_${h};
#end
#if SHARES
        write_normalized(row, block_${h}, y_${h});
#else
        finish(row, block_${h}, y_${h});
#end
    }
#end
}
