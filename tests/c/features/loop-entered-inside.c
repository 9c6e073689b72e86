// Loops that are entered in the middle only: each further round begins at the beginning.
#include <assert.h>

int first, second, third;
const int six = 6;

int main(void) {
    int round = 0;
    switch (six) {
    case 5:
        do {
            first++;
    case 6:
            second++;
        } while (++round < 3);
    }
    goto inside;
    while (round-- > 0) {
        first++;
    inside:
        third++;
    }
    assert(!(first == 5 && second == 3 && third == 4));
    return 0;
}
