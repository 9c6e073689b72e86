#ifndef __throng_malloc_h
#define __throng_malloc_h
#include <stdlib.h>
extern void *memalign(size_t, size_t);
#endif
