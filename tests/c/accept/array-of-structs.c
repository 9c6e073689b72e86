/* An array of structs. */
#include <assert.h>
#include <pthread.h>
static struct { int a; char b; } s[4];
static void *run(void *unused)
{
    s[1].a = 7;
    s[1].b = 1;
    return unused;
}
int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, run, 0);
    pthread_create(&two, 0, run, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    assert(s[1].a == 7 && s[1].b == 1 && s[2].a == 0);
    return 0;
}
