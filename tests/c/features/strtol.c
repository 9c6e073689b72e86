/* strtol and atoi read what a text says. */
#include <assert.h>
#include <stdlib.h>
int main(void){ char *end; assert(strtol(" -0x1fz", &end, 0) == -31 && *end == 'z' && atoi("12") == 12); return 0; }
