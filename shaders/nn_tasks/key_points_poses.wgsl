// PersonLab's poses (Papandreou et al. 2018, section 3.1.2), as PoseNet has them: `begin`, `peaks`, `rank`, `follow`, `choose`.
//
// Each sure maximum of a heat map is the root of a pose: its other points are found by following the displacements from point to point
// along a tree, each corrected by the short offset there. The best root counts; a later one that lies where a pose has that point already
// is the same person again.

struct Plan {
    width: u32,
    height: u32,
    // Of slot 0 the heat maps, 1 the short offsets, 2 the displacements away from the nose, 3 those towards it: first number, numbers
    // from channel to channel, row to row, column to column.
    places: array<vec4u, 4>,
    // Pixels of the input from cell to cell.
    cell: f32,
    // Roots this close, squared, to the same point of a pose are that person's.
    radius_squared: f32,
    input_width: f32,
    input_height: f32,
    // (parent, child) of each edge, and how many there are.
    edges: array<vec4u, 32>,
    edge_count: u32,
}

const REFINEMENTS = 2;

// Of each ranked root its points, each x, y in pixels of the input and the logit there.
const POSES = 2u * (CAPACITY + RANKED);

var<workgroup> stays: array<u32, RANKED>;

fn value(slot: u32, channel: u32, cell: vec2u) -> f32 {
    let place = plan.places[slot];
    return number(slot, place.x + channel * place.y + cell.y * place.z + cell.x * place.w);
}

fn pose_word(root: u32, point: u32) -> u32 {
    return POSES + 3u * (root * points + point);
}

fn position(root: u32, point: u32) -> vec2f {
    let word = pose_word(root, point);
    return vec2f(bitcast<f32>(scratch.words[word]), bitcast<f32>(scratch.words[word + 1u]));
}

// A vector of two maps: rows first. What is not a number moves nothing.
fn vector(slot: u32, channel: u32, count: u32, cell: vec2u) -> vec2f {
    let y = value(slot, channel, cell);
    let x = value(slot, channel + count, cell);
    return vec2f(select(0.0, x, is_finite(x)), select(0.0, y, is_finite(y)));
}

fn cell_near(at: vec2f) -> vec2u {
    let last = vec2f(f32(plan.width - 1u), f32(plan.height - 1u));
    return vec2u(clamp(floor(at / plan.cell + 0.5), vec2f(0.0), last));
}

@compute @workgroup_size(64)
fn peaks(@builtin(global_invocation_id) id: vec3u) {
    let cells = plan.width * plan.height;
    if id.x >= cells * points {
        return;
    }
    let point = id.x % points;
    let cell = vec2u((id.x / points) % plan.width, id.x / points / plan.width);
    let logit = or_least(value(0u, point, cell));
    if logit < settings.score {
        return;
    }
    for (var y = max(cell.y, 1u) - 1u; y < min(cell.y + 2u, plan.height); y++) {
        for (var x = max(cell.x, 1u) - 1u; x < min(cell.x + 2u, plan.width); x++) {
            if or_least(value(0u, point, vec2u(x, y))) > logit {
                return;
            }
        }
    }
    pass_on(logit, id.x);
}

fn place_point(root: u32, point: u32, at: vec2f) {
    let word = pose_word(root, point);
    scratch.words[word] = bitcast<u32>(at.x);
    scratch.words[word + 1u] = bitcast<u32>(at.y);
    scratch.words[word + 2u] = bitcast<u32>(or_least(value(0u, point, cell_near(at))));
}

fn follow_edge(root: u32, slot: u32, edge: u32, source: u32, goal: u32) {
    let start = position(root, source);
    var at = start + vector(slot, edge, plan.edge_count, cell_near(start));
    for (var i = 0; i < REFINEMENTS; i++) {
        let cell = cell_near(at);
        at = vec2f(cell) * plan.cell + vector(1u, goal, points, cell);
    }
    place_point(root, goal, at);
}

@compute @workgroup_size(64)
fn follow(@builtin(global_invocation_id) id: vec3u) {
    let root = id.x;
    if root >= ranked_count() {
        return;
    }
    let key = ranked_key(root);
    let first = key % points;
    let cell = vec2u((key / points) % plan.width, key / points / plan.width);
    // A bit for each point that is placed; there are at most 32.
    var placed = 1u << first;
    place_point(root, first, vec2f(cell) * plan.cell + vector(1u, first, points, cell));
    // The root's own logit, wherever its offset points to.
    scratch.words[pose_word(root, first) + 2u] = bitcast<u32>(ranked_score(root));
    for (var i = plan.edge_count; i > 0u; i--) {
        let edge = plan.edges[i - 1u];
        if ((placed >> edge.y) & 1u) == 1u && ((placed >> edge.x) & 1u) == 0u {
            follow_edge(root, 3u, i - 1u, edge.y, edge.x);
            placed |= 1u << edge.x;
        }
    }
    for (var i = 0u; i < plan.edge_count; i++) {
        let edge = plan.edges[i];
        if ((placed >> edge.x) & 1u) == 1u && ((placed >> edge.y) & 1u) == 0u {
            follow_edge(root, 2u, i, edge.x, edge.y);
            placed |= 1u << edge.y;
        }
    }
}

@compute @workgroup_size(256)
fn choose(@builtin(local_invocation_index) thread: u32) {
    let count = ranked_count();
    let first = ranked_key(thread) % points;
    stays[thread] = select(0u, 1u, thread < count);
    workgroupBarrier();
    for (var i = 0u; i < RANKED; i++) {
        if thread > i && stays[thread] == 1u && stays[i] == 1u {
            let apart = position(i, first) - position(thread, first);
            if dot(apart, apart) <= plan.radius_squared {
                stays[thread] = 0u;
            }
        }
        workgroupBarrier();
    }
    var before = 0u;
    for (var i = 0u; i < thread; i++) {
        before += stays[i];
    }
    if thread == RANKED - 1u {
        put_counts(min(before + stays[thread], settings.most), before + stays[thread]);
    }
    if stays[thread] == 0u || before >= settings.most {
        return;
    }
    let size = vec2f(plan.input_width, plan.input_height);
    put_thing(before, sigmoid(ranked_score(thread)), 0u, vec4f(0.0));
    for (var point = 0u; point < points; point++) {
        let logit = bitcast<f32>(scratch.words[pose_word(thread, point) + 2u]);
        put_point(before, point, position(thread, point) / size, sigmoid(logit));
    }
}
