/* memcpy from an address that is not aligned: only bytes are. */
#include <assert.h>
#include <string.h>
int main(void){
    unsigned x = 0x04030201;
    unsigned char *p = (unsigned char *)&x;
    for (int k = 0; k < 3; k++) {
        unsigned short h;
        memcpy(&h, p + k, 2);
        assert(h == ((k + 1) | (k + 2) << 8));
    }
    return 0;
}
