// Copies a box of numbers, or of vec4s, from one strided tensor to another. Negative strides are numbers that wrap around.

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    var at = id.y * WIDTH + id.x;
    if (at >= COUNT) {
        return;
    }
    var source = X_FIRST;
    var destination = Y_FIRST;
#for d in RANK
    source += at % SIZE_${d} * X_${d};
    destination += at % SIZE_${d} * Y_${d};
    at /= SIZE_${d};
#end
#if VECTOR
    y[destination] = vec4<Element>(x[source]);
#else
    y[destination] = Element(x[source]);
#end
#if LANES // a result with channels last: its lanes past the last channel stay zero
    if (destination % ROW == LAST) {
#for i in LANES
        y[destination + ${i}u + 1u] = Element(0);
#end
    }
#end
}
