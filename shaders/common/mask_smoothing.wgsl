// Passes that smooth a mask over time. Where the picture moves, the mask follows within the time that the user sets. Where the picture
// stands still, so should its mask: there it takes ten times as long, and longer what the network is unsure of, so that a chair which it
// takes for a person in every other frame does not come and go.
//
// Frames are compared with the luma that a place had when its mask followed last, so that slow movements add up, whatever the frame rate; and
// with the frames that masks belong to, so that a late mask is followed, too.

// Time constant where the picture stands still, as a multiple of the one where it moves, and the least weight there of a pixel of which the
// network is unsure (p near 0.5); that of a sure one is 1.
const STILL = 10.0;
const LEAST_SURE = 0.1;

// Changes in the mean luma of 8 x 8 pixels: below the first the block stands still (camera noise), from the second on it moves.
const MAYBE_MOVED = 0.008;
const MOVED = 0.02;

// How long a block counts as moving after its last movement, as a multiple of the time that the user sets; in the second half the weight of the
// movement falls to 0.
const MOVING_TIME = 4.0;

// x, or 0 for NaN and infinity, which would stay in the history for ever.
fn finite(x: f32) -> f32 { return select(0.0, x, (bitcast<u32>(x) & 0x7fffffffu) < 0x7f800000u); }

// How much the mask follows in the block of texel p, 0 to 2, and how much of it for a movement since the mask followed last: `now` has the luma
// of the frame in red; `before` has what `smoothed_mask` gave in the frame before. Both have a multiple of the result's size, rounded up.
fn movement(now: texture_2d<f32>, before: texture_2d<f32>, p: vec2i, time: f32) -> vec2f {
  if (frame.reset == 1u) { return vec2f(0.0); }
  let blocks = vec2i(textureDimensions(result));
  let n = (vec2i(textureDimensions(now)) + blocks - 1) / blocks;
  var sum = 0.0;
  for (var y = 0; y < n.y; y++) {
    for (var x = 0; x < n.x; x++) {
      let q = p * n + vec2i(x, y);
      sum += texel(now, q).r - texel(before, q).r;
    }
  }
  let moved = 2.0 * smoothstep(MAYBE_MOVED, MOVED, abs(sum) / f32(n.x * n.y));
  return vec2f(max(moved, texel(before, p * n).b - 2.0 * frame.delta / (MOVING_TIME * max(time, 1e-4))), moved);
}

// (luma when the mask followed last, mask, how much it follows) of texel p; `now` has (luma, mask) of the frame, `before` what this gave in the
// frame before, `movements` what `movement` gave.
fn smoothed_mask(now: texture_2d<f32>, before: texture_2d<f32>, movements: texture_2d<f32>, p: vec2i, time: f32) -> vec3f {
  let fresh = texel(now, p).rg;
  let at = vec2i((vec2f(p) + 0.5) * vec2f(textureDimensions(movements)) / vec2f(textureDimensions(result)));
  let here = texel(movements, at).r;
  if (frame.reset == 1u || time <= 0.0) { return vec3f(fresh, here); }
  let old = texel(before, p).rg;
  var follows = vec2f(0.0);
  for (var y = -1; y <= 1; y++) {
    for (var x = -1; x <= 1; x++) { follows = max(follows, texel(movements, at + vec2i(x, y)).rg); }
  }
  follows = min(follows, vec2f(1.0));
  // Drawn again, in a pause or after an edit: no time passes, but a late mask may have come of a place that has moved.
  if (frame.delta <= 0.0) { return vec3f(mix(old, fresh, follows.g), here); }
  let margin = 2.0 * fresh.g - 1.0;
  let sure = max(margin * margin, LEAST_SURE);
  let moving = max(1.0 - exp(-frame.delta / time), smoothstep(0.4, 0.8, abs(fresh.g - old.g)));
  let resting = 1.0 - exp(-sure * frame.delta / (STILL * time));
  return vec3f(mix(old.r, fresh.r, follows.r), mix(old.g, fresh.g, mix(resting, moving, follows.r)), here);
}
