// What every filter can call. Colors are R'G'B' as displayed (gamma-coded, BT.709 primaries), 1.0 = SDR white.

// Texel p of a texture, clamped to its edge.
fn texel(t: texture_2d<f32>, p: vec2i) -> vec4f {
  return textureLoad(t, clamp(p, vec2i(0), vec2i(textureDimensions(t)) - 1), 0);
}

// Texel p of the filter's input, clamped to the edge.
fn load(p: vec2i) -> vec4f { return texel(input, p); }

// Bilinear sample of a texture at uv (0..1), clamped to the edge.
fn sample(t: texture_2d<f32>, uv: vec2f) -> vec4f { return textureSampleLevel(t, linear_sampler, uv, 0.0); }

// Center of output texel p as uv, for an output as large as the picture.
fn uv_of(p: vec2i) -> vec2f { return (vec2f(p) + 0.5) / frame.size; }

// Luma of R'G'B' (ITU-R BT.709-6, item 3.2).
fn luma(c: vec3f) -> f32 { return dot(c, vec3f(0.2126, 0.7152, 0.0722)); }

// sRGB transfer function (IEC 61966-2-1), extended symmetrically below zero.
fn to_linear(c: vec3f) -> vec3f {
  let a = abs(c);
  let high = pow((a + 0.055) / 1.055, vec3f(2.4));
  return sign(c) * select(high, a / 12.92, a <= vec3f(0.04045));
}

// Inverse of to_linear.
fn from_linear(c: vec3f) -> vec3f {
  let a = abs(c);
  let high = 1.055 * pow(a, vec3f(1.0 / 2.4)) - 0.055;
  return sign(c) * select(high, a * 12.92, a <= vec3f(0.0031308));
}

// PCG hash of three integers to three independent floats in [0, 1) (Jarzynski and Olano, "Hash Functions for GPU Rendering", 2020).
fn random3(p: vec2i, seed: u32) -> vec3f {
  var v = vec3u(bitcast<u32>(p.x), bitcast<u32>(p.y), seed) * 1664525u + 1013904223u;
  v.x += v.y * v.z; v.y += v.z * v.x; v.z += v.x * v.y;
  v ^= v >> vec3u(16u);
  v.x += v.y * v.z; v.y += v.z * v.x; v.z += v.x * v.y;
  return vec3f(v >> vec3u(8u)) / 16777216.0;
}

// The first of them.
fn random(p: vec2i, seed: u32) -> f32 { return random3(p, seed).x; }
