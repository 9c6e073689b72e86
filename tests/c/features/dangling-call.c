/* A pointer to a parameter is kept for the next call. */
int *kept;

void f(int n)
{
    if (n == 2)
        *kept = 1;
    kept = &n;
}

int main(void)
{
    f(1);
    f(2);
    return 0;
}
