/* ---- throng's runtime: no headers, so that it goes with any program ---- */
extern void *__throng_malloc(unsigned long) __asm__("malloc");
extern void __throng_abort(void) __asm__("abort") __attribute__((__noreturn__));
extern void __throng_leave(int) __asm__("_exit") __attribute__((__noreturn__));
extern long __throng_write(int, const void *, unsigned long) __asm__("write");
extern int __throng_yield(void) __asm__("sched_yield");
extern int __throng_pause(unsigned) __asm__("usleep");
extern int *__throng_errno_place(void) __asm__("__errno_location");
extern int __throng_real_create(void *, const void *, void *(*)(void *), void *) __asm__("pthread_create");
extern void __throng_real_exit(void *) __asm__("pthread_exit") __attribute__((__noreturn__));
extern int __throng_real_lock(void *) __asm__("pthread_mutex_lock");
extern int __throng_real_trylock(void *) __asm__("pthread_mutex_trylock");
extern int __throng_real_unlock(void *) __asm__("pthread_mutex_unlock");
extern int __throng_real_tryrdlock(void *) __asm__("pthread_rwlock_tryrdlock");
extern int __throng_real_trywrlock(void *) __asm__("pthread_rwlock_trywrlock");
extern int __throng_real_trywait(void *) __asm__("sem_trywait");

#define __throng_errno (*__throng_errno_place())
#ifdef __clang__
#define __throng_flag _Value
#else
#define __throng_flag __val
#endif
#define __throng_unused __attribute__((__unused__))

static __thread unsigned __throng_me = 1;
static unsigned __throng_threads = 1;

static void __throng_say(const char *text) {
    unsigned long length = 0;
    while (text[length]) length++;
    if (__throng_write(2, text, length)) {}
}

static void __throng_say_number(unsigned long number) {
    char text[24];
    int at = 23;
    text[at] = 0;
    do text[--at] = (char)('0' + number % 10);
    while (number /= 10);
    __throng_say(text + at);
}

static void *__throng_memory(unsigned long size) {
    void *memory = __throng_malloc(size);
    if (!memory) __throng_abort();
    return memory;
}

static void __throng_point(unsigned point);
static void __throng_over(void);
static void __throng_begin(unsigned thread);
static void __throng_stay(void) __attribute__((__noreturn__));
static long __throng_result(void);

/* What happens here must not happen. Another thread than the one of the report waits: in the interleaving it is not there yet. */
static void __throng_fail(unsigned property) {
    unsigned is_expected = property == __throng_expected;
    if (__throng_failing && __throng_me != __throng_failing) __throng_stay();
    __throng_say("throng: thread ");
    __throng_say_number(__throng_me);
    __throng_say(": ");
    __throng_say(property < sizeof __throng_properties / sizeof *__throng_properties - 1
                     ? __throng_properties[property].text : "an error that the report does not know");
    __throng_say(is_expected ? " [as reported]\n" : " [not as reported]\n");
    if (property < sizeof __throng_properties / sizeof *__throng_properties && __throng_properties[property].is_reach)
        __throng_leave(42);
    __throng_abort();
}

/* What `assert` calls, once the failure has been told. */
__attribute__((__noreturn__, __unused__)) static void __throng_assert_fail(const char *condition) {
    (void)condition;
    __throng_abort();
}

/* Threads get their numbers in the order in which they are started. */
struct __throng_argument { void *(*run)(void *); void *value; unsigned number; };

static void *__throng_run(void *given) {
    struct __throng_argument *argument = given;
    __throng_me = argument->number;
    __throng_begin(argument->number);
    void *result = argument->run(argument->value);
    __throng_over();
    return result;
}

static int __throng_real_start(void *thread, const void *attributes, void *(*run)(void *), void *value) {
    struct __throng_argument *argument = __throng_memory(sizeof *argument);
    argument->run = run;
    argument->value = value;
    argument->number = __atomic_add_fetch(&__throng_threads, 1, 5);
    return __throng_real_create(thread, attributes, __throng_run, argument);
}

__throng_unused static int __throng_create(unsigned point, void *thread, const void *attributes, void *(*run)(void *), void *value) {
    __throng_point(point);
    return __throng_real_start(thread, attributes, run, value);
}

__throng_unused static void __throng_start(unsigned point, void *(*run)(void *), void *value) {
    unsigned long thread[2];
    __throng_point(point);
    if (__throng_real_start(thread, (void *)0, run, value)) __throng_abort();
}

