//! Headers of our own: short, the same on every machine, and with what is modelled. They depend on the widths by
//! the macro `__throng_pointer_bits` only.

use crate::hir::DataModel;
use std::path::Path;

/// Declares the headers by their names.
macro_rules! headers {
    ($($name:literal)*) => {
        /// All headers: the name in `#include <…>` and the text.
        pub const HEADERS: &[(&str, &str)] =
            &[$(($name, include_str!(concat!("../../headers/", $name)))),*];
    };
}

headers! {
    "assert.h" "ctype.h" "errno.h" "float.h" "inttypes.h" "iso646.h" "limits.h" "malloc.h" "math.h" "pthread.h"
    "sched.h" "semaphore.h" "signal.h" "stdalign.h" "stdarg.h" "stdatomic.h" "stdbool.h" "stddef.h" "stdint.h"
    "stdio.h" "stdlib.h" "stdnoreturn.h" "string.h" "strings.h" "sys/time.h" "sys/types.h" "threads.h" "time.h"
    "unistd.h" "immintrin.h" "emmintrin.h" "xmmintrin.h" "x86intrin.h" "arm_acle.h"
}

/// The header of that name.
pub fn header(name: &str) -> Option<&'static str> {
    HEADERS.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}

/// Writes all headers into a directory.
pub(super) fn write(directory: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(directory.join("sys"))?;
    for (name, text) in HEADERS {
        std::fs::write(directory.join(name), text)?;
    }
    Ok(())
}

/// The widths for which the headers of the system are made that throng runs on, if they are known to be plain C.
pub(super) fn system_data_model() -> Option<DataModel> {
    let widths = if cfg!(target_pointer_width = "64") { DataModel::Lp64 } else { DataModel::Ilp32 };
    cfg!(target_os = "linux").then_some(widths)
}

/// What programs can ask about the widths, as macros; without a text, the macro is not defined.
pub(super) fn width_macros(data_model: DataModel) -> Vec<(&'static str, Option<&'static str>)> {
    let is_wide = data_model == DataModel::Lp64;
    let pick = |narrow, wide| if is_wide { wide } else { narrow };
    let when = |condition: bool| condition.then_some("1");
    vec![
        ("__throng_pointer_bits", Some(pick("32", "64"))),
        ("__throng__", Some("1")),
        ("__LP64__", when(is_wide)),
        ("_LP64", when(is_wide)),
        ("__ILP32__", when(!is_wide)),
        ("_ILP32", when(!is_wide)),
        ("__SIZEOF_LONG__", Some(pick("4", "8"))),
        ("__SIZEOF_POINTER__", Some(pick("4", "8"))),
        ("__SIZEOF_SIZE_T__", Some(pick("4", "8"))),
        ("__SIZEOF_PTRDIFF_T__", Some(pick("4", "8"))),
        ("__LONG_WIDTH__", Some(pick("32", "64"))),
        ("__SIZE_WIDTH__", Some(pick("32", "64"))),
        ("__PTRDIFF_WIDTH__", Some(pick("32", "64"))),
        ("__INTPTR_WIDTH__", Some(pick("32", "64"))),
        ("__LONG_MAX__", Some(pick("2147483647L", "9223372036854775807L"))),
        ("__SIZE_MAX__", Some(pick("4294967295U", "18446744073709551615UL"))),
        ("__PTRDIFF_MAX__", Some(pick("2147483647", "9223372036854775807L"))),
        ("__INTPTR_MAX__", Some(pick("2147483647", "9223372036854775807L"))),
        ("__UINTPTR_MAX__", Some(pick("4294967295U", "18446744073709551615UL"))),
        ("__SIZE_TYPE__", Some(pick("unsigned int", "long unsigned int"))),
        ("__PTRDIFF_TYPE__", Some(pick("int", "long int"))),
        ("__INTPTR_TYPE__", Some(pick("int", "long int"))),
        ("__UINTPTR_TYPE__", Some(pick("unsigned int", "long unsigned int"))),
        ("__INT64_TYPE__", Some(pick("long long int", "long int"))),
        ("__UINT64_TYPE__", Some(pick("long long unsigned int", "long unsigned int"))),
        ("__INTMAX_TYPE__", Some(pick("long long int", "long int"))),
        ("__UINTMAX_TYPE__", Some(pick("long long unsigned int", "long unsigned int"))),
    ]
}
