/* Reach_error is started as a thread. */
#include <pthread.h>
void *reach_error(void *);
int main(void){ pthread_t t; pthread_create(&t, 0, reach_error, 0); return 0; }
