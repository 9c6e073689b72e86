/* Jumps within a statement expression, and out of an initialiser, leave variables around it alone. */
#include <assert.h>

int log_;

void note(int *p)
{
    log_ = log_ * 10 + *p;
}

int jump(int is_left)
{
    int a __attribute__((cleanup(note))) = 1;
    int r = ({ int n = 0; again: n++; if (n < 3) goto again; n; });
    {
        int b __attribute__((cleanup(note))) = ({ if (is_left) goto out; int k = 0; more: if (k++ < 2) goto more; k; });
        a += r;
    }
out:
    return log_;
}

int main(void)
{
    assert(jump(0) == 3);
    assert(log_ == 34);
    log_ = 0;
    assert(jump(1) == 0);
    assert(log_ == 1);
    return 0;
}
