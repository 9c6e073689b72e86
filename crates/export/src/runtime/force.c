/* ---- the schedule: step by step, whose turn it is and at which points ---- */
static unsigned __throng_turn;
/* The step that this thread takes (from 1), and how far it is in its points. */
static __thread unsigned __throng_step, __throng_at, __throng_value_at;

static unsigned __throng_next(void) {
    unsigned step = __throng_step;
    while (step < __throng_n_steps && __throng_steps[step].thread != __throng_me) step++;
    return step + 1;
}

/* Whoever is next may go on. */
static void __throng_release(void) {
    if (__throng_step) {
        unsigned turn = __throng_step - 1;
        __atomic_compare_exchange_n(&__throng_turn, &turn, __throng_step, 0, 5, 5);
    }
}

static void __throng_cannot(const char *why) {
    __throng_say("throng: thread ");
    __throng_say_number(__throng_me);
    __throng_say(why);
    __throng_say(" (step ");
    __throng_say_number(__atomic_load_n(&__throng_turn, 5) + 1);
    __throng_say(" of ");
    __throng_say_number(__throng_n_steps);
    __throng_say(")\n");
    __throng_leave(3);
}

/* Waits until it is the turn of a step, or for good (0). */
static void __throng_wait(unsigned step) {
    unsigned seen = __atomic_load_n(&__throng_turn, 5), spins = 0, pauses = 0;
    for (;;) {
        unsigned turn = __atomic_load_n(&__throng_turn, 5);
        if (step && turn == step - 1) return;
        if (turn != seen) seen = turn, spins = pauses = 0;
        if (++spins < 200) __throng_yield();
        else if (++pauses < 20000) __throng_pause(200);
        else __throng_cannot(": the schedule cannot be followed any further");
    }
}

static void __throng_stay(void) {
    __throng_release();
    for (;;) __throng_wait(0);
}

static void __throng_begin(void *code) { (void)code; }

__throng_unused static void __throng_section(int is_begin) { (void)is_begin; }

static void __throng_point(unsigned point) {
    unsigned k;
    if (__throng_step) {
        const struct __throng_step *now = &__throng_steps[__throng_step - 1];
        for (k = __throng_at; k < now->count; k++)
            if (__throng_points[now->first + k] == point) { __throng_at = k + 1; return; }
    }
    unsigned next = __throng_next();
    if (next > __throng_n_steps) {
        if (__throng_me == __throng_failing) { __throng_release(); return; }
        __throng_stay();
    }
    const struct __throng_step *then = &__throng_steps[next - 1];
    for (k = 0; k < then->count; k++)
        if (__throng_points[then->first + k] == point) {
            __throng_release();
            __throng_wait(next);
            __throng_step = next;
            __throng_at = k + 1;
            return;
        }
    /* An access that the model does without. */
}

static void __throng_over(void) {
    __throng_release();
    /* Behind the last step, so that nothing more is released. */
    __throng_step = __throng_n_steps + 1;
    if (__throng_me == __throng_failing) {
        __throng_say("throng: the thread that should fail ends, and nothing has failed\n");
        __throng_leave(4);
    }
}

static long __throng_result(void) { return __throng_step ? __throng_steps[__throng_step - 1].result : 0; }

/* The next arbitrary value of this thread that comes from here: those of one step may come in another order in the text. */
static unsigned char __throng_used[__throng_n_values + 1];

static unsigned long long __throng_value(unsigned point, unsigned part) {
    unsigned k;
    for (k = __throng_value_at; k < __throng_n_values; k++) {
        if (__throng_used[k] || __throng_values[k].thread != __throng_me) continue;
        if (__throng_values[k].point != point || __throng_values[k].part != part) continue;
        __throng_used[k] = 1;
        while (__throng_value_at < __throng_n_values &&
               (__throng_used[__throng_value_at] || __throng_values[__throng_value_at].thread != __throng_me))
            __throng_value_at++;
        return __throng_values[k].value;
    }
    return 0;
}

/* Which of some points, but those that are done, comes next in the schedule of this thread. */
__throng_unused static unsigned __throng_choose(unsigned done, unsigned count, const unsigned *points) {
    unsigned step = __throng_step ? __throng_step - 1 : 0, k = __throng_step ? __throng_at : 0, i;
    for (; step < __throng_n_steps; step++, k = 0) {
        if (__throng_steps[step].thread != __throng_me) continue;
        for (; k < __throng_steps[step].count; k++)
            for (i = 0; i < count; i++)
                if (!(done >> i & 1) && __throng_points[__throng_steps[step].first + k] == points[i]) return i;
    }
    for (i = 0; i < count; i++)
        if (!(done >> i & 1)) return i;
    return 0;
}

