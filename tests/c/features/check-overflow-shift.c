/* A one is shifted into the sign. */
int __VERIFIER_nondet_int(void); int main(void){ int n = __VERIFIER_nondet_int(); if (n >= 0 && n < 32) n = 1 << n; return 0; }
