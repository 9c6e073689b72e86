// refused: not C but C++ at line 2
class Lock {
public:
    void lock();
};

int main()
{
    Lock l;
    l.lock();
    return 0;
}
