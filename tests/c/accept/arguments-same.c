/* The same argument is the same number. */
#include <stdlib.h>
#include <assert.h>
int main(int argc, char **argv)
{
    if (argc < 2)
        return 1;
    int first = atoi(argv[1]), again = atoi(argv[1]);
    assert(first == again);
    return 0;
}
