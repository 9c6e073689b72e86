#ifndef __throng_unistd_h
#define __throng_unistd_h
#ifdef __throng_has_system_headers
#if __has_include_next(<unistd.h>)
#define __throng_uses_system_unistd_h
#include_next <unistd.h>
#endif
#endif
#ifndef __throng_uses_system_unistd_h
#include <stddef.h>
#include <sys/types.h>
#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
#define _SC_PAGESIZE 30
#define _SC_NPROCESSORS_CONF 83
#define _SC_NPROCESSORS_ONLN 84
extern unsigned int sleep(unsigned int);
extern int usleep(useconds_t);
extern unsigned int alarm(unsigned int);
extern int pause(void);
extern void _exit(int) __attribute__((__noreturn__));
extern pid_t fork(void);
extern pid_t getpid(void);
extern pid_t getppid(void);
extern uid_t getuid(void);
extern ssize_t read(int, void *, size_t);
extern ssize_t write(int, const void *, size_t);
extern off_t lseek(int, off_t, int);
extern int close(int);
extern int pipe(int *);
extern int dup(int);
extern int dup2(int, int);
extern int access(const char *, int);
extern int unlink(const char *);
extern int isatty(int);
extern long sysconf(int);
extern int getopt(int, char *const *, const char *);
extern char *optarg;
extern int optind;
extern int opterr;
extern int optopt;
#endif
#endif
