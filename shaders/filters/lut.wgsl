/* lightloom
title = "3D LUT"
group = "Color"
help = "Applies a look-up table in the .cube format; drop the file on the window."
tags = ["cube", "grade", "look"]
hdr = true

[[param]]
name = "table"
type = "lut"
label = "Table"
help = "A .cube file."
*/

// Texel centers stand on the lattice points, so the hardware's trilinear filter interpolates exactly between them.
fn main(p: vec2i) -> vec4f {
  let c = load(p);
  let n = f32(textureDimensions(table).x);
  let at = (clamp(c.rgb, vec3f(0.0), vec3f(1.0)) * (n - 1.0) + 0.5) / n;
  let graded = textureSampleLevel(table, linear_sampler, at, 0.0).rgb;
  return vec4f(graded, c.a);
}
