/* transfer.c with few values: as there, but for numbers that are cut to a few bits or have a small largest value. */
#include <assert.h>
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);

struct account {
    pthread_mutex_t lock;
    unsigned balance;
};

static struct account a = {PTHREAD_MUTEX_INITIALIZER, 4};
static struct account b = {PTHREAD_MUTEX_INITIALIZER, 2};

static void transfer(struct account *from, struct account *to, unsigned n)
{
    pthread_mutex_lock(&a.lock);
    pthread_mutex_lock(&b.lock);
    from->balance = (from->balance - n) & 7;
    to->balance = (to->balance + n) & 7;
    pthread_mutex_unlock(&b.lock);
    pthread_mutex_unlock(&a.lock);
}

static void *payer(void *arg)
{
    unsigned n = (__VERIFIER_nondet_uint() & 3);

    if (n % 2)
        transfer(&a, &b, n);
    else
        transfer(&b, &a, n);
    return arg;
}

static void *audit(void *arg)
{
    pthread_mutex_lock(&a.lock);
    pthread_mutex_lock(&b.lock);
    assert(((a.balance + b.balance) & 7) == 6);
    pthread_mutex_unlock(&b.lock);
    pthread_mutex_unlock(&a.lock);
    return arg;
}

int main(void)
{
    pthread_t t;

    while (1) {
        pthread_create(&t, NULL, payer, NULL);
        pthread_create(&t, NULL, audit, NULL);
    }
}
