/* Functions without results, with unused parameters, called before their definition. */
#include <assert.h>

static void set(int *p, int v);
static int done;

static void finish(void)
{
    done = 1;
    return;
}

int main(void)
{
    int x = 0;

    set(&x, 4);
    finish();
    assert(x == 4 && done);
    return 0;
}

static void set(int *p, int v)
{
    *p = v;
}
