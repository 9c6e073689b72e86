/* strtol does not read more than the digits of its base. */
#include <assert.h>
#include <stdlib.h>
int main(void){ assert(strtol("129", 0, 8) == 129); return 0; }
