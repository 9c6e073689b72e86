/* Arrays of one length that are neighbours in an element share no memory. */
#include <assert.h>
struct { int a[3]; int b[3]; } s[2];
int main(void) { s[1].a[2] = 5; s[1].b[2] = 7; assert(s[1].a[2] == 5 && s[1].b[2] == 7 && s[1].b[0] == 0); return 0; }
