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
static void __throng_begin(void *code);
static void __throng_stay(void) __attribute__((__noreturn__));
static long __throng_result(void);

/* Where the text has its own type for mutexes, the library's are kept here. */
static struct { void *key; long object[16]; } __throng_sides[256];

__throng_unused static void *__throng_mutex(void *mutex) {
    int slot = 0;
    if (!__throng_is_own) return mutex;
    while (slot < 255 && __throng_sides[slot].key && __throng_sides[slot].key != mutex) slot++;
    __throng_sides[slot].key = mutex;
    return __throng_sides[slot].object;
}

/* What happens here must not happen. Another thread than the one of the report waits: in the interleaving it is not there yet. */
static void __throng_fail(unsigned property) {
    unsigned is_expected = property == (unsigned)__throng_expected;
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
struct __throng_argument { void *(*run)(void *); void *value, *code; unsigned number; };

static void *__throng_run(void *given) {
    struct __throng_argument *argument = given;
    __throng_me = argument->number;
    __throng_begin(argument->code);
    void *result = argument->run(argument->value);
    __throng_over();
    return result;
}

static int __throng_real_start(void *thread, const void *attributes, void *(*run)(void *), void *value, void *code) {
    struct __throng_argument *argument = __throng_memory(sizeof *argument);
    argument->run = run;
    argument->value = value;
    argument->code = code;
    argument->number = __atomic_add_fetch(&__throng_threads, 1, 5);
    return __throng_real_create(thread, attributes, __throng_run, argument);
}

