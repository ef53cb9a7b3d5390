// Running totals along an axis of LENGTH elements, INNER apart; a thread a line. `Number`, `first`, `next` and `held` are the operator's.

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let line = id.y * WIDTH + id.x;
    if (line >= LINES) {
        return;
    }
    let base = line / INNER * INNER * LENGTH + line % INNER;
    var total = first();
    for (var i = 0u; i < LENGTH; i++) {
#if REVERSE
        let at = base + (LENGTH - 1u - i) * INNER;
#else
        let at = base + i * INNER;
#end
#if EXCLUSIVE
        y[at] = held(total);
        total = next(total, at);
#else
        total = next(total, at);
        y[at] = held(total);
#end
    }
}
