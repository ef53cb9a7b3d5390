// Means over blocks of a picture in two passes: along rows into column p.x of block columns, then down.
// Pairs of texels are read as one bilinear sample half-way between them; blocks at the right and lower edge may be cut short.

fn mean_across(t: texture_2d<f32>, p: vec2i, width: i32) -> vec4f {
  let size = vec2i(textureDimensions(t));
  let begin = p.x * width;
  let end = min(begin + width, size.x);
  if (begin >= end) { return vec4f(0.0); }
  var sum = vec4f(0.0);
  for (var x = begin; x + 1 < end; x += 2) {
    sum += 2.0 * sample(t, vec2f(f32(x) + 1.0, f32(p.y) + 0.5) / vec2f(size));
  }
  if (((end - begin) & 1) == 1) { sum += textureLoad(t, vec2i(end - 1, p.y), 0); }
  return sum / f32(end - begin);
}

fn mean_down(t: texture_2d<f32>, p: vec2i, height: i32) -> vec4f {
  let size = vec2i(textureDimensions(t));
  let begin = p.y * height;
  let end = min(begin + height, size.y);
  if (begin >= end) { return vec4f(0.0); }
  var sum = vec4f(0.0);
  for (var y = begin; y + 1 < end; y += 2) {
    sum += 2.0 * sample(t, vec2f(f32(p.x) + 0.5, f32(y) + 1.0) / vec2f(size));
  }
  if (((end - begin) & 1) == 1) { sum += textureLoad(t, vec2i(p.x, end - 1), 0); }
  return sum / f32(end - begin);
}
