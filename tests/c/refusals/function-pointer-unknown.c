// refused: a function pointer without known targets at line 10
#include <assert.h>

void (*handler)(void);
extern void *lookup(int);

int main(void)
{
    handler = (void (*)(void))lookup(1);
    handler();
    assert(1);
    return 0;
}
