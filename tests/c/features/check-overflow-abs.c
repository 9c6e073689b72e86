/* Abs of the least integer. */
#include <stdlib.h>
int __VERIFIER_nondet_int(void); int main(void){ return abs(__VERIFIER_nondet_int()); }
