/* Casts cut and extend. */
#include <assert.h>

int main(void)
{
    int i = 0x12345678;

    assert((unsigned char)i == 0x78);
    assert((short)0x8000 == -32768);
    assert((unsigned short)-1 == 65535);
    assert((unsigned)(signed char)0x80 == 0xffffff80u);
    assert((long long)(unsigned)-1 == 4294967295LL);
    return 0;
}
