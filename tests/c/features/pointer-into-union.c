/* A pointer to a member of a union that is in a struct with other members of that type. */
#include <assert.h>

union both { long long large; int small; };
struct record { int first; union both second; signed char third; };
struct record r = { .first = 255, .second = { .small = 5 }, .third = 1 };

int main(void) {
    int mine = 1, *p = &mine;
    p = &r.second.small;
    assert(*p == 5);
    *p = 6;
    assert(r.second.small == 6 && r.first == 255);
    return 0;
}
