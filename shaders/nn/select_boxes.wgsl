// The boxes of a class that no better one of it overlaps, best first: a workgroup a class, PLACES indices each, -1 where none is left.
// Boxes are two opposite corners of rising coordinates. In each round all threads look for the best score among the boxes that are left
// and take out what it covers. THRESHOLD, OVERLAP; STRICT: a box goes where the overlap is larger than OVERLAP, else from there on.

var<workgroup> gone: array<atomic<u32>, WORDS>;
var<workgroup> best_score: array<f32, 256>;
var<workgroup> best_box: array<i32, 256>;
var<workgroup> chosen: i32;

fn overlap(a: u32, b: u32) -> f32 {
    let from_a = vec2<f32>(boxes[a * 4u], boxes[a * 4u + 1u]);
    let to_a = vec2<f32>(boxes[a * 4u + 2u], boxes[a * 4u + 3u]);
    let from_b = vec2<f32>(boxes[b * 4u], boxes[b * 4u + 1u]);
    let to_b = vec2<f32>(boxes[b * 4u + 2u], boxes[b * 4u + 3u]);
    let area_a = (to_a.x - from_a.x) * (to_a.y - from_a.y);
    let area_b = (to_b.x - from_b.x) * (to_b.y - from_b.y);
    let shared_sides = max(min(to_a, to_b) - max(from_a, from_b), vec2<f32>(0.0));
    let shared_area = shared_sides.x * shared_sides.y;
    if (area_a <= 0.0 || area_b <= 0.0) {
        return 0.0;
    }
    return shared_area / (area_a + area_b - shared_area);
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let label = min(group.y * WIDTH + group.x, CLASSES - 1u);
    for (var word = lane; word < WORDS; word += 256u) {
        atomicStore(&gone[word], 0u);
    }
    workgroupBarrier();
    for (var place = 0u; place < PLACES; place++) {
        var score = THRESHOLD;
        var box = -1;
        for (var at = lane; at < BOXES; at += 256u) {
            let own = scores[label * BOXES + at];
            let is_left = (atomicLoad(&gone[at / 32u]) & (1u << (at % 32u))) == 0u;
            if (is_left && (own > score || (own == score && box < 0 && INCLUSIVE == 1u))) {
                score = own;
                box = i32(at);
            }
        }
        best_score[lane] = score;
        best_box[lane] = box;
        workgroupBarrier();
        for (var half = 128u; half > 0u; half /= 2u) {
            if (lane < half) {
                let other = best_box[lane + half];
                let mine = best_box[lane];
                let larger = best_score[lane + half] > best_score[lane];
                let earlier = best_score[lane + half] == best_score[lane] && other < mine;
                if (other >= 0 && (mine < 0 || larger || earlier)) {
                    best_score[lane] = best_score[lane + half];
                    best_box[lane] = other;
                }
            }
            workgroupBarrier();
        }
        if (lane == 0u) {
            chosen = best_box[0];
            y[label * PLACES + place] = chosen;
        }
        let winner = workgroupUniformLoad(&chosen);
        if (winner >= 0) {
            for (var at = lane; at < BOXES; at += 256u) {
                let covered = overlap(u32(winner), at);
                let goes = select(covered >= OVERLAP, covered > OVERLAP, STRICT == 1u);
                if (goes || i32(at) == winner) {
                    atomicOr(&gone[at / 32u], 1u << (at % 32u));
                }
            }
        }
        workgroupBarrier();
    }
}
