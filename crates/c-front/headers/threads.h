#ifndef __throng_threads_h
#define __throng_threads_h
#include <pthread.h>
#include <sched.h>
#include <time.h>
typedef pthread_t thrd_t;
typedef int (*thrd_start_t)(void *);
typedef pthread_mutex_t mtx_t;
typedef pthread_cond_t cnd_t;
typedef unsigned int tss_t;
typedef void (*tss_dtor_t)(void *);
typedef pthread_once_t once_flag;
#define thread_local _Thread_local
#define ONCE_FLAG_INIT PTHREAD_ONCE_INIT
#define TSS_DTOR_ITERATIONS 4
enum { thrd_success, thrd_busy, thrd_error, thrd_nomem, thrd_timedout };
enum { mtx_plain = 0, mtx_recursive = 1, mtx_timed = 2 };
/* These are the functions of POSIX under other names and with other results. */
#define thrd_create(t, f, a) pthread_create((t), 0, (void *(*)(void *))(f), (a))
#define thrd_equal(a, b) pthread_equal((a), (b))
#define thrd_current() pthread_self()
#define thrd_yield() ((void)sched_yield())
#define thrd_exit(r) pthread_exit((void *)(long)(r))
#define thrd_detach(t) pthread_detach(t)
#define thrd_join(t, r) pthread_join((t), (void **)(r))
#define mtx_lock(m) pthread_mutex_lock(m)
#define mtx_timedlock(m, t) (pthread_mutex_timedlock((m), (t)) ? thrd_timedout : thrd_success)
#define mtx_trylock(m) (pthread_mutex_trylock(m) ? thrd_busy : thrd_success)
#define mtx_unlock(m) pthread_mutex_unlock(m)
#define mtx_destroy(m) ((void)pthread_mutex_destroy(m))
#define call_once(o, f) ((void)pthread_once((o), (f)))
#define cnd_init(c) pthread_cond_init((c), 0)
#define cnd_signal(c) pthread_cond_signal(c)
#define cnd_broadcast(c) pthread_cond_broadcast(c)
#define cnd_wait(c, m) pthread_cond_wait((c), (m))
#define cnd_timedwait(c, m, t) (pthread_cond_timedwait((c), (m), (t)) ? thrd_timedout : thrd_success)
#define cnd_destroy(c) ((void)pthread_cond_destroy(c))
extern int mtx_init(mtx_t *, int);
extern int thrd_sleep(const struct timespec *, struct timespec *);
#define tss_create(k, d) (pthread_key_create((k), (d)) ? thrd_error : thrd_success)
#define tss_get(k) pthread_getspecific(k)
#define tss_set(k, v) (pthread_setspecific((k), (v)) ? thrd_error : thrd_success)
#define tss_delete(k) ((void)pthread_key_delete(k))
#endif
