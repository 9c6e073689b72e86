/* _exit runs nothing. */
#include <assert.h>
#include <stdlib.h>
#include <unistd.h>
__attribute__((destructor)) static void d1(void){ assert(0); }
int main(void){ _exit(3); }
