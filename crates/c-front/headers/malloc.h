#ifndef __throng_malloc_h
#define __throng_malloc_h
#ifdef __throng_has_system_headers
#if __has_include_next(<malloc.h>)
#define __throng_uses_system_malloc_h
#include_next <malloc.h>
#endif
#endif
#ifndef __throng_uses_system_malloc_h
#include <stdlib.h>
extern void *memalign(size_t, size_t);
#endif
#endif
