/* The address of a variable of a statement expression is used after it. */
int main(void)
{
    int *p = ({
        int x = 1;
        &x;
    });

    return *p;
}
