// Transposed convolution, gathered: output o receives input i through tap k where o + PAD = i * STRIDE + k * DILATION. A thread
// computes four outputs of a row that lie STRIDE_W apart, so that the same taps reach all of them.

@compute @workgroup_size(ACROSS * DOWN)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let block = group.x * ACROSS + lane % ACROSS;
    let at = group.y * DOWN + lane / ACROSS;
    if (block >= OUT_BLOCKS || at >= COUNT) {
        return;
    }
    let line = at / COLUMNS;
    let image = line / OUT_H;
    let row = line % OUT_H;
    let column = at % COLUMNS / STRIDE_W * STRIDE_W * 4u + at % COLUMNS % STRIDE_W;
    let start = bias[block];
#for o in 4
    var sum_${o} = start;
#end
    for (var i = 0u; i < KERNEL_H; i += 1u) {
        let down = row + PAD_H - i * DILATION_H; // wraps to a huge number before the first input
        let in_row = down / STRIDE_H;
        if (down % STRIDE_H == 0u && in_row < IN_H && row + PAD_H >= i * DILATION_H) {
            let base = (image * IN_H + in_row) * IN_W;
            for (var j = 0u; j < KERNEL_W; j += 1u) {
                // The first outputs may lie before the first input while later ones do not: SHIFT strides keep the number positive,
                // because Vulkan leaves the remainder of negative ones undefined.
                let across = column + PAD_W + SHIFT * STRIDE_W - j * DILATION_W;
                if (across % STRIDE_W == 0u) {
                    let first = across / STRIDE_W - SHIFT; // wraps where negative
                    let weight = (i * KERNEL_W + j) * IN_BLOCKS * 4u * OUT_BLOCKS + block;
                    for (var k = 0u; k < IN_BLOCKS; k += 1u) {
#for l in 4
                        let w_${l} = vec4<f32>(weights[weight + (k * 4u + ${l}u) * OUT_BLOCKS]);
#end
#for o in 4
                        if (first + ${o}u < IN_W) {
                            let v = read_x(base + first + ${o}u, k);
                            sum_${o} = fma(vec4<f32>(v.x), w_0, sum_${o});
                            sum_${o} = fma(vec4<f32>(v.y), w_1, sum_${o});
                            sum_${o} = fma(vec4<f32>(v.z), w_2, sum_${o});
                            sum_${o} = fma(vec4<f32>(v.w), w_3, sum_${o});
                        }
#end
                    }
                }
            }
        }
    }
#for o in 4
    if (column + ${o}u * STRIDE_W < OUT_W) {
        finish(line * OUT_W + column + ${o}u * STRIDE_W, block, sum_${o});
    }
#end
}
