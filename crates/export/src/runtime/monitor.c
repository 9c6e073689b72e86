/* ---- a scheduler that lets one thread move at a time, chosen at random ---- */
enum { __throng_none, __throng_runs, __throng_waits, __throng_ended, __throng_stuck };
enum { __throng_most = 8 };

extern int __throng_real_join(unsigned long, void **) __asm__("pthread_join");
extern int __throng_real_mutex_init(void *, const void *) __asm__("pthread_mutex_init");
extern int __throng_real_cond_wait(void *, void *) __asm__("pthread_cond_wait");
extern int __throng_real_cond_signal(void *) __asm__("pthread_cond_signal");
extern unsigned long __throng_real_self(void) __asm__("pthread_self");

#ifdef __SIZEOF_INT128__
typedef unsigned __int128 __throng_w;
typedef __int128 __throng_s;
#else
typedef unsigned long long __throng_w;
typedef long long __throng_s;
#endif
enum { __throng_width = 8 * sizeof(__throng_w) };
static long __throng_gate[16] __attribute__((aligned(64)));
static long __throng_bells[__throng_most + 1][16] __attribute__((aligned(64)));
static unsigned __throng_token = 1, __throng_atomic, __throng_depth;
static struct {
    unsigned status, where, code, parent, is_new;
    unsigned long self;
    void *waits;
    struct { void *memory; unsigned long size; } slots[__throng_n_slots + 1];
} __throng_all[__throng_most + 1];
static unsigned long long __throng_seed = 1, __throng_moves, __throng_checks, __throng_tries;
static int __throng_is_dirty, __throng_bad;

static unsigned __throng_random(unsigned below) {
    __throng_seed = __throng_seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return (unsigned)((__throng_seed >> 33) % below);
}

static void __throng_tell(void) {
    __throng_say("throng: checked ");
    __throng_say_number(__throng_checks);
    __throng_say(" states in ");
    __throng_say_number(__throng_moves);
    __throng_say(" moves\n");
}

static void __throng_elements(void);

static void __throng_broken(unsigned element, const char *text) {
    unsigned t;
    __throng_say("throng: the invariant is broken: element ");
    __throng_say_number(element);
    __throng_say(": ");
    __throng_say(text);
    __throng_say("; threads stand at");
    for (t = 1; t <= __throng_threads; t++) {
        __throng_say(" ");
        if (__throng_all[t].status == __throng_waits) __throng_say_number(__throng_all[t].where);
        else __throng_say("-");
    }
    __throng_say("\n");
    __throng_leave(43);
}

/* The invariant speaks about states in which every thread stands at a location of the prepared program. */
static void __throng_check(void) {
    unsigned t;
    if (__throng_is_dirty || __throng_atomic) return;
    for (t = 1; t <= __throng_threads; t++) {
        if (__throng_all[t].status == __throng_ended) continue;
        if (__throng_all[t].status != __throng_waits || !__throng_kept[__throng_all[t].where]) return;
    }
    __throng_checks++;
    __throng_elements();
}

static void __throng_end(void) {
    __throng_tell();
    __throng_leave(0);
}

/* A thread that runs on without ever coming to a point keeps all others from moving: after some of its time it is over. */
extern void (*__throng_signal(int, void (*)(int)))(int) __asm__("signal");
extern int __throng_set_timer(int, const void *, void *) __asm__("setitimer");
static unsigned long long __throng_seen_moves;
static unsigned __throng_idle_ticks;

static void __throng_tick(int signal) {
    (void)signal;
    if (__throng_moves != __throng_seen_moves) __throng_idle_ticks = 0;
    __throng_seen_moves = __throng_moves;
    if (++__throng_idle_ticks > 3) __throng_end();
}

/* The time of this process alone counts (ITIMER_VIRTUAL, SIGVTALRM): machines are busy. */
static void __throng_begin_ticks(void) {
    const long every[4] = { 0, 100000, 0, 100000 };
    __throng_signal(26, __throng_tick);
    __throng_set_timer(1, every, (void *)0);
}

