/* Two names of one symbol. */
#include <assert.h>
int f(void) __asm__("g_impl"); int h(void) __asm__("g_impl");
int f(void){ return 3; }
int main(void){ assert(h() != 3); return 0; }
