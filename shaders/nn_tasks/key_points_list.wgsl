// Points that a network lists, as they are: a thread a point. A network may list them in two outputs, which are two dispatches.

struct Plan {
    // Points of this list, and the first one's number among all.
    count: u32,
    first_point: u32,
    // Slot, first number, numbers from point to point.
    slot: u32,
    offset: u32,
    stride: u32,
    // Where the confidence stands behind a point's first number, or 0: it has none; 1 in the next: it is a logit.
    confidence: u32,
    confidence_is_logit: u32,
    // The tensor of the whole thing's score and of its class (0xffffffff: there is none), the first number of each.
    score_slot: u32,
    score_offset: u32,
    score_is_logit: u32,
    class_slot: u32,
    class_offset: u32,
    // Where x and y stand behind a point's first number.
    x: u32,
    y: u32,
    // Share of the input = number * scale + shift.
    scale: vec2f,
    shift: vec2f,
}

const NO_SLOT = 0xffffffffu;

@compute @workgroup_size(64)
fn list(@builtin(global_invocation_id) id: vec3u) {
    let point = id.x;
    if point >= plan.count {
        return;
    }
    let first = plan.offset + point * plan.stride;
    let at = vec2f(number(plan.slot, first + plan.x), number(plan.slot, first + plan.y)) * plan.scale + plan.shift;
    var confidence = 1.0;
    if plan.confidence != 0u {
        confidence = number(plan.slot, first + plan.confidence);
        if plan.confidence_is_logit == 1u {
            confidence = select(sigmoid(confidence), 0.0, is_none(confidence));
        }
    }
    put_point(0u, plan.first_point + point, at, confidence);
    if plan.first_point + point != 0u {
        return;
    }
    var score = 1.0;
    if plan.score_slot != NO_SLOT {
        score = number(plan.score_slot, plan.score_offset);
        if plan.score_is_logit == 1u {
            score = select(sigmoid(score), 0.0, is_none(score));
        }
    }
    var class_number = 0u;
    if plan.class_slot != NO_SLOT {
        class_number = select(0u, 1u, number(plan.class_slot, plan.class_offset) > 0.5);
    }
    put_counts(1u, 1u);
    put_thing(0u, score, class_number, vec4f(0.0));
}
