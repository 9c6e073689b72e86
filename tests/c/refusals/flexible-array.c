// refused: a flexible array member that is accessed at line 12
#include <assert.h>
#include <stdlib.h>

struct packet {
    int n;
    int data[];
};

int main(void)
{
    struct packet *p = malloc(sizeof *p + 3 * sizeof(int));

    p->data[2] = 1;
    assert(p->data[2] == 1);
    return 0;
}
