// Offset of pixel p in pixels from a center in fractions of the frame, in axes that are turned clockwise by an angle in degrees.
fn turned(p: vec2i, center: vec2f, angle: f32) -> vec2f {
  let a = radians(angle);
  let off = vec2f(p) + 0.5 - center * frame.size;
  return vec2f(off.x * cos(a) + off.y * sin(a), off.y * cos(a) - off.x * sin(a));
}
