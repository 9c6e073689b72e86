// refused: vector types at line 10
#include <assert.h>

typedef int v4 __attribute__((vector_size(16)));

int main(void)
{
    v4 a = {1, 2, 3, 4}, b = a + a;

    assert(b[3] == 8);
    return 0;
}
