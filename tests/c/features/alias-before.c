/* An alias may stand before what it is of. */
#include <assert.h>
extern int other __attribute__((alias("real"))); int get(void) __attribute__((alias("getreal")));
static int real = 1; static int getreal(void){ return real; }
int main(void){ other = 5; assert(get() == 5); return 0; }
