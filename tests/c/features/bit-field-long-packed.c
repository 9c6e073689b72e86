/* Packed bit-fields that share bytes, longer together than any number. */
#include <assert.h>

#pragma pack(push, 1)
struct fields {
    unsigned a : 26;
    signed b : 1;
    signed c : 24;
    unsigned d : 15;
    unsigned e : 14;
    signed f : 30;
    unsigned g : 20;
};
#pragma pack(pop)

struct fields s = { 6282, 0, 3234, 145, 48, 29103, 971 };
struct fields rows[2] = { [1] = { .f = -5, .g = 0xfffff } };

int main(void)
{
    int i = 1;

    assert(sizeof(struct fields) == 17);
    assert(s.a == 6282 && s.c == 3234 && s.d == 145 && s.e == 48);
    assert(s.f == 29103 && s.g == 971);
    s.f = -1;
    assert(s.g == 971 && s.e == 48);
    s.g = 0xabcde;
    assert(s.f == -1 && s.g == 0xabcde);
    rows[i].g--;
    assert(rows[i].f == -5 && rows[i].g == 0xffffe && rows[0].g == 0);
    return 0;
}
