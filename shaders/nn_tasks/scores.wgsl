// Elements of an output tensor, and which of them a pixel of an enlarged map reads. The shader behind it declares `plan`, with the fields
// offset, stride_x, stride_y, cells and scale, and the buffer `tensor`.

// The four cells around a pixel, the first element of each, and the shares of those after it.
struct Taps {
    cells: vec4u,
    shares: vec2f,
}

// Elements of the tensor: 0 float32, 1 float16, 2 int32, 3 uint32.
override element_type: u32 = 0u;

fn element(index: u32) -> f32 {
    let at = plan.offset + index;
    if element_type == 1u {
        // Without the shader-f16 feature, which not every adapter has.
        return unpack2x16float(tensor[at / 2u])[at % 2u];
    }
    let word = tensor[at];
    if element_type == 2u {
        return f32(bitcast<i32>(word));
    }
    return select(bitcast<f32>(word), f32(word), element_type == 3u);
}

// Between the centers of cells, held at the edges. A scale of 0: a pixel is a cell.
fn taps_at(p: vec2u) -> Taps {
    if plan.scale.x == 0.0 {
        return Taps(vec4u(p.x * plan.stride_x + p.y * plan.stride_y), vec2f(0.0));
    }
    let last = plan.cells - 1u;
    let at = clamp((vec2f(p) + 0.5) * plan.scale - 0.5, vec2f(0.0), vec2f(last));
    let low = min(vec2u(at), last);
    let high = min(low + 1u, last);
    let columns = vec4u(low.x, high.x, low.x, high.x) * plan.stride_x;
    let rows = vec4u(low.y, low.y, high.y, high.y) * plan.stride_y;
    return Taps(columns + rows, at - vec2f(low));
}
