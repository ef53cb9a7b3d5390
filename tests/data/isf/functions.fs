/*{
  "DESCRIPTION": "Draws one built-in function of GLSL in each cell of a grid.",
  "CREDIT": "Lightloom",
  "ISFVSN": "2",
  "CATEGORIES": ["Test"],
  "INPUTS": [{"NAME": "inputImage", "TYPE": "image"}]
}*/

#define CELL(n) else if (cell == n)
#define SHOW(v) gl_FragColor = vec4(fract(vec3(v)), 1.0)

const float LIMIT = 1.0 / 3.0;

mat3 turned(float a) {
  return mat3(cos(a), sin(a), 0.0, -sin(a), cos(a), 0.0, 0.1, 0.2, 1.0);
}

void main() {
  vec2 grid = vec2(8.0, 8.0);
  vec2 at = fract(isf_FragNormCoord * grid) * 0.9 + 0.05;
  ivec2 place = ivec2(floor(isf_FragNormCoord * grid));
  int cell = place.x + place.y * 8;
  float x = at.x;
  vec3 v = vec3(at, x * at.y);
  vec3 w = vec3(0.3, 0.7, at.y);
  mat3 m = turned(x);
  mat2 n = mat2(x + 1.0, 0.2, at.y, 2.0);
  mat4 p = mat4(vec4(x + 2.0, 0.1, 0.2, 0.3), vec4(0.0, 1.5, at.y, 0.2), vec4(0.1, 0.0, 1.2, 0.4), vec4(0.3, at.y, 0.0, 1.1));
  if (cell == 0) SHOW(radians(x * 100.0));
  CELL(1) SHOW(degrees(v) * 0.01);
  CELL(2) SHOW(sin(v) * 0.5 + 0.25);
  CELL(3) SHOW(cos(v) * 0.5);
  CELL(4) SHOW(tan(x) * 0.4);
  CELL(5) SHOW(asin(x) * 0.5);
  CELL(6) SHOW(acos(v) * 0.5);
  CELL(7) SHOW(atan(x) * 0.5);
  CELL(8) SHOW(atan(at.y - 0.5, x + 0.1) * 0.3 + 0.5);
  CELL(9) SHOW(pow(v, w));
  CELL(10) SHOW(exp(x) * 0.3);
  CELL(11) SHOW(log(v + 1.0) * 0.7);
  CELL(12) SHOW(exp2(x) * 0.4);
  CELL(13) SHOW(log2(x + 1.0) * 0.9);
  CELL(14) SHOW(sqrt(v) * 0.9);
  CELL(15) SHOW(inversesqrt(x + 1.2) * 0.9);
  CELL(16) SHOW(abs(v - 0.5));
  CELL(17) SHOW(sign(v - 0.31) * 0.25 + 0.5);
  CELL(18) SHOW(floor(v * 3.3) * 0.2);
  CELL(19) SHOW(ceil(v * 3.3) * 0.2);
  CELL(20) SHOW(fract(v * 1.7));
  CELL(21) SHOW(mod(v * 3.0 - 1.3, 0.7));
  CELL(22) SHOW(mod(v, w));
  CELL(23) SHOW(min(v, 0.6));
  CELL(24) SHOW(max(v, w));
  CELL(25) SHOW(clamp(v, 0.2, 0.6));
  CELL(26) SHOW(mix(v, w, 0.3));
  CELL(27) SHOW(mix(v, w, at.yxy));
  CELL(28) SHOW(step(0.43, v) * 0.7);
  CELL(29) SHOW(smoothstep(0.1, 0.8, v) * 0.9);
  CELL(30) SHOW(smoothstep(0.9, 0.2, x) * 0.9);
  CELL(31) SHOW(length(v) * 0.5);
  CELL(32) SHOW(distance(v, w) * 0.7);
  CELL(33) SHOW(dot(v, w) * 0.5);
  CELL(34) SHOW(cross(v, w) * 0.5 + 0.5);
  CELL(35) SHOW(normalize(v) * 0.9);
  CELL(36) SHOW(faceforward(v, w, vec3(0.1, -1.0, 0.0)) * 0.4 + 0.5);
  CELL(37) SHOW(reflect(v, normalize(w)) * 0.4 + 0.5);
  CELL(38) SHOW(refract(normalize(v), normalize(w), 0.7) * 0.4 + 0.5);
  CELL(39) SHOW(matrixCompMult(m, m)[1] * 0.4 + 0.4);
  CELL(40) SHOW((m * v) * 0.4 + 0.3);
  CELL(41) SHOW((v * m) * 0.4 + 0.3);
  CELL(42) SHOW((m * turned(0.3))[0] * 0.4 + 0.4);
  CELL(43) SHOW(vec3(n * at, 0.2) * 0.2);
  CELL(44) SHOW(transpose(m)[0] * 0.4 + 0.4);
  CELL(45) SHOW(inverse(m)[2] * 0.4 + 0.5);
  CELL(46) SHOW((inverse(p) * vec4(1.0, 2.0, 0.5, x)).xyz * 0.2 + 0.5);
  CELL(47) SHOW(determinant(p) * 0.1);
  CELL(48) SHOW(inverse(n)[1].xyx * 0.5 + 0.4);
  CELL(49) SHOW(outerProduct(v, w)[1] * 0.8);
  CELL(50) SHOW(vec3(lessThan(v, w)) * 0.6);
  CELL(51) SHOW(vec3(greaterThanEqual(v, w)) * 0.6);
  CELL(52) SHOW(any(lessThan(v, w * 0.5)) ? 0.25 : 0.75);
  CELL(53) SHOW(all(not(lessThan(v, w * 0.5))) ? 0.25 : 0.75);
  CELL(54) SHOW(IMG_NORM_PIXEL(inputImage, at).rgb * 0.9);
  CELL(55) SHOW(IMG_PIXEL(inputImage, gl_FragCoord.xy * 0.7).rgb * 0.9);
  CELL(56) SHOW(IMG_THIS_PIXEL(inputImage).rgb * 0.9);
  CELL(57) SHOW(vec3(IMG_SIZE(inputImage) * 0.003, 0.2));
  CELL(58) SHOW(texture2D(inputImage, at.yx).gbr * 0.9);
  CELL(59) SHOW(sinh(x) * 0.5 + cosh(x) * 0.1);
  CELL(60) SHOW(trunc(v * 4.1 - 2.0) * 0.1 + 0.5);
  CELL(61) SHOW(vec3(mat3(p)[1].xy, mat2(m)[0].y) * 0.3);
  CELL(62) SHOW((2.0 * m + m / 2.0 - mat3(0.5))[1] * 0.2 + 0.5);
  CELL(63) SHOW(isnan(x) ? 0.2 : LIMIT);
}
