/* Barriers: the last thread that comes opens it for all of its round; one of them, any, is told so. */
typedef struct { unsigned __throng_count, __throng_waiting, __throng_round; int __throng_is_told; } pthread_barrier_t;
typedef struct { int __throng_barrier_kind; } pthread_barrierattr_t;

int pthread_barrier_init(pthread_barrier_t *barrier, const pthread_barrierattr_t *attributes, unsigned count)
{
    if (count == 0)
        return 22;
    barrier->__throng_count = count;
    barrier->__throng_waiting = 0;
    barrier->__throng_round = 0;
    barrier->__throng_is_told = 0;
    return 0;
}

int pthread_barrier_wait(pthread_barrier_t *barrier)
{
    int result = 0;
    unsigned round;
    _Bool is_last;
    __VERIFIER_atomic_begin();
    round = barrier->__throng_round;
    barrier->__throng_waiting = barrier->__throng_waiting + 1;
    is_last = barrier->__throng_waiting == barrier->__throng_count;
    if (!barrier->__throng_is_told && (is_last || __VERIFIER_nondet_bool())) {
        barrier->__throng_is_told = 1;
        result = -1;
    }
    if (is_last) {
        barrier->__throng_waiting = 0;
        barrier->__throng_is_told = 0;
        barrier->__throng_round = round + 1;
    }
    __VERIFIER_atomic_end();
    if (!is_last)
        __VERIFIER_assume(barrier->__throng_round != round);
    return result;
}

int pthread_barrier_destroy(pthread_barrier_t *barrier)
{
    return 0;
}
