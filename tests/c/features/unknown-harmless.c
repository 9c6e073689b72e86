/* A function without a body is noted, if nothing that it returns or writes matters. */
#include <assert.h>
int report(const char *, int); void fill(char *, int); struct s { int a; }; struct s make(void);
int main(void) { char buffer[8]; int n = report("begin", 1); fill(buffer, n); struct s s = make(); (void)s; int x = 3; assert(x == 3); return 0; }
