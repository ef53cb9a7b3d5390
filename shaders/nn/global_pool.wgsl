// Mean (or sum) over the plane: ACROSS vec4s of channels a workgroup, SLICES threads for each.

var<workgroup> partial: array<vec4<f32>, ACROSS * SLICES>;

@compute @workgroup_size(ACROSS * SLICES)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let block = group.x * ACROSS + lane % ACROSS;
    let slice = lane / ACROSS;
    var sum = vec4<f32>(0.0);
    if (block < BLOCKS) {
        for (var p = slice; p < PLANE; p += SLICES) {
            sum += read_x(group.y * PLANE + p, block);
        }
    }
    partial[lane] = sum;
    workgroupBarrier();
    if (slice == 0u && block < BLOCKS) {
        for (var n = 1u; n < SLICES; n++) {
            sum += partial[lane + n * ACROSS];
        }
#if SUM
        finish(group.y, block, sum);
#else
        finish(group.y, block, sum / f32(PLANE));
#end
    }
}
