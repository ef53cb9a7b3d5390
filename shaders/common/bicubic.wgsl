// Catmull-Rom interpolation of a texture at uv (Keys 1981, a = -0.5), clamped to the edge. The two middle taps of each direction are read as
// one bilinear sample between them, so that 16 taps are 9 samples (Sigg and Hadwiger, "Fast Third-Order Texture Filtering", 2005).
fn bicubic(t: texture_2d<f32>, uv: vec2f) -> vec4f {
  let size = vec2f(textureDimensions(t));
  let at = uv * size;
  let middle = floor(at - 0.5) + 0.5;
  let f = at - middle;
  let w0 = f * (-0.5 + f * (1.0 - 0.5 * f));
  let w1 = 1.0 + f * f * (-2.5 + 1.5 * f);
  let w2 = f * (0.5 + f * (2.0 - 1.5 * f));
  let w3 = f * f * (-0.5 + 0.5 * f);
  let w12 = w1 + w2;
  let p0 = (middle - 1.0) / size;
  let p12 = (middle + w2 / w12) / size;
  let p3 = (middle + 2.0) / size;
  let top = w0.x * sample(t, p0) + w12.x * sample(t, vec2f(p12.x, p0.y)) + w3.x * sample(t, vec2f(p3.x, p0.y));
  let row = w0.x * sample(t, vec2f(p0.x, p12.y)) + w12.x * sample(t, p12) + w3.x * sample(t, vec2f(p3.x, p12.y));
  let bottom = w0.x * sample(t, vec2f(p0.x, p3.y)) + w12.x * sample(t, vec2f(p12.x, p3.y)) + w3.x * sample(t, p3);
  return w0.y * top + w12.y * row + w3.y * bottom;
}
