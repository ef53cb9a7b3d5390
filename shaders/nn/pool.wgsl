// Maximum or mean of a window: one thread for four channels of an output pixel.

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let at = id.y * WIDTH + id.x;
    if (at >= PIXELS * BLOCKS) {
        return;
    }
    let pixel = at / BLOCKS;
    let block = at % BLOCKS;
    let image = pixel / (OUT_H * OUT_W);
    let top = pixel / OUT_W % OUT_H * STRIDE_H;
    let left = pixel % OUT_W * STRIDE_W;
#if AVERAGE
    var sum = vec4<f32>(0.0);
    var count = 0.0;
#else
    var largest = special(0xff800000u);
#end
    for (var i = 0u; i < KERNEL_H; i += 1u) {
        let row = top + i * DILATION_H - PAD_H; // wraps to a huge number above the picture
        for (var j = 0u; j < KERNEL_W; j += 1u) {
            let column = left + j * DILATION_W - PAD_W;
            if (row < IN_H && column < IN_W) {
                let v = read_x((image * IN_H + row) * IN_W + column, block);
#if AVERAGE
                sum += v;
                count += 1.0;
#else
                largest = larger(largest, v);
#end
            }
#if AVERAGE
#if COUNT_PAD
            // Padding counts, but not what ceil_mode lets the window reach beyond it.
            else if (top + i * DILATION_H < REACH_H && left + j * DILATION_W < REACH_W) {
                count += 1.0;
            }
#end
#end
        }
    }
#if AVERAGE
    finish(pixel, block, sum / max(count, 1.0));
#else
    finish(pixel, block, largest);
#end
}
