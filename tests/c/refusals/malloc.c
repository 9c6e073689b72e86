// refused: memory from `malloc` that the property depends on at line 12
#include <assert.h>
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};

int main(void)
{
    struct node *n = malloc(sizeof *n);

    n->value = 3;
    assert(n->value == 3);
    return 0;
}
