/* Transfers between two accounts, each with its own lock, taken in a fixed order.
 *
 * Asserted: the sum of both stays the same.
 * Safe: a transfer holds both locks, and so does the audit; unsigned arithmetic wraps, but the sum
 * of both is kept modulo 2^32.
 */
#include <assert.h>
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);

struct account {
    pthread_mutex_t lock;
    unsigned balance;
};

static struct account a = {PTHREAD_MUTEX_INITIALIZER, 100};
static struct account b = {PTHREAD_MUTEX_INITIALIZER, 50};

static void transfer(struct account *from, struct account *to, unsigned n)
{
    pthread_mutex_lock(&a.lock);
    pthread_mutex_lock(&b.lock);
    from->balance -= n;
    to->balance += n;
    pthread_mutex_unlock(&b.lock);
    pthread_mutex_unlock(&a.lock);
}

static void *payer(void *arg)
{
    unsigned n = __VERIFIER_nondet_uint();

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
    assert(a.balance + b.balance == 150);
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
