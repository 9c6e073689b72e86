/* Pointers to different variables are not ordered: comparing them is undefined. */
#include <assert.h>
int x, y;
int main(void) { assert(&x < &y || &y < &x); return 0; }
