/* A pointer to no function is called only if it is not null. */
#include <assert.h>

typedef void callback(void);

callback *never;
int calls;

int main(void)
{
    if (never) {
        never();
        calls++;
    }
    assert(calls == 0);
    return 0;
}
