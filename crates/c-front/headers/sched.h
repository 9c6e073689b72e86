#ifndef __throng_sched_h
#define __throng_sched_h
#ifdef __throng_has_system_headers
#if __has_include_next(<sched.h>)
#define __throng_uses_system_sched_h
#include_next <sched.h>
#endif
#endif
#ifndef __throng_uses_system_sched_h
#include <sys/types.h>
struct sched_param {
    int sched_priority;
};
#define SCHED_OTHER 0
#define SCHED_FIFO 1
#define SCHED_RR 2
extern int sched_yield(void);
extern int sched_get_priority_max(int);
extern int sched_get_priority_min(int);
extern int sched_getscheduler(pid_t);
extern int sched_setscheduler(pid_t, int, const struct sched_param *);
#endif
#endif