__throng_unused static void __throng_thread_exit(unsigned point, void *result) {
    (void)point;
    __throng_over();
    __throng_real_exit(result);
}

__throng_unused static int __throng_assume(int holds) {
    if (!holds) __throng_stay();
    return 0;
}

/* Who holds which mutex, for `--check mutex`. Threads run one at a time between points. */
static struct { void *mutex; unsigned owner, depth; } __throng_held[256];

static int __throng_slot(void *mutex) {
    int slot = 0;
    while (slot < 255 && __throng_held[slot].mutex && __throng_held[slot].mutex != mutex) slot++;
    __throng_held[slot].mutex = mutex;
    return slot;
}

static int __throng_holds(void *mutex) {
    int slot = __throng_slot(mutex);
    return __throng_held[slot].depth && __throng_held[slot].owner == __throng_me;
}

static int __throng_locked(void *mutex, int error) {
    int slot = __throng_slot(mutex);
    if (!error) __throng_held[slot].owner = __throng_me, __throng_held[slot].depth++;
    return error;
}

static int __throng_unlocked(void *mutex, int error) {
    int slot = __throng_slot(mutex);
    if (!error && __throng_held[slot].depth) __throng_held[slot].depth--;
    return error;
}

static int __throng_is_property(unsigned property) {
    return property < sizeof __throng_properties / sizeof *__throng_properties - 1;
}

__throng_unused static int __throng_checked_lock(unsigned point, unsigned property, void *mutex) {
    __throng_point(point);
    if (__throng_is_property(property) && __throng_holds(mutex)) __throng_fail(property);
    return __throng_locked(mutex, __throng_real_lock(mutex));
}

__throng_unused static int __throng_checked_trylock(unsigned point, unsigned property, void *mutex) {
    (void)property;
    __throng_point(point);
    return __throng_locked(mutex, __throng_real_trylock(mutex));
}

__throng_unused static int __throng_checked_unlock(unsigned point, unsigned property, void *mutex) {
    __throng_point(point);
    if (__throng_is_property(property) && !__throng_holds(mutex)) __throng_fail(property);
    return __throng_unlocked(mutex, __throng_real_unlock(mutex));
}

/* Waiting on a condition variable: the mutex is released, and taken again when it is this thread's turn, with or without a
   signal before, as POSIX allows and as the schedule says. */
__throng_unused static int __throng_checked_cond_wait(unsigned point, unsigned property, void *condition, void *mutex) {
    (void)condition;
    __throng_point(point);
    if (__throng_is_property(property) && !__throng_holds(mutex)) __throng_fail(property);
    int error = __throng_unlocked(mutex, __throng_real_unlock(mutex));
    if (error) return error;
    __throng_point(point);
    return __throng_locked(mutex, __throng_real_lock(mutex));
}

__throng_unused static int __throng_cond_wait(unsigned point, void *condition, void *mutex) {
    return __throng_checked_cond_wait(point, ~0u, condition, mutex);
}

__throng_unused static int __throng_cond_timedwait(unsigned point, void *condition, void *mutex, const void *time) {
    (void)time;
    int error = __throng_cond_wait(point, condition, mutex);
    return error ? error : (int)__throng_result();
}

/* What waits until a time gives up at once if it would have to wait. */
__throng_unused static int __throng_mutex_timedlock(unsigned point, void *mutex, ...) {
    __throng_point(point);
    int error = __throng_real_trylock(mutex);
    return error == 16 ? 110 : error;
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

__throng_unused static int __throng_sem_timedwait(unsigned point, void *semaphore, ...) {
    __throng_point(point);
    int error = __throng_real_trywait(semaphore);
    if (error) *__throng_errno_place() = 110;
    return error;
}

/* pthread_once in two steps: it begins, and it is done. */
static struct { void *control; int is_done; } __throng_onces[64];

__throng_unused static int __throng_once(unsigned point, void *control, void (*run)(void)) {
    int slot = 0;
    __throng_point(point);
    while (slot < 63 && __throng_onces[slot].control && __throng_onces[slot].control != control) slot++;
    if (__throng_onces[slot].is_done) return 0;
    __throng_onces[slot].control = control;
    run();
    __throng_point(point);
    __throng_onces[slot].is_done = 1;
    return 0;
}
