// Convolution with stride 1 and at most four output channels (the last layer of a network that makes pictures): a thread computes
// NEIGHBORS neighboring pixels, so that each load of a pixel serves KERNEL_W products and each load of a weight NEIGHBORS.

#if HALF
alias Factor = vec4<f16>;
#else
alias Factor = vec4<f32>;
#end

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let at = id.y * WIDTH + id.x;
    if (at >= BATCH * OUT_H * COLUMNS) {
        return;
    }
    let left = at % COLUMNS * NEIGHBORS;
    let line = at / COLUMNS;
    let image = line / OUT_H;
    let top = line % OUT_H;
    let start = bias[0];
#for o in NEIGHBORS
    var sum_${o} = start;
#end
#for s in SPAN
    let padded_${s} = left + ${s}u - PAD_W; // wraps to a huge number left of the picture
#if MAPPED
    let column_${s} = source_column(min(padded_${s}, IN_W - 1u));
    let inside_${s} = padded_${s} < IN_W && column_${s} < STORED_W;
#else
    let column_${s} = padded_${s};
    let inside_${s} = padded_${s} < IN_W;
#end
#end
    for (var i = 0u; i < KERNEL_H; i++) {
        let padded = top + i - PAD_H;
        if (padded >= IN_H) {
            continue;
        }
#if MAPPED
        let row = source_row(padded);
        if (row >= STORED_H) {
            continue;
        }
#else
        let row = padded;
#end
        let base = (image * STORED_H + row) * STORED_W;
        for (var block = 0u; block < IN_BLOCKS; block++) {
            var v: array<Factor, SPAN>;
#for s in SPAN
            v[${s}] = select(Factor(), load_x(base + min(column_${s}, STORED_W - 1u), block), inside_${s});
#end
#for o in NEIGHBORS
            var part_${o} = Factor();
#end
            let first = (i * KERNEL_W * IN_BLOCKS + block) * 4u;
#for j in KERNEL_W
            {
#for l in 4
                let w_${l} = Factor(weights[first + ${j}u * IN_BLOCKS * 4u + ${l}u]);
#end
#for o in NEIGHBORS
                part_${o} = fma(Factor(v[${o}u + ${j}u].x), w_0, part_${o});
                part_${o} = fma(Factor(v[${o}u + ${j}u].y), w_1, part_${o});
                part_${o} = fma(Factor(v[${o}u + ${j}u].z), w_2, part_${o});
                part_${o} = fma(Factor(v[${o}u + ${j}u].w), w_3, part_${o});
#end
            }
#end
#for o in NEIGHBORS
            sum_${o} += vec4<f32>(part_${o});
#end
        }
    }
    let pixel = line * OUT_W + left;
#for o in NEIGHBORS
    if (left + ${o}u < OUT_W) {
        finish(pixel + ${o}u, 0u, sum_${o});
    }
#end
}
