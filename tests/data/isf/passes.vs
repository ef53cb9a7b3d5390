varying vec2 left_coord;
varying vec2 right_coord;

void main() {
  isf_vertShaderInit();
  vec2 step_ = vec2(3.0, 1.0) / RENDERSIZE;
  left_coord = clamp(isf_FragNormCoord - step_, 0.0, 1.0);
  right_coord = isf_FragNormCoord + step_;
}
