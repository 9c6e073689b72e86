/* From a member back to its struct. */
#include <assert.h>
#include <stddef.h>

struct s { char c; int x; struct link { int n; } link; } s = { 1, 2, { 3 } };

int main(void)
{
    struct link *l = &s.link;
    struct s *p = (struct s *)((char *)l - offsetof(struct s, link));
    p->x += l->n;
    assert(s.x == 5 && p == &s);
    return 0;
}
