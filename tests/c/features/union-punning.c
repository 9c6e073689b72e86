/* A union that is read through another member than the one written. */
#include <assert.h>

union word {
    unsigned u;
    unsigned char bytes[4];
};

int main(void)
{
    union word w;

    w.u = 0x01020304;
    assert(w.bytes[0] == 4);
    return 0;
}
