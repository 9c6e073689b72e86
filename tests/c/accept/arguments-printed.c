/* The name of the program is only printed. */
#include <stdio.h>
#include <assert.h>
int main(int argc, char **argv)
{
    if (argc < 2) {
        printf("usage: %s N\n", argv[0]);
        return 1;
    }
    assert(argc >= 2);
    return 0;
}
