/* Lengths and comparisons of texts. */
#define _GNU_SOURCE
#include <string.h>
#include <assert.h>

int main(void)
{
    char text[8] = "abc";
    assert(strlen(text) == 3);
    assert(strcmp(text, "abd") < 0);
    strcat(text, "d");
    assert(strcmp(text, "abcd") == 0);
    return 0;
}
