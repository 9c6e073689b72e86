//! Types of the library that are known by their names, whatever a header says they are.

use super::{Entry, modelled};

/// All of them.
pub(super) const TYPES: &[Entry] = &[
    modelled(
        "pthread_t",
        "the number of a thread",
        "typedef unsigned long %; int main(void) { % x; return 0; }",
    ),
    modelled("pthread_mutex_t", "a lock", "typedef struct { int k; } %; % x; int main(void) { return 0; }"),
    modelled(
        "pthread_mutexattr_t",
        "the kind of a lock",
        "typedef struct { int k; } %; % x; int main(void) { return 0; }",
    ),
    modelled(
        "pthread_rwlock_t",
        "a lock with many readers or one writer",
        "typedef struct { int k; } %; % x; int main(void) { return 0; }",
    ),
    modelled(
        "pthread_cond_t",
        "a condition variable",
        "typedef struct { int k; } %; % x; int main(void) { return 0; }",
    ),
    modelled(
        "pthread_attr_t",
        "attributes of threads, which mean nothing here",
        "typedef struct { int k; } %; % x; int main(void) { return 0; }",
    ),
    modelled(
        "pthread_condattr_t",
        "attributes of condition variables, which mean nothing here",
        "typedef struct { int k; } %; % x; int main(void) { return 0; }",
    ),
    modelled(
        "pthread_rwlockattr_t",
        "attributes of locks, which mean nothing here",
        "typedef struct { int k; } %; % x; int main(void) { return 0; }",
    ),
    modelled(
        "pthread_barrierattr_t",
        "attributes of barriers, which mean nothing here",
        "typedef struct { int k; } %; % x; int main(void) { return 0; }",
    ),
];
