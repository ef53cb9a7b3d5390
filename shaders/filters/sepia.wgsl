/* lightloom
title = "Sepia"
group = "Color"
help = "Tones the picture brown like an old print."
tags = ["brown", "old", "vintage", "tone"]
*/

// The matrix of the CSS filter sepia() (W3C Filter Effects Module Level 1, section 8).
fn main(p: vec2i) -> vec4f {
  let c = load(p);
  let toned = vec3f(
    dot(c.rgb, vec3f(0.393, 0.769, 0.189)),
    dot(c.rgb, vec3f(0.349, 0.686, 0.168)),
    dot(c.rgb, vec3f(0.272, 0.534, 0.131)));
  return vec4f(toned, c.a);
}