/* Somebody else moves: at random, more often those who do not stand where the invariant looks. */
static void __throng_pick(void) {
    unsigned t, n = 0, m = 0, list[__throng_most], between[__throng_most];
    if (++__throng_moves > 20000 || __throng_tries > 400) __throng_end();
    for (t = 1; t <= __throng_threads; t++)
        if (__throng_all[t].status == __throng_waits && (!__throng_atomic || __throng_atomic == t)) {
            list[n++] = t;
            if (!__throng_kept[__throng_all[t].where]) between[m++] = t;
        }
    if (!n) __throng_end();
    __throng_token = m && __throng_random(2) ? between[__throng_random(m)] : list[__throng_random(n)];
    __throng_real_cond_signal(__throng_bells[__throng_token]);
}

static void __throng_await(void) {
    while (__throng_token != __throng_me) __throng_real_cond_wait(__throng_bells[__throng_me], __throng_gate);
    __throng_all[__throng_me].status = __throng_runs;
}

/* A thread that is new gives the turn back to who has started it. */
static int __throng_was_new(void) {
    if (!__throng_all[__throng_me].is_new) return 0;
    __throng_all[__throng_me].is_new = 0;
    __throng_token = __throng_all[__throng_me].parent;
    __throng_real_cond_signal(__throng_bells[__throng_token]);
    return 1;
}

static void __throng_stop_at(unsigned where) {
    __throng_all[__throng_me].where = where;
    __throng_all[__throng_me].status = __throng_waits;
    if (!__throng_was_new()) {
        __throng_check();
        __throng_pick();
    }
    __throng_await();
}

static void __throng_at(unsigned point, unsigned phase) {
    unsigned where = __throng_where[__throng_all[__throng_me].code][2 * point + phase];
    /* What is no access in the model is no place to stop; 1 is a place that is not known. */
    if (where) __throng_stop_at(where);
}

static void __throng_point(unsigned point) { __throng_at(point, 0); }

static void __throng_stay(void) {
    __throng_all[__throng_me].status = __throng_stuck;
    if (!__throng_was_new()) __throng_pick();
    for (;;) __throng_real_cond_wait(__throng_bells[__throng_me], __throng_gate);
}

static void __throng_begin(void *code) {
    unsigned k;
    __throng_real_lock(__throng_gate);
    for (k = 0; k < __throng_n_codes; k++)
        if (__throng_codes[k].code == code) __throng_all[__throng_me].code = __throng_codes[k].number;
    __throng_all[__throng_me].self = __throng_real_self();
    while (__throng_token != __throng_me) __throng_real_cond_wait(__throng_bells[__throng_me], __throng_gate);
    __throng_all[__throng_me].status = __throng_runs;
}

static void __throng_over(void) {
    __throng_all[__throng_me].status = __throng_ended;
    if (!__throng_ends[__throng_all[__throng_me].where]) __throng_is_dirty = 1;
    if (!__throng_was_new()) __throng_pick();
    __throng_real_unlock(__throng_gate);
}

__throng_unused static void __throng_section(int is_begin) {
    if (is_begin) __throng_depth++;
    else if (__throng_depth) __throng_depth--;
    __throng_atomic = __throng_depth ? __throng_me : 0;
}

static long __throng_result(void) { return 0; }

/* Arbitrary values: mostly small ones. */
__throng_unused static unsigned long long __throng_arbitrary(unsigned point) {
    (void)point;
    switch (__throng_random(4)) {
    case 0: return __throng_random(2);
    case 1: return __throng_random(8);
    case 2: return ~(unsigned long long)__throng_random(3);
    default: return ((unsigned long long)__throng_random(1u << 30) << 32) ^ __throng_random(1u << 30);
    }
}

__throng_unused static unsigned long long __throng_part(unsigned point, unsigned part) {
    (void)part;
    return __throng_arbitrary(point);
}

__throng_unused static int __throng_create(unsigned point, void *thread, const void *attributes, void *(*run)(void *), void *value);

