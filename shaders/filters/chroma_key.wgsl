/* lightloom
title = "Chroma key"
group = "Key"
help = "Takes out a green or blue screen by its distance in chroma, and its cast from what stays."
tags = ["green screen", "blue screen", "background", "transparent"]

[[param]]
name = "key"
type = "color"
default = "#00b140"
help = "Color of the screen."

[[param]]
name = "tolerance"
min = 0
max = 0.6
default = 0.16
step = 0.005
help = "Distance in Cb and Cr (each reaches from -0.5 to 0.5) up to which a pixel is screen."

[[param]]
name = "softness"
min = 0
max = 0.4
default = 0.1
step = 0.005
help = "Further distance over which it becomes opaque."

[[param]]
name = "spill"
min = 0
max = 1
default = 0.8
step = 0.01
help = "Share of the screen's hue that is taken from what stays."
when = { show = ["background", "transparent"] }

[[param]]
name = "show"
type = "choice"
choices = ["background", "transparent", "matte"]
help = "Put a color behind, make it transparent, or show the matte."

[[param]]
name = "background"
type = "color"
default = "#10141c"
help = "Color behind the picture."
when = { show = "background" }
*/

// Cb and Cr of R'G'B' (ITU-R BT.709-6, item 3.3), each -0.5..0.5.
fn chroma(c: vec3f) -> vec2f { return (c.br - luma(c)) / vec2f(1.8556, 1.5748); }

fn rgb_of(y: f32, c: vec2f) -> vec3f {
  let r = y + 1.5748 * c.y;
  let b = y + 1.8556 * c.x;
  return vec3f(r, (y - 0.2126 * r - 0.0722 * b) / 0.7152, b);
}

// Takes the part along the key's hue out of the chroma; luma stays.
fn without_spill(c: vec3f, key: vec2f) -> vec3f {
  let strength = length(key);
  if (params.spill == 0.0 || strength < 1e-3) { return c; }
  let hue = key / strength;
  let own = chroma(c);
  return max(rgb_of(luma(c), own - hue * max(dot(own, hue), 0.0) * params.spill), vec3f(0.0));
}

fn main(p: vec2i) -> vec4f {
  let c = load(p);
  let key = chroma(params.key.rgb);
  let matte = clamp((distance(chroma(c.rgb), key) - params.tolerance) / max(params.softness, 1e-4), 0.0, 1.0);
  let rgb = without_spill(c.rgb, key);
  switch (params.show) {
    case 1: { return vec4f(rgb, c.a * matte); }
    case 2: { return vec4f(vec3f(matte), 1.0); }
    default: { return vec4f(mix(params.background.rgb, rgb, matte), c.a); }
  }
}
