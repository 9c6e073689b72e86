/* Tentative definitions and extern declarations name one object. */
#include <assert.h>

int x;
int x;
extern int x;
int x = 3;

static int get(void)
{
    extern int x;

    return x;
}

int main(void)
{
    x++;
    assert(get() == 4);
    return 0;
}
