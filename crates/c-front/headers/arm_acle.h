#ifndef __throng_arm_acle_h
#define __throng_arm_acle_h
/* What locks use of these. */
#define __yield() ((void)0)
#define __wfe() ((void)0)
#define __sev() ((void)0)
#define __dmb(kind) __sync_synchronize()
#define __dsb(kind) __sync_synchronize()
#define __isb(kind) __sync_synchronize()
#endif
