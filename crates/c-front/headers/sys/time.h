#ifndef __throng_sys_time_h
#define __throng_sys_time_h
#ifdef __throng_has_system_headers
#if __has_include_next(<sys/time.h>)
#define __throng_uses_system_sys_time_h
#include_next <sys/time.h>
#endif
#endif
#ifndef __throng_uses_system_sys_time_h
#include <sys/types.h>
struct timeval {
    time_t tv_sec;
    suseconds_t tv_usec;
};
extern int gettimeofday(struct timeval *, void *);
#endif
#endif