/* The order of operands that is next for this thread, if it is about this place: four bits for each operand. */
static __thread unsigned __throng_order_at;

__throng_unused static unsigned long long __throng_order(unsigned site) {
    unsigned k = __throng_order_at;
    while (k < __throng_n_orders && __throng_orders[k].thread != __throng_me) k++;
    if (k >= __throng_n_orders || __throng_orders[k].site != site) return 0xfedcba9876543210ULL;
    __throng_order_at = k + 1;
    return __throng_orders[k].order;
}

__throng_unused static unsigned long long __throng_arbitrary(unsigned point) { return __throng_value(point, 0); }

__throng_unused static unsigned long long __throng_part(unsigned point, unsigned part) {
    return __throng_value(point, part);
}

/* What main returns does not end the others. */
__throng_unused static void __throng_finish(void) {
    __throng_over();
    __throng_stay();
}

__throng_unused static int __throng_create(unsigned point, void *thread, const void *attributes, void *(*run)(void *), void *value) {
    __throng_point(point);
    return __throng_real_start(thread, attributes, run, value, (void *)run);
}

__throng_unused static void __throng_start(unsigned point, void *(*run)(void *), void *value, void *code) {
    unsigned long thread[2];
    __throng_point(point);
    if (__throng_real_start(thread, (void *)0, run, value, code)) __throng_abort();
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

/* A mutex that is made new is free. */
__throng_unused static int __throng_own_init(unsigned point, void *mutex, ...) {
    __throng_point(point);
    __throng_held[__throng_slot(mutex)].depth = 0;
    __builtin_memset(__throng_mutex(mutex), 0, 40);
    return 0;
}

static int __throng_is_property(unsigned property) {
    return property < sizeof __throng_properties / sizeof *__throng_properties - 1;
}

__throng_unused static int __throng_checked_lock(unsigned point, unsigned property, void *mutex) {
    __throng_point(point);
    if (__throng_is_property(property) && __throng_holds(mutex)) __throng_fail(property);
    return __throng_locked(mutex, __throng_real_lock(__throng_mutex(mutex)));
}

__throng_unused static int __throng_checked_trylock(unsigned point, unsigned property, void *mutex) {
    (void)property;
    __throng_point(point);
    return __throng_locked(mutex, __throng_real_trylock(__throng_mutex(mutex)));
}

__throng_unused static int __throng_checked_unlock(unsigned point, unsigned property, void *mutex) {
    __throng_point(point);
    if (__throng_is_property(property) && !__throng_holds(mutex)) __throng_fail(property);
    return __throng_unlocked(mutex, __throng_real_unlock(__throng_mutex(mutex)));
}

extern int __throng_real_destroy(void *) __asm__("pthread_mutex_destroy");

__throng_unused static int __throng_checked_destroy(unsigned point, unsigned property, void *mutex) {
    __throng_point(point);
    int is_held = __throng_held[__throng_slot(mutex)].depth > 0;
    if (__throng_is_property(property) && is_held) __throng_fail(property);
    return __throng_is_own ? (is_held ? 16 : 0) : __throng_real_destroy(mutex);
}

/* Waiting on a condition variable: the mutex is released, and taken again when it is this thread's turn, with or without a
   signal before, as POSIX allows and as the schedule says. */
__throng_unused static int __throng_checked_cond_wait(unsigned point, unsigned property, void *condition, void *mutex) {
    (void)condition;
    __throng_point(point);
    if (__throng_is_property(property) && !__throng_holds(mutex)) __throng_fail(property);
    int error = __throng_unlocked(mutex, __throng_real_unlock(__throng_mutex(mutex)));
    if (error) return error;
    __throng_point(point);
    return __throng_locked(mutex, __throng_real_lock(__throng_mutex(mutex)));
}

__throng_unused static int __throng_cond_wait(unsigned point, void *condition, void *mutex) {
    return __throng_checked_cond_wait(point, ~0u, condition, mutex);
}

/* Signals and broadcasts: the schedule knows who wakes up. */
__throng_unused static int __throng_told(unsigned point, void *condition) {
    (void)condition;
    __throng_point(point);
    return 0;
}

__throng_unused static int __throng_cond_timedwait(unsigned point, void *condition, void *mutex, const void *time) {
    (void)time;
    int error = __throng_cond_wait(point, condition, mutex);
    return error ? error : (int)__throng_result();
}

/* What waits until a time gives up at once if it would have to wait. */
__throng_unused static int __throng_mutex_timedlock(unsigned point, void *mutex, ...) {
    __throng_point(point);
    int error = __throng_real_trylock(__throng_mutex(mutex));
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
