/* A variable may hide a typedef name. */
#include <assert.h>

typedef unsigned char T;

int main(void)
{
    T a = 300 - 256;
    {
        int T = 5;

        T = T * (a);
        assert(T == 220);
    }
    assert((T)300 == 44);
    return 0;
}
