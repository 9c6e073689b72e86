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

static void __throng_begin(unsigned thread) { (void)thread; }

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
    __throng_step = __throng_n_steps;
    if (__throng_me == __throng_failing) {
        __throng_say("throng: the thread that should fail ends, and nothing has failed\n");
        __throng_leave(4);
    }
}

static long __throng_result(void) { return __throng_step ? __throng_steps[__throng_step - 1].result : 0; }

/* The next arbitrary value of this thread, if it comes from here. */
static unsigned long long __throng_value(unsigned point, unsigned part) {
    unsigned k = __throng_value_at;
    while (k < __throng_n_values && __throng_values[k].thread != __throng_me) k++;
    if (k >= __throng_n_values || __throng_values[k].point != point || __throng_values[k].part != part) return 0;
    __throng_value_at = k + 1;
    return __throng_values[k].value;
}

__throng_unused static unsigned long long __throng_arbitrary(unsigned point) { return __throng_value(point, 0); }

__throng_unused static void __throng_fill(unsigned point, unsigned part, void *memory, unsigned long size) {
    unsigned long long value = __throng_value(point, part);
    __builtin_memset(memory, 0, size);
    __builtin_memcpy(memory, &value, size < sizeof value ? size : sizeof value);
}

/* What main returns does not end the others. */
__throng_unused static void __throng_finish(void) {
    __throng_over();
    __throng_stay();
}
