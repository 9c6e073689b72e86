/* A GNU case range includes its end. */
#include <assert.h>

int main(void)
{
    int x = 5, r = 0;

    switch (x) {
    case 1 ... 5:
        r = 1;
    }
    assert(r == 0);
    return 0;
}
