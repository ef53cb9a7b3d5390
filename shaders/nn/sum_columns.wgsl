// What the columns of a window add to, summed up: of each pixel of a line there are KERNEL_W x OUTPUTS numbers, one for each column of the window
// that it may be, and each output (`columns.py`).

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let at = id.y * WIDTH + id.x;
    if (at >= PIXELS) {
        return;
    }
    let left = at % OUT_W;
    let line = at / OUT_W * IN_W;
    var sum = bias[0];
#for k in KERNEL_W
    {
        let column = left + ${k}u * DILATION_W - PAD_W; // wraps to a huge number left of the picture
        if (column < IN_W) {
#for m in OUTPUTS
            sum[${m}] += read_x(line + column, (${k}u * OUTPUTS + ${m}u) / 4u)[(${k}u * OUTPUTS + ${m}u) % 4u];
#end
        }
    }
#end
    finish(at, 0u, sum);
}
