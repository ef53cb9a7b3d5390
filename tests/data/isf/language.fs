/*{
  "DESCRIPTION": "Draws what the statements of GLSL compute, one in each cell of a grid.",
  "CREDIT": "Lightloom",
  "ISFVSN": "2",
  "INPUTS": [{"NAME": "inputImage", "TYPE": "image"}]
}*/

#if __VERSION__ > 100 && defined(GL_ES) == 0
#define TAPS 5
#else
#error
#endif
#ifdef UNKNOWN
nonsense(
#elif 1
#define SQUARE(a) ((a) * (a))
#endif
#define ADD(a, b) a + \
  b

struct Ray {
  vec3 from, to;
  float weights[3];
};

float counted = 0.0;
const int COUNT = TAPS - 1;
const vec2 OFFSETS[4] = vec2[4](vec2(0.1, 0.2), vec2(0.3, 0.1), vec2(0.2, 0.2), vec2(0.4, 0.0));
float table[COUNT];

float next(float by) { counted += by; return counted; }
float half_of(float x);
vec2 half_of(vec2 v) { return v / 2.; }
float half_of(float x) { return x * .5; }
int half_of(int i) { return i / 2; }

void swap(inout float a, inout float b, out float sum) {
  float kept = a;
  a = b;
  b = kept;
  sum = a + b;
}

bool split(in vec3 color, out vec2 low) {
  low = color.xy * 0.5;
  if (color.z > 0.4) return true;
  low.y += 0.1;
  return false;
}

float sum_of(const float values[3]) {
  float sum = 0.0;
  for (int i = 0; i < values.length(); ++i) sum += values[i];
  return sum;
}

Ray make(vec3 from) {
  Ray ray;
  ray.from = from;
  ray.to = vec3(1) - from;
  ray.weights[0] = 0.25; ray.weights[1] = 0.5; ray.weights[2] = from.x;
  return ray;
}

vec3 shown(int cell, vec2 at) {
  float x = at.x, y = at.y;
  vec4 c = vec4(x, y, 0.3, 1);
  if (cell == 0) { c.xy = c.yx; return c.rgb; }
  else if (cell == 1) { c.zx *= 0.5; c.y = c.g * 0.8; return c.xyz; }
  else if (cell == 2) { float a = x, b = y, s; swap(a, b, s); return vec3(a, b, s * 0.4); }
  else if (cell == 3) { vec2 low; float l = split(vec3(at, x), low) ? 0.2 : 0.7; return vec3(low, l); }
  else if (cell == 4) { c.rg = vec2(0.0); split(vec3(x), c.gr); return c.rgb; }
  else if (cell == 5) { Ray r = make(vec3(at, 0.5)); r.to.yz *= 0.5; return r.to * sum_of(r.weights) * 0.5; }
  else if (cell == 6) {
    float sum = 0.0;
    for (int i = 0; i < TAPS; i++) { if (i == 1) continue; if (i == 4) break; sum += x * float(i); }
    return vec3(sum * 0.15, 0.1, 0.4);
  }
  else if (cell == 7) {
    // Not 'i = 0': Mesa 25 does not finish compiling two loops of which it knows both counts.
    int i = int(x); float sum = 0.0;
    while (i++ < 3) sum += y * 0.2;
    do { sum += 0.05; } while (--i > 0);
    return vec3(sum, 0.2, sum * 0.5);
  }
  else if (cell == 8) { int i = int(x * 6.0); float r = 0.0;
    switch (i) { case 0: r = 0.9; break; case 1: case 2: r = 0.4; break; case 3: return vec3(0.3); default: r = 0.1; }
    return vec3(r, r * 0.5, 0.2); }
  else if (cell == 9) { float a = 0.1; float b = a++ * 0.3 + ++a * 0.2; return vec3(b, fract(a), x * 0.5); }
  else if (cell == 10) { float f = x > 0.5 ? next(0.2) : next(0.3) + next(0.1); return vec3(f, counted, 0.1); }
  else if (cell == 11) { bool b = x > 0.5 && next(0.25) > 0.1 || y > 0.7; return vec3(b ? 0.8 : 0.2, counted, x * 0.3); }
  else if (cell == 12) { for (int i = 0; i < 4; i++) table[i] = float(i) * 0.2; return vec3(table[int(x * 3.99)], OFFSETS[int(y * 3.99)]); }
  else if (cell == 13) { return vec3(half_of(at), half_of(x) + float(half_of(3)) * 0.2); }
  else if (cell == 14) { int i = int(x * 20.0); return vec3(float(i % 3) * 0.3, float((i << 1) & 7) * 0.1, float(i ^ 5) * 0.02); }
  else if (cell == 15) { uint u = uint(x * 40.0); return vec3(float(u >> 2u) * 0.05, float(~u & 15u) * 0.05, float(u % 4u) * 0.2); }
  else if (cell == 16) { float s = ADD(x * 0.2, SQUARE(y) * 0.5); return vec3(s, SQUARE(x + 0.1) * 0.5, 0.1); }
  else if (cell == 17) { mat2 m = mat2(1.0); m[0][1] = x; m[1] *= 0.5; at *= m; return vec3(at * 0.5, m[0].y * 0.4); }
  else if (cell == 18) { vec2 v = at; { vec2 v = v * 0.5; v.x = 0.3; at = v; } return vec3(v * 0.7, at.y); }
  else if (cell == 19) { vec3 v = vec3(0); v[int(x * 2.99)] = 0.7; v[1] += 0.1; return v; }
  else if (cell == 20) { ivec3 i = ivec3(vec3(at, 0.5) * 5.0); i -= 1; return vec3(i) * 0.15 + 0.2; }
  else if (cell == 21) { bvec2 b = bvec2(x > 0.5, y > 0.5); return vec3(b.x ^^ b.y, b) * 0.5; }
  else if (cell == 22) { float a, b; a = b = x * 0.5; a += b *= 0.5; float d = (b += 0.1, b * 0.5); return vec3(a, b, d); }
  else if (cell == 23) { float f[3] = float[](x, y, 0.5); f[1] = f[0] * 0.5; return vec3(f[0], f[1], f[2] * 0.4); }
  else if (cell == 24) { return vec3(at == vec2(0.5) ? 0.1 : 0.6, vec2(x) != at ? 0.3 : 0.9, 1. - x * .9e0); }
  return vec3(-x < -0.5 ? 0.2 : 0.6, - -y * 0.5, !(x < 0.5) ? 0.3 : 0.5);
}

void main() {
  vec2 grid = vec2(6, 5);
  vec2 at = fract(isf_FragNormCoord * grid) * 0.9 + 0.05;
  int cell = int(isf_FragNormCoord.x * grid.x) + int(isf_FragNormCoord.y * grid.y) * 6;
  if (cell == 29) { gl_FragColor = vec4(0.7); discard; }
  gl_FragColor = vec4(shown(cell, at), 1.0);
}
