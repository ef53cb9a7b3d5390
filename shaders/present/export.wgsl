// Working texture -> rgba8unorm, straight alpha kept. Ordered dithering (Bayer 8x8, amplitude one code value) hides the banding that
// rounding an rgba16float gradient to 8 bits leaves; `dither` 0 switches it off, for comparisons.

override dither: f32 = 1.0;

@group(0) @binding(0) var picture: texture_2d<f32>;
@group(0) @binding(1) var exported: texture_storage_2d<rgba8unorm, write>;

fn bayer(p: vec2u) -> f32 {
  var v = 0u;
  let q = vec2u(p.x ^ p.y, p.y);
  for (var i = 0u; i < 3u; i++) {
    v = (v << 2u) | (((q.x >> i) & 1u) << 1u) | ((q.y >> i) & 1u);
  }
  return (f32(v) + 0.5) / 64.0 - 0.5;
}

@compute @workgroup_size(8, 8) fn main(@builtin(global_invocation_id) id: vec3u) {
  let size = textureDimensions(picture);
  if (id.x >= size.x || id.y >= size.y) { return; }
  let c = textureLoad(picture, id.xy, 0);
  let rgb = clamp(c.rgb + dither * bayer(id.xy) / 255.0, vec3f(0.0), vec3f(1.0));
  textureStore(exported, id.xy, vec4f(rgb, clamp(c.a, 0.0, 1.0)));
}
