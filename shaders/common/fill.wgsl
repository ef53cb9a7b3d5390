// Bilinear sampling of the input with a rule for what lies outside of it. `fill` is a choice parameter with the choices
// "black", "transparent", "edge", "mirror", "repeat", in this order.
fn sample_fill(uv: vec2f, fill: i32) -> vec4f {
  switch (fill) {
    case 0, 1: {
      // The bilinear filter over a border of zeros is separable: the clamped sample times the weight of the texels inside.
      let at = uv * frame.size - 0.5;
      let inside = clamp(at + 1.0, vec2f(0.0), vec2f(1.0)) * clamp(frame.size - at, vec2f(0.0), vec2f(1.0));
      let weight = inside.x * inside.y;
      let c = sample(input, uv);
      return select(vec4f(c.rgb, c.a * weight), mix(vec4f(0.0, 0.0, 0.0, 1.0), c, weight), fill == 0);
    }
    case 3: { return sample(input, 1.0 - abs(1.0 - (uv - 2.0 * floor(uv * 0.5)))); }
    case 4: { return sample_repeat(uv); }
    default: { return sample(input, uv); }
  }
}

// The sampler clamps, so the seam between two copies is interpolated by hand.
fn sample_repeat(uv: vec2f) -> vec4f {
  let at = uv * frame.size - 0.5;
  let f = fract(at);
  let p = vec2i(floor(at));
  let top = mix(wrapped(p), wrapped(p + vec2i(1, 0)), f.x);
  let bottom = mix(wrapped(p + vec2i(0, 1)), wrapped(p + vec2i(1, 1)), f.x);
  return mix(top, bottom, f.y);
}

fn wrapped(p: vec2i) -> vec4f {
  let size = vec2i(frame.size);
  // Not p % size, which naga makes SPIR-V's OpSRem: Vulkan leaves its result open where an operand is negative, and NVIDIA takes
  // operands for unsigned (gfx-rs/wgpu issue 8191).
  let q = p - size * (p / size);
  return textureLoad(input, select(q, q + size, q < vec2i(0)), 0);
}
