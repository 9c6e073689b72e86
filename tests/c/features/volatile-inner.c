/* A volatile struct within one that is not, copied whole. */
#include <assert.h>

struct Device {
    int status;
};

struct Board {
    volatile struct Device device;
    int name;
} board;

int main(void)
{
    struct Board copy = board;
    struct Device *seen = (struct Device *)&copy.device;

    assert(copy.name == 0);
    assert(*(int *)seen == 0);
    return 0;
}
