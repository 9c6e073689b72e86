/* Pointers to members of structs. */
#include <assert.h>

struct account {
    int id;
    int balance;
};

static struct account acc[2] = {{1, 100}, {2, 200}};

static void pay(int *from, int *to, int n)
{
    *from -= n;
    *to += n;
}

int main(void)
{
    struct account *p = &acc[1];

    pay(&acc[0].balance, &p->balance, 30);
    assert(acc[0].balance == 70 && acc[1].balance == 230);
    assert(acc[0].id == 1 && p->id == 2);
    return 0;
}
