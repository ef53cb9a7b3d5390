// Each vec4, or number, of the result from the tensors in which its index is found: `moved` and `place` are made by the operator.

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let at = id.y * WIDTH + id.x;
    if (at >= COUNT) {
        return;
    }
    write_y(place(at), 0u, moved(at));
}
