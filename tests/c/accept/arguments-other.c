/* Another argument is another number. */
#include <stdlib.h>
#include <assert.h>
int main(int argc, char **argv)
{
    if (argc < 3)
        return 1;
    assert(atoi(argv[1]) == atoi(argv[2]));
    return 0;
}
