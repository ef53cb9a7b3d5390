// Working texture -> rgba8unorm, straight alpha kept; with `deep` -> rgba16float, neither rounded nor clipped.
// Ordered dithering (amplitude one code value; Bayer 8x8, or with `noise` a pattern like blue noise) hides the banding that rounding an rgba16float gradient to 8 bits leaves; `dither` 0 switches it off, for comparisons. Masks and an overlay (boxes, names) are
// laid over it here, so that the picture which the chain goes on with has none. Blending masks onto the picture itself would darken them
// where it is transparent: no blend factor divides by the opacity that results.

override dither: f32 = 1.0;
override deep: bool = false;
override noise: bool = false;

@group(0) @binding(0) var picture: texture_2d<f32>;
@group(0) @binding(1) var exported: texture_storage_2d<rgba8unorm, write>;
@group(0) @binding(2) var overlay: texture_2d<f32>;  // R'G'B'A premultiplied, one texel a pixel
@group(0) @binding(3) var<uniform> place: vec2i;     // pixel at which its left upper corner stands
@group(0) @binding(4) var masks: texture_2d<f32>;    // R'G'B'A premultiplied, under the overlay; of the picture's size, or a clear texel

fn bayer(p: vec2u) -> f32 {
  var v = 0u;
  let q = vec2u(p.x ^ p.y, p.y);
  for (var i = 0u; i < 3u; i++) {
    v = (v << 2u) | (((q.x >> i) & 1u) << 1u) | ((q.y >> i) & 1u);
  }
  return (f32(v) + 0.5) / 64.0 - 0.5;
}

// Interleaved gradient noise (Jimenez, "Next Generation Post Processing in Call of Duty: Advanced Warfare", 2014): no grid, and
// neighbors differ.
fn gradient_noise(p: vec2u) -> f32 {
  return fract(52.9829189 * fract(dot(vec2f(p), vec2f(0.06711056, 0.00583715)))) - 0.5;
}

// "Over" for a premultiplied color on a straight one; a picture that is transparent below stays so beside the overlay.
fn laid_over(top: vec4f, below: vec4f) -> vec4f {
  let kept = below.a * (1.0 - top.a);
  let a = top.a + kept;
  return vec4f((top.rgb + below.rgb * kept) / max(a, 1e-6), a);
}

@compute @workgroup_size(8, 8) fn main(@builtin(global_invocation_id) id: vec3u) {
  let size = textureDimensions(picture);
  if (id.x >= size.x || id.y >= size.y) { return; }
  var c = textureLoad(picture, id.xy, 0);
  if (all(id.xy < textureDimensions(masks))) {
    let top = textureLoad(masks, id.xy, 0);
    if (top.a > 0.0) { c = laid_over(top, clamp(c, vec4f(0.0), vec4f(1.0))); }
  }
  let at = vec2i(id.xy) - place;
  if (all(at >= vec2i(0)) && all(at < vec2i(textureDimensions(overlay)))) {
    let top = textureLoad(overlay, at, 0);
    if (top.a > 0.0) { c = laid_over(top, clamp(c, vec4f(0.0), vec4f(1.0))); }
  }
  if (deep) {
    textureStore(exported, id.xy, vec4f(c.rgb, clamp(c.a, 0.0, 1.0)));
    return;
  }
  var threshold = 0.0;
  if (noise) { threshold = gradient_noise(id.xy); } else { threshold = bayer(id.xy); }
  let rgb = clamp(c.rgb + dither * threshold / 255.0, vec3f(0.0), vec3f(1.0));
  textureStore(exported, id.xy, vec4f(rgb, clamp(c.a, 0.0, 1.0)));
}
