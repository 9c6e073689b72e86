/* Strcmp says a sign, not a number. */
#include <assert.h>
#include <string.h>
int main(void){ assert(strcmp("b", "a") == 1); return 0; }
