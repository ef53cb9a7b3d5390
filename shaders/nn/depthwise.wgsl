// Convolution with one channel a group: a thread computes NEIGHBORS neighboring outputs of four channels and loads each input once.

#if WIDE
alias Sum = vec4<i32>;
#else
alias Sum = vec4<f32>;
#end

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let at = id.y * WIDTH + id.x;
    if (at >= BATCH * OUT_D * OUT_H * COLUMNS * BLOCKS) {
        return;
    }
    let block = at % BLOCKS;
    let column = at / BLOCKS % COLUMNS * NEIGHBORS;
    let line = at / (BLOCKS * COLUMNS);
    let image = line / (OUT_D * OUT_H) * IN_D;
    let front = line / OUT_H % OUT_D * STRIDE_D;
    let top = line % OUT_H * STRIDE_H;
    let left = column * STRIDE_W;
    let start = bias[block];
#for o in NEIGHBORS
    var sum_${o} = start;
#end
#for d in KERNEL_D
#for i in KERNEL_H
    {
        let layer = front + ${d}u * DILATION_D - PAD_D; // wraps to a huge number before the first
        let row = top + ${i}u * DILATION_H - PAD_H;
        if (layer < IN_D && row < IN_H) {
            let base = ((image + layer) * IN_H + row) * IN_W;
            var v: array<vec4<f32>, SPAN>;
#for s in SPAN
            let c_${s} = left + ${s}u - PAD_W;
            v[${s}] = select(vec4<f32>(0.0), read_x(base + min(c_${s}, IN_W - 1u), block), c_${s} < IN_W);
#end
#for j in KERNEL_W
            let w_${j} = vec4<f32>(weights[((${d}u * KERNEL_H + ${i}u) * KERNEL_W + ${j}u) * BLOCKS + block]);
#for o in NEIGHBORS
            sum_${o} += Sum(w_${j} * v[${o}u * STRIDE_W + ${j}u * DILATION_W]);
#end
#end
        }
    }
#end
#end
    let pixel = line * OUT_W + column;
#for o in NEIGHBORS
    if (column + ${o}u < OUT_W) {
        finish(pixel + ${o}u, block, vec4<f32>(sum_${o}));
    }
#end
}
