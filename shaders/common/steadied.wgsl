// Passes that smooth a mask over time. Where the picture moves it follows within the time that the user sets. Where the picture stands
// still, so should its mask: there it takes ten times as long, and longer what the network is unsure of, so that a chair which it takes for
// a person in every other frame does not come and go.

// How many times as long, where the network is sure.
const STILL = 10.0;

// Changes of luma, of means over 8 x 8 pixels, from which on a place may move, and surely does: above a camera's noise.
const MAYBE_MOVED = 0.008;
const MOVED = 0.02;

// Change of mean luma in the block of texel p; `now` and `before` have luma in red, and a multiple of the result's size.
fn block_change(now: texture_2d<f32>, before: texture_2d<f32>, p: vec2i) -> f32 {
  let n = (vec2i(textureDimensions(now)) + vec2i(textureDimensions(result)) / 2) / vec2i(textureDimensions(result));
  var sum = 0.0;
  for (var y = 0; y < n.y; y++) {
    for (var x = 0; x < n.x; x++) {
      let q = p * n + vec2i(x, y);
      sum += texel(now, q).r - texel(before, q).r;
    }
  }
  return abs(sum) / f32(n.x * n.y);
}

// (luma, mask) of texel p; `now` and `before` have (luma, mask), `changes` has what block_change gave.
fn steadied(now: texture_2d<f32>, before: texture_2d<f32>, changes: texture_2d<f32>, p: vec2i, time: f32) -> vec4f {
  let fresh = texel(now, p).rg;
  if (frame.reset == 1u || time <= 0.0) { return vec4f(fresh, 0.0, 1.0); }
  let old = texel(before, p).g;
  let at = vec2i((vec2f(p) + 0.5) * vec2f(textureDimensions(changes)) / vec2f(textureDimensions(result)));
  var change = 0.0;
  for (var y = -1; y <= 1; y++) {
    for (var x = -1; x <= 1; x++) { change = max(change, texel(changes, at + vec2i(x, y)).r); }
  }
  let moved = smoothstep(MAYBE_MOVED, MOVED, change);
  let follow = max(1.0 - exp(-frame.delta / time), smoothstep(0.4, 0.8, abs(fresh.g - old)));
  let sure = 2.0 * fresh.g - 1.0;
  let rest = sure * sure * (1.0 - exp(-frame.delta / (STILL * time)));
  return vec4f(fresh.r, mix(old, fresh.g, mix(rest, follow, moved)), 0.0, 1.0);
}
