/* Lamport's algorithm where x is not looked at again. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y, b1, b2;
int inside;

void *p0(void *a)
{
    for (;;) {
        b1 = 1;
        x = 1;
        if (y != 0) {
            b1 = 0;
            while (y != 0)
                ;
            continue;
        }
        y = 1;
        if (x != 1) {
            b1 = 0;
            while (b2 != 0)
                ;
            if (y != 1) {
                while (y != 0)
                    ;
                continue;
            }
        }
        break;
    }
    inside++;
    assert(inside == 1);
    inside--;
    y = 0;
    b1 = 0;
    return 0;
}

void *p1(void *a)
{
    for (;;) {
        b2 = 1;
        x = 2;
        if (y != 0) {
            b2 = 0;
            while (y != 0)
                ;
            continue;
        }
        y = 2;
        if (0) {
            b2 = 0;
            while (b1 != 0)
                ;
            if (y != 2) {
                while (y != 0)
                    ;
                continue;
            }
        }
        break;
    }
    inside++;
    assert(inside == 1);
    inside--;
    y = 0;
    b2 = 0;
    return 0;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], 0, p0, 0);
    pthread_create(&t[1], 0, p1, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    return 0;
    return 0;
}