static int __throng_launch(unsigned point, void *thread, const void *attributes, void *(*run)(void *), void *value, void *code) {
    int error;
    __throng_point(point);
    if (__throng_threads >= __throng_most) __throng_stay();
    unsigned child = __throng_threads + 1;
    __throng_all[child].is_new = 1;
    __throng_all[child].parent = __throng_me;
    error = __throng_real_start(thread, attributes, run, value, code);
    if (error) __throng_end();
    __throng_token = child;
    __throng_real_cond_signal(__throng_bells[child]);
    __throng_await();
    return 0;
}

static int __throng_create(unsigned point, void *thread, const void *attributes, void *(*run)(void *), void *value) {
    return __throng_launch(point, thread, attributes, run, value, (void *)run);
}

__throng_unused static void __throng_start(unsigned point, void *(*run)(void *), void *value, void *code) {
    unsigned long thread[2];
    __throng_launch(point, thread, (void *)0, run, value, code);
}

__throng_unused static void __throng_thread_exit(unsigned point, void *result) {
    /* It may end with a lock in its hands, which the prepared program leaves out. */
    __throng_is_dirty = 1;
    (void)point;
    __throng_over();
    __throng_real_exit(result);
}

__throng_unused static int __throng_join(unsigned point, unsigned long thread, void **result) {
    unsigned t;
    int is_known = 0;
    for (t = 1; t <= __throng_threads; t++) is_known |= __throng_all[t].self == thread;
    for (;; __throng_tries++) {
        __throng_point(point);
        int is_over = !is_known;
        for (t = 1; t <= __throng_threads; t++)
            is_over |= __throng_all[t].self == thread && __throng_all[t].status == __throng_ended;
        if (is_over) break;
    }
    __throng_tries = 0;
    __throng_real_unlock(__throng_gate);
    int error = __throng_real_join(thread, result);
    __throng_real_lock(__throng_gate);
    return error;
}

/* Locks: who finds one taken stays where it is. */
static struct { void *mutex; unsigned depth; } __throng_held[256];

static int __throng_slot(void *mutex) {
    int slot = 0;
    while (slot < 255 && __throng_held[slot].mutex && __throng_held[slot].mutex != mutex) slot++;
    __throng_held[slot].mutex = mutex;
    return slot;
}

__throng_unused static __throng_w __throng_taken(void *mutex) { return __throng_held[__throng_slot(mutex)].depth != 0; }

static int __throng_try(void *mutex) {
    int error = __throng_real_trylock(__throng_mutex(mutex));
    if (!error) __throng_held[__throng_slot(mutex)].depth++;
    return error;
}

static int __throng_unlock(void *mutex) {
    int error = __throng_real_unlock(__throng_mutex(mutex)), slot = __throng_slot(mutex);
    if (!error && __throng_held[slot].depth) __throng_held[slot].depth--;
    return error;
}

__throng_unused static int __throng_mutex_init(unsigned point, void *mutex, const void *attributes) {
    __throng_point(point);
    __throng_held[__throng_slot(mutex)].depth = 0;
    return __throng_real_mutex_init(__throng_mutex(mutex), attributes);
}

#define __throng_until(done) for (;; __throng_tries++) { __throng_point(point); if (done) break; } __throng_tries = 0

__throng_unused static int __throng_mutex_lock(unsigned point, void *mutex) {
    int error;
    __throng_until((error = __throng_try(mutex)) != 16);
    return error;
}

__throng_unused static int __throng_mutex_trylock(unsigned point, void *mutex) {
    __throng_point(point);
    return __throng_try(mutex);
}

__throng_unused static int __throng_mutex_timedlock(unsigned point, void *mutex, ...) {
    __throng_point(point);
    int error = __throng_try(mutex);
    return error == 16 ? 110 : error;
}

__throng_unused static int __throng_mutex_unlock(unsigned point, void *mutex) {
    __throng_point(point);
    return __throng_unlock(mutex);
}

