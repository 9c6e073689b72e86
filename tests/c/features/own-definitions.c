/* The program's own functions with names of the library. */
int x;
int pthread_mutex_lock(int *m){ *m = 1; return 7; } void assume(int c){ x = c; } void *memcpy(void *a, const void *b, unsigned long n){ x = (int)n; return a; }
void reach_error(void){}
int main(void){ int m = 0; if (pthread_mutex_lock(&m) != 7 || m != 1) reach_error(); assume(0); if (x != 0) reach_error(); memcpy(&m, &x, 4); if (x != 4) reach_error(); return 0; }
