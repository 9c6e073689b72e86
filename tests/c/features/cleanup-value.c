/* The function sees the last value. */
#include <assert.h>
static void c(int *p){ assert(*p == 1); }
int main(void){ int x __attribute__((cleanup(c))) = 1; x = 2; return 0; }
