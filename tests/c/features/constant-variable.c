/* Writing to what was defined const is undefined, whatever the pointer says. */
const int limit = 3;
int other;

int main(void)
{
    int *p = other ? &other : (int *)&limit;

    *p = 4;
    return 0;
}