__throng_unused static int __throng_rwlock_rdlock(unsigned point, void *lock) {
    int error;
    __throng_until((error = __throng_real_tryrdlock(lock)) != 16);
    return error;
}

__throng_unused static int __throng_rwlock_wrlock(unsigned point, void *lock) {
    int error;
    __throng_until((error = __throng_real_trywrlock(lock)) != 16);
    return error;
}

__throng_unused static int __throng_rwlock_timedrdlock(unsigned point, void *lock, ...) {
    __throng_point(point);
    int error = __throng_real_tryrdlock(lock);
    return error == 16 ? 110 : error;
}

__throng_unused static int __throng_rwlock_timedwrlock(unsigned point, void *lock, ...) {
    __throng_point(point);
    int error = __throng_real_trywrlock(lock);
    return error == 16 ? 110 : error;
}

__throng_unused static int __throng_spin_init(unsigned point, volatile int *lock, int shared) {
    (void)shared;
    __throng_point(point);
    return *lock = 0;
}

__throng_unused static int __throng_spin_trylock(unsigned point, volatile int *lock) {
    __throng_point(point);
    if (*lock) return 16;
    *lock = 1;
    return 0;
}

__throng_unused static int __throng_spin_lock(unsigned point, volatile int *lock) {
    __throng_until(!*lock);
    *lock = 1;
    return 0;
}

__throng_unused static int __throng_spin_unlock(unsigned point, volatile int *lock) {
    __throng_point(point);
    return *lock = 0;
}

__throng_unused static int __throng_sem_wait(unsigned point, void *semaphore) {
    __throng_until(!__throng_real_trywait(semaphore));
    return 0;
}

__throng_unused static int __throng_sem_timedwait(unsigned point, void *semaphore, ...) {
    __throng_point(point);
    int error = __throng_real_trywait(semaphore);
    if (error) *__throng_errno_place() = 110;
    return error;
}

/* Threads that wait on a condition variable wake up when they are told to, and otherwise if that is allowed. */
static int __throng_wait(unsigned point, void *condition, void *mutex, int is_timed) {
    __throng_point(point);
    int error = __throng_unlock(mutex), is_woken;
    if (error) return error;
    __throng_all[__throng_me].waits = condition;
    for (;; __throng_tries++) {
        __throng_at(point, 1);
        is_woken = !__throng_all[__throng_me].waits;
        if ((is_woken || __throng_is_spurious || is_timed) && !__throng_try(mutex)) break;
    }
    __throng_tries = 0;
    __throng_all[__throng_me].waits = (void *)0;
    return !is_woken && is_timed && (!__throng_is_spurious || __throng_random(2)) ? 110 : 0;
}

__throng_unused static int __throng_cond_wait(unsigned point, void *condition, void *mutex) {
    return __throng_wait(point, condition, mutex, 0);
}

__throng_unused static int __throng_cond_timedwait(unsigned point, void *condition, void *mutex, const void *time) {
    (void)time;
    return __throng_wait(point, condition, mutex, 1);
}

__throng_unused static int __throng_cond_signal(unsigned point, void *condition) {
    unsigned t, n = 0, list[__throng_most];
    __throng_point(point);
    for (t = 1; t <= __throng_threads; t++) if (__throng_all[t].waits == condition) list[n++] = t;
    if (n) __throng_all[list[__throng_random(n)]].waits = (void *)0;
    return 0;
}

__throng_unused static int __throng_cond_broadcast(unsigned point, void *condition) {
    unsigned t;
    __throng_point(point);
    for (t = 1; t <= __throng_threads; t++) if (__throng_all[t].waits == condition) __throng_all[t].waits = (void *)0;
    return 0;
}

__throng_unused static int __throng_once(unsigned point, int *control, void (*run)(void)) {
    __throng_until(*control != 1);
    if (*control == 2) return 0;
    *control = 1;
    run();
    __throng_at(point, 1);
    *control = 2;
    return 0;
}

__throng_unused static int __throng_assume(int holds) {
    if (!holds) __throng_stay();
    return 0;
}

