// The blend functions of "Compositing and Blending Level 1" (W3C), sections 9.1 and 9.2: `b` is the backdrop, `s` the source, both
// encoded R'G'B' in 0..1. Sums and differences work on the same values, `add_light` on linear light.

fn hard_light(b: vec3f, s: vec3f) -> vec3f {
  let multiplied = b * 2.0 * s;
  let top = 2.0 * s - 1.0;
  return select(b + top - b * top, multiplied, s <= vec3f(0.5));
}

fn dodge(b: f32, s: f32) -> f32 {
  if (b <= 0.0) { return 0.0; }
  if (s >= 1.0) { return 1.0; }
  return min(1.0, b / (1.0 - s));
}

fn burn(b: f32, s: f32) -> f32 {
  if (b >= 1.0) { return 1.0; }
  if (s <= 0.0) { return 0.0; }
  return 1.0 - min(1.0, (1.0 - b) / s);
}

fn soft_light(b: vec3f, s: vec3f) -> vec3f {
  let d = select(sqrt(b), ((16.0 * b - 12.0) * b + 4.0) * b, b <= vec3f(0.25));
  return select(b + (2.0 * s - 1.0) * (d - b), b - (1.0 - 2.0 * s) * b * (1.0 - b), s <= vec3f(0.5));
}

// The W3C's weights, which are not those of BT.709.
fn lum(c: vec3f) -> f32 { return dot(c, vec3f(0.3, 0.59, 0.11)); }

fn clip_color(c: vec3f) -> vec3f {
  let l = lum(c);
  let least = min(c.r, min(c.g, c.b));
  let most = max(c.r, max(c.g, c.b));
  var clipped = c;
  if (least < 0.0) { clipped = l + (clipped - l) * l / (l - least); }
  if (most > 1.0) { clipped = l + (clipped - l) * (1.0 - l) / (most - l); }
  return clipped;
}

fn set_lum(c: vec3f, l: f32) -> vec3f { return clip_color(c + (l - lum(c))); }

fn sat(c: vec3f) -> f32 { return max(c.r, max(c.g, c.b)) - min(c.r, min(c.g, c.b)); }

fn set_sat(c: vec3f, s: f32) -> vec3f {
  let least = min(c.r, min(c.g, c.b));
  let spread = sat(c);
  return select(vec3f(0.0), (c - least) * s / max(spread, 1e-9), spread > 0.0);
}

// A source over a backdrop by a mode of masks/blending.py, numbered from 0.
fn blended(mode: i32, backdrop: vec3f, source: vec3f) -> vec3f {
  // The W3C's formulae hold for 0..1. Only normal, darken, lighten, difference and add_light keep what is brighter than white.
  let b = clamp(backdrop, vec3f(0.0), vec3f(1.0));
  let s = clamp(source, vec3f(0.0), vec3f(1.0));
  switch (mode) {
    case 1: { return b * s; }
    case 2: { return b + s - b * s; }
    case 3: { return hard_light(s, b); }
    case 4: { return min(backdrop, source); }
    case 5: { return max(backdrop, source); }
    case 6: { return vec3f(dodge(b.r, s.r), dodge(b.g, s.g), dodge(b.b, s.b)); }
    case 7: { return vec3f(burn(b.r, s.r), burn(b.g, s.g), burn(b.b, s.b)); }
    case 8: { return hard_light(b, s); }
    case 9: { return soft_light(b, s); }
    case 10: { return abs(backdrop - source); }
    case 11: { return b + s - 2.0 * b * s; }
    case 12: { return set_lum(set_sat(s, sat(b)), lum(b)); }
    case 13: { return set_lum(set_sat(b, sat(s)), lum(b)); }
    case 14: { return set_lum(s, lum(b)); }
    case 15: { return set_lum(b, lum(s)); }
    case 16: { return min(b + s, vec3f(1.0)); }
    case 17: { return max(b - s, vec3f(0.0)); }
    case 18: { return from_linear(to_linear(backdrop) + to_linear(source)); }
    default: { return source; }
  }
}
