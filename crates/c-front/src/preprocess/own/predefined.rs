//! Macros that are defined before a file is read: those about the widths, those that gcc has and programs ask for, and
//! the user's.

use super::{Preprocessor, tokens};
use crate::preprocess::headers;

/// Macros of gcc that do not depend on the widths.
const MACROS: &[(&str, &str)] = &[
    ("__STDC__", "1"),
    ("__STDC_VERSION__", "201112L"),
    ("__STDC_HOSTED__", "1"),
    ("__GNUC__", "12"),
    ("__GNUC_MINOR__", "2"),
    ("__GNUC_PATCHLEVEL__", "0"),
    ("__GNUC_STDC_INLINE__", "1"),
    ("__VERSION__", "\"12.2.0\""),
    ("__linux__", "1"),
    ("__unix__", "1"),
    ("__DATE__", "\"??? ?? ????\""),
    ("__TIME__", "\"??:??:??\""),
    ("__CHAR_BIT__", "8"),
    ("__SCHAR_MAX__", "127"),
    ("__SHRT_MAX__", "32767"),
    ("__INT_MAX__", "2147483647"),
    ("__LONG_LONG_MAX__", "9223372036854775807LL"),
    ("__SIZEOF_SHORT__", "2"),
    ("__SIZEOF_INT__", "4"),
    ("__SIZEOF_LONG_LONG__", "8"),
    ("__SIZEOF_FLOAT__", "4"),
    ("__SIZEOF_DOUBLE__", "8"),
    ("__ORDER_LITTLE_ENDIAN__", "1234"),
    ("__ORDER_BIG_ENDIAN__", "4321"),
    ("__BYTE_ORDER__", "1234"),
    ("__INT8_TYPE__", "signed char"),
    ("__UINT8_TYPE__", "unsigned char"),
    ("__INT16_TYPE__", "short int"),
    ("__UINT16_TYPE__", "short unsigned int"),
    ("__INT32_TYPE__", "int"),
    ("__UINT32_TYPE__", "unsigned int"),
    ("__WCHAR_TYPE__", "int"),
    ("__ATOMIC_RELAXED", "0"),
    ("__ATOMIC_CONSUME", "1"),
    ("__ATOMIC_ACQUIRE", "2"),
    ("__ATOMIC_RELEASE", "3"),
    ("__ATOMIC_ACQ_REL", "4"),
    ("__ATOMIC_SEQ_CST", "5"),
    ("__GCC_ATOMIC_TEST_AND_SET_TRUEVAL", "1"),
    ("__NO_INLINE__", "1"),
];

impl Preprocessor<'_> {
    /// Defines them, the user's last.
    pub(super) fn define_predefined(&mut self) {
        for &(name, text) in MACROS {
            self.define_text(name, text);
        }
        for (name, text) in headers::width_macros(self.options.data_model) {
            if let Some(text) = text {
                self.define_text(name, text);
            }
        }
        let options = self.options;
        for define in &options.defines {
            let (name, text) = define.split_once('=').unwrap_or((define, "1"));
            self.define_text(name, text);
        }
        for undefine in &options.undefines {
            self.macros.remove(undefine.as_str());
        }
    }

    /// `-Dname=text`; the name may have parameters.
    fn define_text(&mut self, name: &str, text: &str) {
        let tokens = tokens::tokens(&format!("{name} {text}"));
        if let Err(message) = self.define(&tokens) {
            let message = format!("`-D{name}={text}`: {message}");
            self.errors.push(throng_base::Diagnostic::error("E0805", message));
        }
    }
}
