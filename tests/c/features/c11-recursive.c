/* Recursive mutexes and call_once of C11. */
#include <assert.h>
#include <threads.h>
mtx_t m; once_flag o = ONCE_FLAG_INIT; int n; void f(void){ n++; }
int main(void){ mtx_init(&m, mtx_plain | mtx_recursive); mtx_lock(&m); assert(mtx_trylock(&m) == thrd_success); call_once(&o, f); call_once(&o, f); assert(n == 1); return 0; }
