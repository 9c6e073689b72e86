// refused: neither a main nor --threads-run at line 0
static int x;

void work(void)
{
    x = 1;
}
