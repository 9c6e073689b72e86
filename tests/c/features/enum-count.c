/* An enumerator after a given value is not its position. */
#include <assert.h>

enum state { IDLE, BUSY = 4, DONE, STATES };

int main(void)
{
    assert(STATES == 3);
    return 0;
}
