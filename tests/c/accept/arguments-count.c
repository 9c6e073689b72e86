/* The number of threads from the command line. */
#include <stdlib.h>
#include <assert.h>
int main(int argc, char **argv)
{
    if (argc != 2)
        return 1;
    int n = atoi(argv[1]);
    if (n < 1 || n > 64)
        return 1;
    assert(n <= 64);
    return 0;
}
