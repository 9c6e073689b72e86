#ifndef __throng_strings_h
#define __throng_strings_h
#include <string.h>
#endif
