// The general convolution of row-major tensors: any number of spatial dimensions, groups, weights that the network computes.
// A thread an output. `Number`, `load_x`, `load_w` and `done` (bias, storage) are the operator's.
// TRANSPOSED: every output gathers the inputs that reach it.

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let at = id.y * WIDTH + id.x;
    if (at >= COUNT) {
        return;
    }
    var rest = at;
#for d in RANK
    let out_${d} = i32(rest % OUT_${d});
    rest /= OUT_${d};
#end
    let channel = rest % OUT_CHANNELS;
    let image = rest / OUT_CHANNELS;
    let group = channel / GROUP_OUT;
    var sum = Number(0);
    for (var c = 0u; c < GROUP_IN; c++) {
        let plane = (image * IN_CHANNELS + group * GROUP_IN + c) * PLANE;
#if TRANSPOSED
        let taps = ((group * GROUP_IN + c) * GROUP_OUT + channel % GROUP_OUT) * TAPS;
#else
        let taps = (channel * GROUP_IN + c) * TAPS;
#end
        for (var tap = 0u; tap < TAPS; tap++) {
            var left = tap;
            var inside = true;
            var source = 0u;
            var step = 1u;
#for d in RANK
            {
                let k = i32(left % KERNEL_${d});
                left /= KERNEL_${d};
#if TRANSPOSED
                let reached = out_${d} + i32(PAD_${d}) - k * i32(DILATION_${d});
                let place = reached / i32(STRIDE_${d});
                inside = inside && reached >= 0 && place * i32(STRIDE_${d}) == reached && place < i32(IN_${d});
#else
                let place = out_${d} * i32(STRIDE_${d}) + k * i32(DILATION_${d}) - i32(PAD_${d});
                inside = inside && place >= 0 && place < i32(IN_${d});
#end
                source += u32(max(place, 0)) * step;
                step *= IN_${d};
            }
#end
            if (inside) {
                sum += load_x(plane + source) * load_w(taps + tap, channel);
            }
        }
    }
    y[at] = done(sum, channel);
}
