//! Sets of vector instructions, the best of which is chosen at run time.

/// A set of vector instructions that this processor has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instructions(Set);

#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Set {
    /// The instructions that every processor of this kind has.
    Portable,
    /// 256 bits: x86-64 processors since 2013.
    Avx2,
    /// 512 bits.
    Avx512,
}

impl Instructions {
    /// The set that every processor of this kind has.
    pub const PORTABLE: Self = Self(Set::Portable);

    /// All sets of this processor, from the slowest to the fastest.
    pub fn available() -> impl DoubleEndedIterator<Item = Self> {
        let all = [Set::Portable, Set::Avx2, Set::Avx512];
        all.into_iter().filter(|set| is_available(*set)).map(Self)
    }

    /// The fastest set that this processor has.
    pub fn best() -> Self {
        Self::available()
            .next_back()
            .expect("every processor has the portable set")
    }

    #[doc(hidden)]
    #[inline]
    pub const fn set(self) -> Set {
        self.0
    }

    /// True if there are instructions of 256 bits.
    #[inline]
    pub const fn has_256_bits(self) -> bool {
        matches!(self.0, Set::Avx2 | Set::Avx512)
    }
}

fn is_available(set: Set) -> bool {
    match set {
        Set::Portable => true,
        #[cfg(target_arch = "x86_64")]
        Set::Avx2 => is_x86_feature_detected!("avx2"),
        #[cfg(target_arch = "x86_64")]
        Set::Avx512 => {
            is_available(Set::Avx2) && is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw")
        }
        #[cfg(not(target_arch = "x86_64"))]
        Set::Avx2 | Set::Avx512 => false,
    }
}

/// Defines a function that calls the same code compiled for the given set of instructions.
#[doc(hidden)]
#[macro_export]
macro_rules! dispatched {
    ($(#[$doc:meta])* $name:ident($($argument:ident: $type:ty),*) -> $result:ty, $code:ident) => {
        $(#[$doc])*
        #[inline]
        #[allow(unsafe_code, reason = "a function for instructions that not every processor has can be called in no other way")]
        pub(crate) fn $name(instructions: $crate::Instructions, $($argument: $type),*) -> $result {
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx2")]
                fn avx2($($argument: $type),*) -> $result {
                    $code($($argument),*)
                }
                #[target_feature(enable = "avx512f,avx512bw")]
                fn avx512($($argument: $type),*) -> $result {
                    $code($($argument),*)
                }
                match instructions.set() {
                    // SAFETY: there are `Instructions` only of a set that the processor has.
                    $crate::instructions::Set::Avx2 => return unsafe { avx2($($argument),*) },
                    // SAFETY: the same.
                    $crate::instructions::Set::Avx512 => return unsafe { avx512($($argument),*) },
                    $crate::instructions::Set::Portable => {}
                }
            }
            _ = instructions;
            $code($($argument),*)
        }
    };
}
