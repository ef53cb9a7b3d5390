// Each element of the result from the elements of the inputs that broadcasting puts at its place: `compute` is the operator's.

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let at = id.y * WIDTH + id.x;
    if (at >= COUNT) {
        return;
    }
    y[at] = compute(at);
}
