#ifndef __throng_stdnoreturn_h
#define __throng_stdnoreturn_h
#define noreturn _Noreturn
#endif
