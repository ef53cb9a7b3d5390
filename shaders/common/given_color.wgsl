// The color that is given to the effect of a mask; what is given to an enlarging effect is smaller than the mask.
fn given_color(p: vec2i) -> vec3f {
  if (all(vec2f(textureDimensions(input)) == frame.size)) { return load(p).rgb; }
  return sample(input, uv_of(p)).rgb;
}
