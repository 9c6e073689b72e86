/* Break leaves the switch, continue the loop round. */
#include <assert.h>

int main(void)
{
    int i, odd = 0, even = 0;

    for (i = 0; i < 4; i++) {
        switch (i % 2) {
        case 1:
            odd++;
            continue;
        }
        even++;
    }
    assert(odd == 2 && even == 2);
    return 0;
}
