// refused: a pointer to a local variable that has ended at line 9
#include <assert.h>

static int *get(void)
{
    int x = 1;
    int *p = &x;

    return p;
}

int main(void)
{
    int *p = get();

    assert(*p == 1);
    return 0;
}
