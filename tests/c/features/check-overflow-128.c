/* A sum of 128 bits overflows. */
int main(void){ __int128 x = (__int128)1 << 126; x = x + x; return 0; }
