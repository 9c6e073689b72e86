/* Gettimeofday writes a struct. */
#include <assert.h>
#include <sys/time.h>
int main(void){ struct timeval t = {0, 0}; gettimeofday(&t, 0); assert(t.tv_usec == 0); return 0; }
