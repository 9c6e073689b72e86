/* What an assignment gives is what was written, also if what was written is a part of it. */
#include <assert.h>

int cell = 3;

int main(void)
{
    int mine = 1, v, *q = &mine;
    v = (*q = mine + 1);
    assert(v == 2 && mine == 2);
    v = (*q)++ + 10;
    assert(v == 12 && mine == 3);
    v = ++*q;
    assert(v == 4);
    v = (*q += mine);
    assert(v == 8 && mine == 8);
    v = (*q ^= mine);
    assert(v == 0 && mine == 0);
    q = &cell;
    v = (*q -= cell - 1);
    assert(v == 1 && cell == 1);
    v = (*q = cell + 5);
    assert(v == 6);
    return 0;
}
