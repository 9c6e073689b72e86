/* An array of characters initialised by a string. */
#include <assert.h>

int main(void)
{
    char s[] = "ab";
    char t[4] = "x";

    assert(sizeof s == 3 && s[0] == 'a' && s[2] == 0);
    assert(t[0] == 'x' && t[1] == 0 && t[3] == 0);
    s[1]++;
    assert(s[1] == 'c');
    return 0;
}
