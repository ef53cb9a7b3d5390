/* lightloom
title = "Median"
group = "Detail"
help = "Gives each channel the median of its neighborhood: removes specks and keeps edges."
tags = ["denoise", "speckle", "salt and pepper", "dust"]
hdr = true

[[param]]
name = "window"
type = "choice"
choices = ["3x3", "5x5"]
default = "3x3"
help = "Size of the neighborhood in pixels."
*/

// Sorting networks on vectors: the three channels are sorted at once, without a branch.

struct Three { a: vec3f, b: vec3f, c: vec3f }

struct Five { a: vec3f, b: vec3f, c: vec3f, d: vec3f, e: vec3f }

fn middle(a: vec3f, b: vec3f, c: vec3f) -> vec3f { return max(min(a, b), min(max(a, b), c)); }

fn sort3(a: vec3f, b: vec3f, c: vec3f) -> Three {
  return Three(min(a, min(b, c)), middle(a, b, c), max(a, max(b, c)));
}

// Nine exchanges (Knuth, The Art of Computer Programming 3, 5.3.4).
fn sort5(v: Five) -> Five {
  let a0 = min(v.a, v.b); let b0 = max(v.a, v.b);
  let d0 = min(v.d, v.e); let e0 = max(v.d, v.e);
  let c1 = min(v.c, e0); let e1 = max(v.c, e0);
  let c2 = min(c1, d0); let d2 = max(c1, d0);
  let b3 = min(b0, e1); let e3 = max(b0, e1);
  let a4 = min(a0, d2); let d4 = max(a0, d2);
  let a5 = min(a4, c2); let c5 = max(a4, c2);
  let b6 = min(b3, d4); let d6 = max(b3, d4);
  let b7 = min(b6, c5); let c7 = max(b6, c5);
  return Five(a5, b7, c7, d6, e3);
}

fn column3(p: vec2i) -> Three {
  return sort3(load(p - vec2i(0, 1)).rgb, load(p).rgb, load(p + vec2i(0, 1)).rgb);
}

fn column5(p: vec2i) -> Five {
  return sort5(Five(
    load(p - vec2i(0, 2)).rgb, load(p - vec2i(0, 1)).rgb, load(p).rgb, load(p + vec2i(0, 1)).rgb, load(p + vec2i(0, 2)).rgb));
}

// With sorted columns, the median is the middle of: the largest minimum, the middle of the middles, the smallest maximum
// (Paeth, "Median finding on a 3x3 grid", Graphics Gems, 1990).
fn median3(p: vec2i) -> vec3f {
  let l = column3(p - vec2i(1, 0)); let m = column3(p); let r = column3(p + vec2i(1, 0));
  return middle(max(l.a, max(m.a, r.a)), middle(l.b, m.b, r.b), min(l.c, min(m.c, r.c)));
}

// Columns are sorted, then rows; then only 13 of the 25 can be the median, those on the three diagonals about the middle:
// it is the middle of the upper diagonal's maximum, the main one's median and the lower one's minimum.
fn median5(p: vec2i) -> vec3f {
  let c0 = column5(p - vec2i(2, 0)); let c1 = column5(p - vec2i(1, 0)); let c2 = column5(p);
  let c3 = column5(p + vec2i(1, 0)); let c4 = column5(p + vec2i(2, 0));
  let r0 = sort5(Five(c0.a, c1.a, c2.a, c3.a, c4.a));
  let r1 = sort5(Five(c0.b, c1.b, c2.b, c3.b, c4.b));
  let r2 = sort5(Five(c0.c, c1.c, c2.c, c3.c, c4.c));
  let r3 = sort5(Five(c0.d, c1.d, c2.d, c3.d, c4.d));
  let r4 = sort5(Five(c0.e, c1.e, c2.e, c3.e, c4.e));
  let upper = max(max(r0.d, r1.c), max(r2.b, r3.a));
  let main_diagonal = sort5(Five(r0.e, r1.d, r2.c, r3.b, r4.a)).c;
  let lower = min(min(r1.e, r2.d), min(r3.c, r4.b));
  return middle(upper, main_diagonal, lower);
}

fn main(p: vec2i) -> vec4f {
  var m: vec3f;
  if (params.window == 0) { m = median3(p); } else { m = median5(p); }
  return vec4f(m, load(p).a);
}
