// Sums and sums of squares of the pixels of one part of the picture, relative to `reference_of` it; ACROSS vec4s of
// channels a workgroup. y holds a vec4 of sums and one of squares for each (image, part, block).

var<workgroup> partial: array<vec4<f32>, ACROSS * SLICES>;
var<workgroup> squares: array<vec4<f32>, ACROSS * SLICES>;

@compute @workgroup_size(ACROSS * SLICES)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let block = min(group.x * ACROSS + lane % ACROSS, BLOCKS - 1u);
    let slice = lane / ACROSS;
    let base = group.z * PLANE;
    let reference = reference_of(base, block);
    var sum = vec4<f32>(0.0);
    var square = vec4<f32>(0.0);
    for (var p = group.y * PART + slice; p < min((group.y + 1u) * PART, PLANE); p += SLICES) {
        let v = read_x(base + p, block) - reference;
        sum += v;
        square += v * v;
    }
    partial[lane] = sum;
    squares[lane] = square;
    workgroupBarrier();
    // In two rounds, of 8 slices and of the rest: a tree would take a barrier a level.
    if (slice < SLICES / 8u) {
        for (var n = 1u; n < 8u; n++) {
            sum += partial[lane + n * (SLICES / 8u * ACROSS)];
            square += squares[lane + n * (SLICES / 8u * ACROSS)];
        }
        partial[lane] = sum;
        squares[lane] = square;
    }
    workgroupBarrier();
    if (slice == 0u && group.x * ACROSS + lane % ACROSS < BLOCKS) {
        for (var n = 1u; n < SLICES / 8u; n++) {
            sum += partial[lane + n * ACROSS];
            square += squares[lane + n * ACROSS];
        }
        let at = ((group.z * PARTS + group.y) * BLOCKS + block) * 2u;
        y[at] = sum;
        y[at + 1u] = square;
    }
}
