// The general pool of a row-major tensor: any number of spatial dimensions, dilations, any element type. A thread an output.
// `Number`, `first`, `join`, `load_x` and `done` (the value, how many elements, where the best one was) are the operator's.

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
    let plane = rest * PLANE;
    var value = first();
    var best = 0u;
    var inside_count = 0u;
    var padded_count = 0u;
    for (var tap = 0u; tap < TAPS; tap++) {
        var left = tap;
        var inside = true;
        var padded = true;
        var source = 0u;
        var order = 0u;
        var step = 1u;
        var order_step = PLANE;
#for d in RANK
        {
            let k = i32(left % KERNEL_${d});
            left /= KERNEL_${d};
            let place = out_${d} * i32(STRIDE_${d}) + k * i32(DILATION_${d}) - i32(PAD_${d});
            inside = inside && place >= 0 && place < i32(IN_${d});
            padded = padded && place < i32(END_${d});
            source += u32(max(place, 0)) * step;
            step *= IN_${d};
            // The other way of counting places: the first spatial dimension runs fastest.
            order_step /= IN_${d};
            order += u32(max(place, 0)) * order_step;
        }
#end
        padded_count += select(0u, 1u, padded);
        if (inside) {
            let x_at = load_x(plane + source);
            if (wins(x_at, value) || inside_count == 0u) {
                best = plane + select(source, order, COLUMN_MAJOR == 1u);
            }
            value = join(value, x_at);
            inside_count++;
        }
    }
    y[at] = done(value, inside_count, padded_count, best);
}
