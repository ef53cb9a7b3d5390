// The k most probable of n classes, and their probabilities, by one workgroup.
//
// Each of k rounds finds the greatest score that comes after the last one found, in the order of falling score and,
// among equals, rising index. That reads the scores k times but writes nothing, which for the some thousand scores of a
// classifier is less than a sort costs. Where the scores are logits, the probability is exp(score - greatest) / sum, the
// numerically stable softmax. A score that is not a number counts as the least.

struct Plan {
    count: u32,
    k: u32,
    // First element of the scores in their buffer.
    offset: u32,
    // 1: the scores are logits; 0: they are probabilities.
    logits: u32,
}

struct Entry {
    index: u32,
    probability: f32,
}

// Scores in one word: 1 float32, 2 float16.
override packing: u32 = 1u;

const THREADS = 256u;
const LEAST = -3.4e38;

@group(0) @binding(0) var<uniform> plan: Plan;
@group(0) @binding(1) var<storage, read> scores: array<u32>;
@group(0) @binding(2) var<storage, read_write> result: array<Entry>;

var<workgroup> best_score: array<f32, THREADS>;
var<workgroup> best_index: array<u32, THREADS>;

fn score(i: u32) -> f32 {
    let at = plan.offset + i;
    var bits: u32;
    if packing == 2u {
        let pair = unpack2x16float(scores[at / 2u]);
        bits = bitcast<u32>(select(pair.x, pair.y, at % 2u == 1u));
    } else {
        bits = scores[at];
    }
    // A test by `x != x` may be optimized away, so the bits are looked at.
    if (bits & 0x7fffffffu) > 0x7f800000u {
        return LEAST;
    }
    return clamp(bitcast<f32>(bits), LEAST, -LEAST);
}

fn precedes(a: f32, i: u32, b: f32, j: u32) -> bool {
    return a > b || (a == b && i < j);
}

@compute @workgroup_size(256)
fn main(@builtin(local_invocation_index) thread: u32) {
    // Before the first round everything is still to come: index 0xffffffff stands for "nothing found yet".
    var last_score = 0.0;
    var last_index = 0xffffffffu;
    var greatest = 0.0;
    var sum = 1.0;
    for (var round = 0u; round < plan.k; round++) {
        var mine = LEAST;
        var at = 0xfffffffeu;
        for (var i = thread; i < plan.count; i += THREADS) {
            let s = score(i);
            let open = last_index == 0xffffffffu || precedes(last_score, last_index, s, i);
            if open && precedes(s, i, mine, at) {
                mine = s;
                at = i;
            }
        }
        best_score[thread] = mine;
        best_index[thread] = at;
        workgroupBarrier();
        for (var half = THREADS / 2u; half > 0u; half /= 2u) {
            if thread < half {
                let other = thread + half;
                if precedes(best_score[other], best_index[other], best_score[thread], best_index[thread]) {
                    best_score[thread] = best_score[other];
                    best_index[thread] = best_index[other];
                }
            }
            workgroupBarrier();
        }
        last_score = best_score[0];
        last_index = best_index[0];
        workgroupBarrier();

        if round == 0u {
            greatest = last_score;
            if plan.logits == 1u {
                var part = 0.0;
                for (var i = thread; i < plan.count; i += THREADS) {
                    part += exp(score(i) - greatest);
                }
                best_score[thread] = part;
                workgroupBarrier();
                for (var half = THREADS / 2u; half > 0u; half /= 2u) {
                    if thread < half {
                        best_score[thread] += best_score[thread + half];
                    }
                    workgroupBarrier();
                }
                sum = best_score[0];
                workgroupBarrier();
            }
        }
        if thread == 0u {
            let p = select(last_score, exp(last_score - greatest) / sum, plan.logits == 1u);
            result[round] = Entry(last_index, p);
        }
    }
}
