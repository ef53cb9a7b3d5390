/* lightloom
title = "Hue"
group = "Color"
help = "Turns all hues by an angle in the Cb/Cr plane of BT.709, so that the luma of every pixel stays as it is."
tags = ["rotate", "color shift", "tint"]

[[param]]
name = "angle"
min = -180
max = 180
default = 45
step = 1
unit = "°"
help = "Angle of the turn; 0 changes nothing."
*/

// Cb and Cr of ITU-R BT.709-6, item 3.3. A turn about the luma axis keeps luma; a turn in HSV would not.
fn main(p: vec2i) -> vec4f {
  let c = load(p);
  let y = luma(c.rgb);
  let cb = (c.b - y) / 1.8556;
  let cr = (c.r - y) / 1.5748;
  let angle = radians(params.angle);
  let b = y + 1.8556 * (cb * cos(angle) - cr * sin(angle));
  let r = y + 1.5748 * (cb * sin(angle) + cr * cos(angle));
  return vec4f(r, (y - 0.2126 * r - 0.0722 * b) / 0.7152, b, c.a);
}
