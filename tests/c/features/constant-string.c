/* Writing to a string is undefined. */
int main(void)
{
    char *p = "ab";

    p[0] = 'x';
    return 0;
}
