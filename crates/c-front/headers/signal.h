#ifndef __throng_signal_h
#define __throng_signal_h
#ifdef __throng_has_system_headers
#if __has_include_next(<signal.h>)
#define __throng_uses_system_signal_h
#include_next <signal.h>
#endif
#endif
#ifndef __throng_uses_system_signal_h
#include <sys/types.h>
typedef int sig_atomic_t;
typedef void (*__sighandler_t)(int);
typedef __sighandler_t sighandler_t;
typedef struct { unsigned long __throng_bits[16]; } sigset_t;
#define SIG_DFL ((__sighandler_t)0)
#define SIG_IGN ((__sighandler_t)1)
#define SIG_ERR ((__sighandler_t)-1)
#define SIGHUP 1
#define SIGINT 2
#define SIGQUIT 3
#define SIGILL 4
#define SIGABRT 6
#define SIGFPE 8
#define SIGKILL 9
#define SIGUSR1 10
#define SIGSEGV 11
#define SIGUSR2 12
#define SIGPIPE 13
#define SIGALRM 14
#define SIGTERM 15
#define SIGCHLD 17
#define SIG_BLOCK 0
#define SIG_UNBLOCK 1
#define SIG_SETMASK 2
extern __sighandler_t signal(int, __sighandler_t);
extern int raise(int);
extern int kill(pid_t, int);
extern int sigemptyset(sigset_t *);
extern int sigfillset(sigset_t *);
extern int sigaddset(sigset_t *, int);
extern int sigdelset(sigset_t *, int);
extern int sigwait(const sigset_t *, int *);
extern int pthread_sigmask(int, const sigset_t *, sigset_t *);
#endif
#endif
