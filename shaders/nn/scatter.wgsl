// Writes a number for each of COUNT items to its place in the result; an item whose place lies past SIZE is dropped. `place` and
// `compute` are the operator's.

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let at = id.y * WIDTH + id.x;
    if (at >= COUNT) {
        return;
    }
    let to = place(at);
    if (to < SIZE) {
        y[to] = compute(at);
    }
}
