/* Complex arithmetic of Microsoft's C runtime that Wine lacks, by that of mingw. A long double of Windows is a
   double, so that each function of it is the double's. */
#include <complex.h>
#include <math.h>

typedef struct { float r, i; } Single;
typedef struct { double r, i; } Double;

static float complex single(Single z) { float complex c; __real__ c = z.r; __imag__ c = z.i; return c; }
static double complex double_(Double z) { double complex c; __real__ c = z.r; __imag__ c = z.i; return c; }
static Single of_single(float complex c) { Single z = {__real__ c, __imag__ c}; return z; }
static Double of_double(double complex c) { Double z = {__real__ c, __imag__ c}; return z; }

#define FUNCTION(name) \
    Single wine_##name##f(Single z) { return of_single(name##f(single(z))); } \
    Double wine_##name(Double z) { return of_double(name(double_(z))); } \
    Double wine_##name##l(Double z) { return of_double(name(double_(z))); }

#define PART(name, value) \
    float wine_##name##f(Single z) { return (float)(value); } \
    double wine_##name(Double z) { return value; } \
    double wine_##name##l(Double z) { return value; }

FUNCTION(cacos)
FUNCTION(cacosh)
FUNCTION(casin)
FUNCTION(casinh)
FUNCTION(catan)
FUNCTION(catanh)
FUNCTION(ccos)
FUNCTION(ccosh)
FUNCTION(cexp)
FUNCTION(clog)
FUNCTION(csin)
FUNCTION(csinh)
FUNCTION(csqrt)
FUNCTION(ctan)
FUNCTION(ctanh)

PART(creal, z.r)
PART(cimag, z.i)
PART(cabs, hypot(z.r, z.i))
PART(carg, atan2(z.i, z.r))

Single wine_cpowf(Single z, Single w) { return of_single(cpowf(single(z), single(w))); }
Double wine_cpow(Double z, Double w) { return of_double(cpow(double_(z), double_(w))); }
Double wine_cpowl(Double z, Double w) { return of_double(cpow(double_(z), double_(w))); }
