/* A pointer changed through a pointer to it. */
#include <assert.h>

static int a = 1, b = 2;

static void redirect(int **pp)
{
    *pp = &b;
}

int main(void)
{
    int *p = &a;

    redirect(&p);
    assert(*p == 1);
    return 0;
}
