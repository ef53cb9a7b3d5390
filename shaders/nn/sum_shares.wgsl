// The sums that SHARES workgroups made of a share of the depth each, as rows of PIXELS, added up: a vec4 of channels of a pixel.

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let at = id.y * WIDTH + id.x;
    if (at >= PIXELS * BLOCKS) {
        return;
    }
    let block = at % BLOCKS;
    let pixel = at / BLOCKS;
#for s in SHARES
    let sum_${s} = read_x(${s}u * PIXELS + pixel, block);
#end
#if BIASED
    var sum = bias[block];
#else
    var sum = vec4<f32>();
#end
#for s in SHARES
    sum += sum_${s};
#end
    finish(pixel, block, sum);
}
