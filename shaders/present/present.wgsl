// Draws the picture on the window or into an export: zoom and pan, before/after split, mirror, transparency, overlay.
// Input: working textures (straight alpha, R'G'B' as displayed). Output: the target's unorm format, gamma-coded as it stands.

struct View {
  origin: vec2f,        // target pixel at which the picture's left upper corner stands
  scale: vec2f,         // picture pixels for one target pixel
  picture: vec2f,       // size of the picture in its pixels
  split: f32,           // target x of the before/after line; below zero: no split
  flags: u32,           // 1: mirrored, 2: overlay present, 4: nearest neighbour, 8: swap red and blue for nothing else (unused bit)
  background: vec4f,
  line: vec4f,
}

@group(0) @binding(0) var<uniform> view: View;
@group(0) @binding(1) var linear_sampler: sampler;
@group(0) @binding(2) var processed: texture_2d<f32>;
@group(0) @binding(3) var original: texture_2d<f32>;
@group(0) @binding(4) var overlay: texture_2d<f32>;   // premultiplied alpha, one texel a target pixel

@vertex fn vertex(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {
  return vec4f(f32(i & 1u) * 4.0 - 1.0, f32(i >> 1u) * 4.0 - 1.0, 0.0, 1.0);
}

fn picture_at(t: texture_2d<f32>, at: vec2f) -> vec4f {
  let size = vec2f(textureDimensions(t));
  let uv = at / view.picture;
  if ((view.flags & 4u) != 0u) {
    return textureLoad(t, clamp(vec2i(uv * size), vec2i(0), vec2i(size) - 1), 0);
  }
  // A box of bilinear samples when the picture is shrunk: one sample alone skips pixels and shimmers.
  let taps = clamp(i32(ceil(max(view.scale.x, view.scale.y) * 0.5)), 1, 4);
  let step = view.scale / f32(taps);
  var sum = vec4f(0.0);
  for (var y = 0; y < taps; y++) {
    for (var x = 0; x < taps; x++) {
      let offset = (vec2f(f32(x), f32(y)) + 0.5) * step - view.scale * 0.5;
      sum += textureSampleLevel(t, linear_sampler, (at + offset) / view.picture, 0.0);
    }
  }
  return sum / f32(taps * taps);
}

fn checker(p: vec2f) -> vec3f {
  let odd = (i32(floor(p.x / 12.0)) + i32(floor(p.y / 12.0))) & 1;
  return select(vec3f(0.32), vec3f(0.42), odd == 1);
}

@fragment fn fragment(@builtin(position) position: vec4f) -> @location(0) vec4f {
  let p = position.xy;
  var at = (p - view.origin) * view.scale;
  var color = view.background.rgb;
  if (all(at >= vec2f(0.0)) && all(at < view.picture)) {
    if ((view.flags & 1u) != 0u) { at.x = view.picture.x - at.x; }
    var c: vec4f;
    if (view.split >= 0.0 && p.x < view.split) { c = picture_at(original, at); } else { c = picture_at(processed, at); }
    color = clamp(c.rgb, vec3f(0.0), vec3f(1.0));
    if (c.a < 0.999) { color = mix(checker(p - view.origin), color, clamp(c.a, 0.0, 1.0)); }
    if (view.split >= 0.0 && abs(p.x - view.split) < 1.0) { color = mix(color, view.line.rgb, view.line.a); }
  }
  if ((view.flags & 2u) != 0u) {
    let o = textureLoad(overlay, clamp(vec2i(p), vec2i(0), vec2i(textureDimensions(overlay)) - 1), 0);
    color = color * (1.0 - o.a) + o.rgb;
  }
  return vec4f(color, 1.0);
}
