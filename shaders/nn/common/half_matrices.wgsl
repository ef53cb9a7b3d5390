// Octets of 16-bit floats are loaded and staged as 16 bytes; the same memory is read as matrices, and has the sums at the end.
alias Octet = vec4<u32>;
var<workgroup> tile: buffer<${MEMORY}>;

#if LOOPS
// Without matrices, to check the indices on any adapter: a thread has half a row of each, and a view is where it begins.
var<private> thread: u32;
var<private> sums: array<array<f32, 8>, DOWN * ACROSS>;

fn multiply_add(left: u32, right: u32, sum: u32) {
    let halves = bufferView<array<f16, ${HALVES}>>(&tile, 0);
    for (var e = 0u; e < 8u; e++) {
        var total = 0.0;
        for (var k = 0u; k < 16u; k++) {
            total += f32(halves[left + thread / 2u * X_STRIDE + k]) * f32(halves[right + k * W_STRIDE + thread % 2u * 8u + e]);
        }
        sums[sum][e] += total;
    }
}
#else
alias Left = subgroup_matrix_left<f16, 16, 16>;
alias Right = subgroup_matrix_right<f16, 16, 16>;
alias Sum = subgroup_matrix_result<f32, 16, 16>;
#end
