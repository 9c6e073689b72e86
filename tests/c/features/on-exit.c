/* On_exit gives the status and an argument. */
#include <assert.h>
int on_exit(void (*)(int, void *), void *);
void exit(int);
static void a(int s, void *p){ assert(s == 5 && *(int *)p == 7); }
int v = 7;
int main(void){ on_exit(a, &v); exit(5); }
