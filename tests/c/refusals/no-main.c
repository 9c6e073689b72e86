// refused: neither a main nor --threads-run at line 2
static int x;

void work(void)
{
    x = 1;
}
