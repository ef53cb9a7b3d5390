// Moves the working texture: each pixel is read where the warp says, once, by Catmull-Rom interpolation. shaders/common/bicubic.wgsl
// stands before, and so do the declarations of `desktop/pipeline/picture/warping.py`.

struct Warp {
    // A position in widths from the center, and 1 -> where it is read.
    row_x: vec4f,
    row_y: vec4f,
}

// The sampler mirrors beyond the edges.
fn sample(t: texture_2d<f32>, uv: vec2f) -> vec4f {
    return textureSampleLevel(t, mirrored, uv, 0.0);
}

@compute @workgroup_size(16, 8)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let size = vec2f(textureDimensions(picture));
    if any(vec2f(id.xy) >= size) {
        return;
    }
    let at = vec3f((vec2f(id.xy) + 0.5 - 0.5 * size) / size.x, 1.0);
    let source = vec2f(dot(u.row_x.xyz, at), dot(u.row_y.xyz, at));
    let color = bicubic(picture, (source * size.x + 0.5 * size) / size);
    // Between far apart values the curve goes beyond them.
    textureStore(warped, id.xy, vec4f(max(color.rgb, vec3f(0.0)), clamp(color.a, 0.0, 1.0)));
}
