//! Typed indices: a `LocalId` cannot be used where a `RuleId` is meant.

/// Defines a four-byte index type with conversions from and to `usize`.
///
/// The generated type is ordered, hashable and `Copy`. Its `new` panics above `u32::MAX`: callers that take
/// sizes from input files check them first.
#[macro_export]
macro_rules! define_id {
    ($(#[$meta:meta])* $name:ident) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u32);

        impl $name {
            /// The id with this index.
            #[inline]
            pub const fn new(index: usize) -> Self {
                assert!(index <= u32::MAX as usize, "index does not fit an id");
                Self(index as u32)
            }

            /// The index of this id, for indexing tables.
            #[inline]
            pub const fn index(self) -> usize {
                self.0 as usize
            }

            /// The index of this id as it is stored.
            #[inline]
            pub const fn raw(self) -> u32 {
                self.0
            }

            /// All ids below `count`, in order.
            pub fn all(count: usize) -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator {
                (0..count).map(Self::new)
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, "{}({})", stringify!($name), self.0)
            }
        }
    };
}
