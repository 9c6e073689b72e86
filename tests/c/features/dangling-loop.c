/* A pointer to a variable of a block is kept for the next turn of the loop, where there is another variable. */
int main(void)
{
    int *kept = 0;

    for (int i = 0; i < 2; i++) {
        int x = i;

        if (kept && *kept == 0)
            return 1;
        kept = &x;
    }
    return 0;
}
