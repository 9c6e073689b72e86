/* A number from the command line is any number. */
#include <stdlib.h>
#include <assert.h>
int main(int argc, char **argv)
{
    if (argc < 2)
        return 1;
    assert(atoi(argv[1]) != 5);
    return 0;
}
