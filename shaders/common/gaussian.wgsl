// One direction of a separable Gaussian blur about texel p: standard deviation `sigma`, cut off at `reach` texels, both in texels.
// Two neighboring taps are read as one bilinear sample between them (Rakos, "Efficient Gaussian blur with linear sampling", 2010).
fn gaussian(t: texture_2d<f32>, p: vec2i, direction: vec2f, sigma: f32, reach: i32) -> vec4f {
  let size = vec2f(textureDimensions(t));
  let at = (vec2f(p) + 0.5) / size;
  let k = -0.5 / max(sigma * sigma, 1e-6);
  var sum = sample(t, at);
  var total = 1.0;
  for (var i = 1; i <= reach; i += 2) {
    let x = f32(i);
    let w1 = exp(k * x * x);
    let w2 = select(exp(k * (x + 1.0) * (x + 1.0)), 0.0, i + 1 > reach);
    let w = w1 + w2;
    if (w < 1e-6) { break; }
    let offset = direction * ((x * w1 + (x + 1.0) * w2) / w) / size;
    sum += w * (sample(t, at + offset) + sample(t, at - offset));
    total += 2.0 * w;
  }
  return sum / total;
}
