/* An unknown function may write to what it is given, also if it says const. */
#include <assert.h>

void look(const int *p);

int main(void)
{
    int x = 1;

    look(&x);
    assert(x == 1);
    return 0;
}
