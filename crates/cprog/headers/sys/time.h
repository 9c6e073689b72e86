#ifndef __throng_sys_time_h
#define __throng_sys_time_h
#include <sys/types.h>
struct timeval {
    time_t tv_sec;
    suseconds_t tv_usec;
};
extern int gettimeofday(struct timeval *, void *);
#endif
