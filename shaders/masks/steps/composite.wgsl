/* lightloom
title = "Composite"
help = "Mixes the result of an effect, `original`, with what the effect was given, the input."
use = ["blending"]

[[param]]
name = "opacity"
min = 0
max = 1
default = 1

[[param]]
name = "blend"
type = "choice"
choices = ["normal", "multiply", "screen", "overlay", "darken", "lighten", "color_dodge", "color_burn", "hard_light", "soft_light", "difference", "exclusion", "hue", "saturation", "color", "luminosity", "add", "subtract", "add_light"]

[[param]]
name = "masked"
type = "bool"
default = false

[[param]]
name = "inverted"
type = "bool"
default = false

[given]
source = "mask"
texture = "mask"
*/

fn main(p: vec2i) -> vec4f {
  let effect = texel(original, p);
  // An enlarging effect is larger than what it was given.
  let same = all(textureDimensions(input) == textureDimensions(original));
  var base = texel(input, p);
  if (!same) { base = sample(input, uv_of(p)); }
  let covered = clamp(texel(mask, p).r, 0.0, 1.0);
  let inside = select(covered, 1.0 - covered, params.inverted == 1u);
  let share = params.opacity * select(1.0, inside, params.masked == 1u);
  if (share >= 1.0 && params.blend == 0) { return effect; }
  if (share <= 0.0) { return base; }
  // Where the backdrop is transparent the source is not blended (W3C, section 5.1).
  let source = mix(effect.rgb, blended(params.blend, base.rgb, effect.rgb), base.a);
  let alpha = mix(base.a, effect.a, share);
  // In proportion to their opacity, so that what is invisible lends no color.
  let weight = select(share, share * effect.a / max(alpha, 1e-6), alpha > 0.0);
  return vec4f(mix(base.rgb, source, weight), alpha);
}
