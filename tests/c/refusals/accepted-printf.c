// accepted: output of strings at line 9
#include <assert.h>
#include <stdio.h>

int main(void)
{
    int x = 3;

    printf("x is %d\n", x);
    puts("done");
    assert(x == 3);
    return 0;
}
