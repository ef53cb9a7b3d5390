/* lightloom
title = "White balance"
group = "Color"
help = "Adapts the picture from the light it was taken in to daylight of 6500 K (Bradford transform in linear light)."
tags = ["temperature", "tint", "kelvin", "color cast"]

[[param]]
name = "temperature"
min = 2000
max = 15000
default = 6500
step = 50
unit = "K"
help = "Color temperature of the light in the scene; a higher one makes the picture warmer."

[[param]]
name = "tint"
min = -150
max = 150
default = 0
step = 1
help = "Green (below 0) or magenta (above 0) correction; one step is 1/3000 in CIE 1960 uv across the Planckian locus."

[[texture]]
name = "matrix"
size = [3, 1]
format = "rgba32float"

[[pass]]
entry = "adapt"
output = "matrix"

[[pass]]
entry = "main"
*/

// Planckian locus in CIE 1960 uv (Krystek, "An algorithm to calculate correlated color temperature", 1985; 1000 to 15000 K).
fn planckian(t: f32) -> vec2f {
  let k = t * 1e-3;
  let u = (0.860117757 + 0.154118254 * k + 0.128641212 * k * k) / (1.0 + 0.842420235 * k + 0.708145163 * k * k);
  let v = (0.317398726 + 0.0422806245 * k + 0.0420481691 * k * k) / (1.0 - 0.0289741816 * k + 0.161456053 * k * k);
  return vec2f(u, v);
}

// XYZ (Y = 1) of a light `duv` above the locus at temperature t.
fn white(t: f32, duv: f32) -> vec3f {
  let along = normalize(planckian(t * 1.01) - planckian(t * 0.99));
  // u falls as the light gets bluer, so this normal points to larger v: to green.
  let uv = planckian(t) + duv * vec2f(along.y, -along.x);
  let scale = 2.0 * uv.x - 8.0 * uv.y + 4.0;
  let xy = vec2f(3.0 * uv.x, 2.0 * uv.y) / scale;
  return vec3f(xy.x, xy.y, 1.0 - xy.x - xy.y) / xy.y;
}

// Linear BT.709 to XYZ and back (ITU-R BT.709-6, D65), and the Bradford cone responses with their inverse (Lam, 1985).
const XYZ_OF_RGB = mat3x3f(0.4123908, 0.2126390, 0.0193308, 0.3575843, 0.7151687, 0.1191948, 0.1804808, 0.0721923, 0.9505322);
const RGB_OF_XYZ = mat3x3f(3.2409699, -0.9692436, 0.0556301, -1.5373832, 1.8759675, -0.2039770, -0.4986108, 0.0415551, 1.0569715);
const CONE_OF_XYZ = mat3x3f(0.8951, -0.7502, 0.0389, 0.2664, 1.7135, -0.0685, -0.1614, 0.0367, 1.0296);
const XYZ_OF_CONE = mat3x3f(0.9869929, 0.4323053, -0.0085287, -0.1470543, 0.5183603, 0.0400428, 0.1599627, 0.0492912, 0.9684867);

// The matrix is the same for all pixels, so it is made once a frame: column p.x.
fn adapt(p: vec2i) -> vec4f {
  // The green light of a scene is corrected by its opposite, so a positive tint (magenta) stands for a light above the locus.
  let scene = CONE_OF_XYZ * white(params.temperature, params.tint / 3000.0);
  let gain = (CONE_OF_XYZ * white(6500.0, 0.0)) / scene;
  let scaling = mat3x3f(gain.x, 0.0, 0.0, 0.0, gain.y, 0.0, 0.0, 0.0, gain.z);
  let columns = RGB_OF_XYZ * XYZ_OF_CONE * scaling * CONE_OF_XYZ * XYZ_OF_RGB;
  switch (p.x) {
    case 0: { return vec4f(columns[0], 0.0); }
    case 1: { return vec4f(columns[1], 0.0); }
    default: { return vec4f(columns[2], 0.0); }
  }
}

fn main(p: vec2i) -> vec4f {
  let c = load(p);
  let adaptation = mat3x3f(texel(matrix, vec2i(0, 0)).rgb, texel(matrix, vec2i(1, 0)).rgb, texel(matrix, vec2i(2, 0)).rgb);
  return vec4f(from_linear(adaptation * to_linear(c.rgb)), c.a);
}
