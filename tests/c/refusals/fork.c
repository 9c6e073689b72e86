// refused: `fork` at line 7
#include <assert.h>
#include <unistd.h>

int main(void)
{
    int child = fork() == 0;

    assert(!child);
    return 0;
}
