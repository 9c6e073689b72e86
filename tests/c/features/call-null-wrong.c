/* A pointer to no function is called. */
int main(int argc, char **argv)
{
    void (*never)(void) = 0;

    if (argc > 2)
        never();
    return 0;
}
