// GridSample: each pixel of the result mixes the pixels around the place that the grid gives it, -1 and 1 being the edges of the picture.
// Axis 0 is the last one (x), as in the grid's coordinates.

const OUTSIDE = 0xffffffffu;

fn place(n: f32, size: u32) -> f32 {
#if ALIGN
    let v = (n + 1.0) * 0.5 * (f32(size) - 1.0);
#else
    let v = ((n + 1.0) * f32(size) - 1.0) * 0.5;
#end
    let bounded = clamp(v, -1e6, 1e6);
#if NEAREST
    return round(bounded);
#else
    return bounded;
#end
}

// Padding is decided for each pixel by its index, in whole numbers. To reflect or clamp the place first would mix the same pixels, except
// for cubic ones at a border, where ONNX's reference does so and PyTorch and onnxruntime don't: we go with these.
fn inside(i: i32, size: u32) -> u32 {
#if ZEROS
    return select(u32(i), OUTSIDE, i < 0 || i >= i32(size));
#else
#if BORDER
    return u32(clamp(i, 0, i32(size) - 1));
#else
#if ALIGN
    let period = max(2u * size - 2u, 1u);
    let at = u32(abs(i)) % period;
    return select(at, period - at, at >= size);
#else
    let at = u32(select(i, -1 - i, i < 0)) % (2u * size);
    return select(at, 2u * size - 1u - at, at >= size);
#end
#end
#end
}

fn weight(distance: f32) -> f32 {
#if NEAREST
    return 1.0;
#else
    let x = abs(distance);
#if CUBIC
    let near = (1.25 * x - 2.25) * x * x + 1.0;
    let far = ((-0.75 * x + 3.75) * x - 6.0) * x + 3.0;
    return select(far, near, x <= 1.0);
#else
    return 1.0 - x;
#end
#end
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let item = id.y * WIDTH + id.x;
    if (item >= PIXELS * BLOCKS) {
        return;
    }
    let pixel = item / BLOCKS;
    let block = item % BLOCKS;
    let image = pixel / OUT_PLANE * IN_PLANE;
#for d in DIMENSIONS
    let v${d} = place(f32(grid[pixel * DIMENSIONS + ${d}u]), SIZE_${d});
    let first${d} = floor(v${d});
#end
    var sum = vec4<f32>(0.0);
#for t in TAPS
    {
        var source = image;
        var w = 1.0;
        var is_inside = true;
#for d in DIMENSIONS
        let offset${d} = i32(${t}u / STEP_${d} % ACROSS) - BEFORE;
        let i${d} = inside(i32(first${d}) + offset${d}, SIZE_${d});
        is_inside = is_inside && i${d} != OUTSIDE;
        source += i${d} * STRIDE_${d};
        w *= weight(f32(offset${d}) - (v${d} - first${d}));
#end
        if (is_inside) {
            sum += w * read_x(source, block);
        }
    }
#end
    finish(pixel, block, sum);
}
