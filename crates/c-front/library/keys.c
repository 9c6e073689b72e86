/* Values of threads by keys, and whether a thread can be cancelled. There are 64 keys; then making one fails. */
static unsigned __throng_key_count;
static _Thread_local void *__throng_values[64];
static _Thread_local int __throng_cancel_state, __throng_cancel_type;
extern void __throng_key_destructor(void);

int pthread_key_create(unsigned *key, void (*destructor)(void *))
{
    int failed = 11;
    /* What runs when a thread ends has no model. */
    if (destructor)
        __throng_key_destructor();
    __VERIFIER_atomic_begin();
    if (__throng_key_count < 64) {
        *key = __throng_key_count;
        __throng_key_count = __throng_key_count + 1;
        failed = 0;
    }
    __VERIFIER_atomic_end();
    return failed;
}

int pthread_key_delete(unsigned key) { return 0; }

void *pthread_getspecific(unsigned key)
{
    return key < 64 ? __throng_values[key] : (void *)0;
}

int pthread_setspecific(unsigned key, const void *value)
{
    if (key >= 64)
        return 22;
    __throng_values[key] = (void *)value;
    return 0;
}

int pthread_setcancelstate(int state, int *before)
{
    if (before)
        *before = __throng_cancel_state;
    __throng_cancel_state = state;
    return 0;
}

int pthread_setcanceltype(int type, int *before)
{
    if (before)
        *before = __throng_cancel_type;
    __throng_cancel_type = type;
    return 0;
}
