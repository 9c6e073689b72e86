// Bytes are moved from where no integer begins.
#include <assert.h>
#include <string.h>

int words[4] = { 0x04030201, 0x08070605, 0x0c0b0a09, 0x100f0e0d };
unsigned char from = 250;

int main(void) {
    from++;
    memmove(words, (char *)words + (from & 7), 9);
    assert(!(words[0] == 0x07060504 && words[1] == 0x0b0a0908 && words[2] == 0x0c0b0a0c));
    return 0;
}
