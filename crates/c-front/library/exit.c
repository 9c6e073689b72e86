/* What runs when the program ends: 32 functions can be registered, as C promises; then registering fails. */
struct __throng_handler { void (*plain)(void); void (*given)(int, void *); void *argument; };
static struct __throng_handler __throng_handlers[32];
static unsigned __throng_handler_count;
static void (*__throng_quick_handlers[32])(void);
static unsigned __throng_quick_handler_count;

static int __throng_register(void (*plain)(void), void (*given)(int, void *), void *argument)
{
    int failed = 1;
    __VERIFIER_atomic_begin();
    if (__throng_handler_count < 32) {
        __throng_handlers[__throng_handler_count].plain = plain;
        __throng_handlers[__throng_handler_count].given = given;
        __throng_handlers[__throng_handler_count].argument = argument;
        __throng_handler_count = __throng_handler_count + 1;
        failed = 0;
    }
    __VERIFIER_atomic_end();
    return failed;
}

int atexit(void (*f)(void))
{
    return __throng_register(f, 0, 0);
}

int on_exit(void (*f)(int, void *), void *argument)
{
    return __throng_register(0, f, argument);
}

int at_quick_exit(void (*f)(void))
{
    int failed = 1;
    __VERIFIER_atomic_begin();
    if (__throng_quick_handler_count < 32) {
        __throng_quick_handlers[__throng_quick_handler_count] = f;
        __throng_quick_handler_count = __throng_quick_handler_count + 1;
        failed = 0;
    }
    __VERIFIER_atomic_end();
    return failed;
}

static void __throng_run_handlers(int status)
{
    while (__throng_handler_count > 0) {
        __throng_handler_count = __throng_handler_count - 1;
        if (__throng_handlers[__throng_handler_count].plain)
            __throng_handlers[__throng_handler_count].plain();
        else
            __throng_handlers[__throng_handler_count].given(
                status, __throng_handlers[__throng_handler_count].argument);
    }
}

static void __throng_run_quick_handlers(void)
{
    while (__throng_quick_handler_count > 0) {
        __throng_quick_handler_count = __throng_quick_handler_count - 1;
        __throng_quick_handlers[__throng_quick_handler_count]();
    }
}
