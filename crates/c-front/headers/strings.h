#ifndef __throng_strings_h
#define __throng_strings_h
#ifdef __throng_has_system_headers
#if __has_include_next(<strings.h>)
#define __throng_uses_system_strings_h
#include_next <strings.h>
#endif
#endif
#ifndef __throng_uses_system_strings_h
#include <string.h>
#endif
#endif
