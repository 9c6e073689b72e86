#ifndef __throng_math_h
#define __throng_math_h
#define HUGE_VAL (__builtin_huge_val())
#define INFINITY (__builtin_inff())
#define NAN (__builtin_nanf(""))
#define M_PI 3.14159265358979323846
#define M_E 2.7182818284590452354
extern double fabs(double);
extern double floor(double);
extern double ceil(double);
extern double round(double);
extern double trunc(double);
extern double fmod(double, double);
extern double fmin(double, double);
extern double fmax(double, double);
extern double pow(double, double);
extern double sqrt(double);
extern double exp(double);
extern double log(double);
extern double log2(double);
extern double log10(double);
extern double sin(double);
extern double cos(double);
extern double tan(double);
extern double asin(double);
extern double acos(double);
extern double atan(double);
extern double atan2(double, double);
extern double sinh(double);
extern double cosh(double);
extern double tanh(double);
extern double ldexp(double, int);
extern double frexp(double, int *);
extern double modf(double, double *);
extern long lround(double);
extern float fabsf(float);
extern float sqrtf(float);
extern float floorf(float);
extern float powf(float, float);
#endif
