/* A function that is started by itself is no recursion: all threads run the same code. */
void assert(int);

unsigned char x, y;

void f(void)
{
    __CPROVER_atomic_begin();
    x++;
    y++;
    assert(x == y);
    __CPROVER_atomic_end();
    __CPROVER_ASYNC_1: f();
}

int main(void)
{
    __CPROVER_ASYNC_2: f();
    return 0;
}
