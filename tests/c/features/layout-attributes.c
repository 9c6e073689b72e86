/* Pack, packed, aligned, _Alignas in layouts. */
#include <assert.h>
#pragma pack(2)
struct A { char c; int i; short s; long long l; };
#pragma pack()
struct B { char c; int i; };
#pragma pack(push, 1)
struct D { char c; int b : 5; int d : 30; short z; };
#pragma pack(pop)
struct __attribute__((packed, aligned(4))) E { char c; short s; };
struct F { char c; _Alignas(8) char d; };
typedef int un __attribute__((aligned(1))); struct G { char c; un u; };
int main(void){ assert(sizeof(struct A) == 16); assert(sizeof(struct B) == 8); assert(sizeof(struct D) == 8); assert(sizeof(struct E) == 4); assert(sizeof(struct F) == 16); assert(sizeof(struct G) == 5); return 0; }
