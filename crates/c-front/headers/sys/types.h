#ifndef __throng_sys_types_h
#define __throng_sys_types_h
#ifdef __throng_has_system_headers
#if __has_include_next(<sys/types.h>)
#define __throng_uses_system_sys_types_h
#include_next <sys/types.h>
#endif
#endif
#ifndef __throng_uses_system_sys_types_h
#include <stddef.h>
#include <stdint.h>
#include <time.h>
#if __throng_pointer_bits == 64
typedef long ssize_t;
#else
typedef int ssize_t;
#endif
typedef long off_t;
typedef int pid_t;
typedef unsigned int uid_t;
typedef unsigned int gid_t;
typedef unsigned int id_t;
typedef unsigned int mode_t;
typedef unsigned int useconds_t;
typedef long suseconds_t;
typedef unsigned char u_char;
typedef unsigned short u_short;
typedef unsigned int u_int;
typedef unsigned long u_long;
typedef uint8_t u_int8_t;
typedef uint16_t u_int16_t;
typedef uint32_t u_int32_t;
typedef uint64_t u_int64_t;
#endif
#endif
