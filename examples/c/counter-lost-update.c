/* Two threads add to a total, and main looks at it after both have ended. `total += amount` reads and writes:
 * one thread can write between the other's read and write, and its amount is lost. */
#include <assert.h>
#include <pthread.h>

static int total;

static void *deposit(void *amount)
{
    total += *(int *)amount;
    return 0;
}

int main(void)
{
    pthread_t first, second;
    int five = 5, seven = 7;

    pthread_create(&first, 0, deposit, &five);
    pthread_create(&second, 0, deposit, &seven);
    pthread_join(first, 0);
    pthread_join(second, 0);
    assert(total == 12);
    return 0;
}
