// Passes of the fast guided filter (He and Sun, "Fast guided filter", 2015), which draws a mask to the edges of a picture: at a quarter of
// the size the mask is fitted as a line a I + b of the picture's luma I in each window of 2 reach + 1 texels; at full size the mean of these
// lines is evaluated with the full picture.

// Variance of luma that still counts as flat: a standard deviation of 0.02.
const FLAT = 4e-4;

// Center of texel p of the pass's result as uv.
fn block_uv(p: vec2i) -> vec2f { return (vec2f(p) + 0.5) / vec2f(textureDimensions(result)); }

// Mean of 4 x 4 pixels about uv.
fn block(t: texture_2d<f32>, uv: vec2f) -> vec4f {
  let d = 1.0 / frame.size;
  return 0.25 * (sample(t, uv + d) + sample(t, uv + vec2f(d.x, -d.y)) + sample(t, uv + vec2f(-d.x, d.y)) + sample(t, uv - d));
}

// Means across of (luma, mask, luma squared, luma times mask); t has (luma, mask).
fn moments_across(t: texture_2d<f32>, p: vec2i, reach: i32) -> vec4f {
  var sum = vec4f(0.0);
  for (var i = -reach; i <= reach; i++) {
    let v = texel(t, p + vec2i(i, 0)).rg;
    sum += vec4f(v, v.r * v.r, v.r * v.g);
  }
  return sum / f32(2 * reach + 1);
}

// The line (a, b) of a window; t has the means across.
fn fitted_line(t: texture_2d<f32>, p: vec2i, reach: i32) -> vec4f {
  var sum = vec4f(0.0);
  for (var i = -reach; i <= reach; i++) { sum += texel(t, p + vec2i(0, i)); }
  let m = sum / f32(2 * reach + 1);
  let a = (m.w - m.x * m.y) / (max(m.z - m.x * m.x, 0.0) + FLAT);
  return vec4f(a, m.y - a * m.x, 0.0, 1.0);
}

// Mean of lines in a direction, (1, 0) or (0, 1).
fn mean_line(t: texture_2d<f32>, p: vec2i, direction: vec2i, reach: i32) -> vec4f {
  var sum = vec2f(0.0);
  for (var i = -reach; i <= reach; i++) { sum += texel(t, p + i * direction).rg; }
  return vec4f(sum / f32(2 * reach + 1), 0.0, 1.0);
}
