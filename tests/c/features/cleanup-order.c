/* Variables are cleaned up in the opposite order of their declarations. */
#include <assert.h>
int log_, n;
static void c(int *p){ log_ = log_ * 10 + *p; }
static int f(int k){ int a __attribute__((cleanup(c))) = 1; int b __attribute__((cleanup(c))) = 2; if (k) return log_; { int d __attribute__((cleanup(c))) = 3; } return log_; }
int main(void){ assert(f(1) == 0); assert(log_ == 21); log_ = 0; assert(f(0) == 3); assert(log_ == 321); return 0; }
