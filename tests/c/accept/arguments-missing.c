/* An argument that may be missing. */
#include <stdlib.h>
#include <assert.h>
int main(int argc, char **argv)
{
    int n = atoi(argv[1]);
    assert(n == n);
    return 0;
}
