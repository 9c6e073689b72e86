// refused: a list of `malloc`ed nodes that the property depends on at line 16
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};

static struct node *head;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *push(void *arg)
{
    struct node *n = malloc(sizeof *n);

    pthread_mutex_lock(&m);
    n->next = head;
    head = n;
    assert(head != 0);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t t;

    while (1)
        pthread_create(&t, 0, push, 0);
}