/* Where the variables of a thread are while they live. */
__throng_unused static unsigned __throng_watch(unsigned slot, void *memory, unsigned long size) {
    __throng_all[__throng_me].slots[slot].memory = memory;
    __throng_all[__throng_me].slots[slot].size = size;
    return slot;
}

__throng_unused static void __throng_forget(unsigned *slot) {
    if (*slot < __throng_n_slots) __throng_all[__throng_me].slots[*slot].memory = (void *)0;
}

/* ---- values, as the model has them: bits without a sign ---- */
__throng_unused static __throng_w __throng_mask(__throng_w value, unsigned bits) {
    return bits >= __throng_width ? value : value & (((__throng_w)1 << bits) - 1);
}

__throng_unused static __throng_s __throng_signed(__throng_w value, unsigned bits) {
    return bits >= __throng_width || !(value >> (bits - 1) & 1) ? (__throng_s)value : (__throng_s)(value | ~(((__throng_w)1 << bits) - 1));
}

/* An address of the model: objects of the program by name, others are not known. */
static __throng_w __throng_address(const void *pointer) {
    unsigned k;
    const char *at = pointer;
    if (!at) return 0;
    for (k = 0; k < __throng_n_objects; k++) {
        const char *start = __throng_objects[k].memory;
        if (at >= start && at < start + __throng_objects[k].size) return __throng_objects[k].address + (__throng_w)(at - start);
    }
    __throng_bad = 1;
    return 0;
}

__throng_unused static __throng_w __throng_get(unsigned thread, unsigned slot, unsigned bits, int is_pointer) {
    unsigned long long value = 0;
    void *memory = __throng_all[thread].slots[slot].memory;
    unsigned long size = __throng_all[thread].slots[slot].size;
    if (!memory || size > sizeof value) { __throng_bad = 1; return 0; }
    __builtin_memcpy(&value, memory, size);
    return is_pointer ? __throng_address((void *)(unsigned long)value) : __throng_mask(value, bits);
}

__throng_unused static __throng_w __throng_divide(__throng_w a, __throng_w b, unsigned bits) {
    return b ? a / b : __throng_mask(~(__throng_w)0, bits);
}
__throng_unused static __throng_w __throng_remainder(__throng_w a, __throng_w b) { return b ? a % b : a; }
__throng_unused static __throng_w __throng_sdivide(__throng_w a, __throng_w b, unsigned bits) {
    __throng_s x = __throng_signed(a, bits), y = __throng_signed(b, bits);
    return __throng_mask((__throng_w)(y ? (y == -1 ? -x : x / y) : x < 0 ? 1 : -1), bits);
}
__throng_unused static __throng_w __throng_sremainder(__throng_w a, __throng_w b, unsigned bits) {
    __throng_s x = __throng_signed(a, bits), y = __throng_signed(b, bits);
    return __throng_mask((__throng_w)(y ? (y == -1 ? 0 : x % y) : x), bits);
}
__throng_unused static __throng_w __throng_left(__throng_w a, __throng_w b, unsigned bits) {
    return b >= bits ? 0 : __throng_mask(a << b, bits);
}
__throng_unused static __throng_w __throng_right(__throng_w a, __throng_w b, unsigned bits) { return b >= bits ? 0 : a >> b; }
__throng_unused static __throng_w __throng_sright(__throng_w a, __throng_w b, unsigned bits) {
    return __throng_mask((__throng_w)(__throng_signed(a, bits) >> (b >= bits ? bits - 1 : (unsigned)b)), bits);
}

static void __throng_first(unsigned long long seed) {
    __throng_seed = seed * 2654435761ULL + 1;
    __throng_random(2);
    __throng_real_lock(__throng_gate);
    __throng_all[1].status = __throng_runs;
    __throng_all[1].code = __throng_main_code;
    __throng_all[1].self = __throng_real_self();
    __throng_begin_ticks();
}

__throng_unused static void __throng_finish(void) { __throng_end(); }

__attribute__((__destructor__)) static void __throng_last(void) { __throng_tell(); }
