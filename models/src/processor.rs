//! The processor of this machine.

use std::sync::OnceLock;

/// Sets of instructions that libtorch and its libraries choose between.
#[cfg(target_arch = "x86_64")]
const SETS: [&str; 10] = [
    "avx",
    "avx2",
    "fma",
    "avx_vnni",
    "avx512f",
    "avx512bw",
    "avx512_vnni",
    "avx512_bf16",
    "avx512_fp16",
    "amx_tile",
];

/// Environment variables that make libtorch and its libraries use fewer of them.
const LIMITS: [&str; 4] = [
    "ATEN_CPU_CAPABILITY",
    "DNNL_MAX_CPU_ISA",
    "MKL_ENABLE_INSTRUCTIONS",
    "ONEDNN_MAX_CPU_ISA",
];

/// The way in which this machine's processor multiplies in bfloat16.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bf16Units {
    /// In 32 bits.
    None,
    /// By instructions for vectors (AVX512_BF16) that are slower than those for 32 bits, as Intel's are: libtorch reaches
    /// 0.65 of the rate in 32 bits, and the kernel of this program 0.58 (study 0058).
    SlowVectors,
    /// By instructions for vectors that are faster than those for 32 bits, as AMD's are: 1.9 and 1.7 times (study 0055).
    FastVectors,
    /// By instructions for matrices (AMX), besides slow ones for vectors.
    Matrices,
}

/// Units of this machine's processor for bfloat16.
pub fn bf16_units() -> Bf16Units {
    static UNITS: OnceLock<Bf16Units> = OnceLock::new();
    #[cfg(target_arch = "x86_64")]
    let read = || match is_x86_feature_detected!("avx512bf16") {
        true => bf16_units_of(&hardware()),
        false => Bf16Units::None,
    };
    #[cfg(not(target_arch = "x86_64"))]
    let read = || Bf16Units::None;
    *UNITS.get_or_init(read)
}

/// Units of a processor with AVX512_BF16, by the words of [`hardware`].
#[cfg(target_arch = "x86_64")]
fn bf16_units_of(hardware: &str) -> Bf16Units {
    let has = |word| hardware.split(' ').any(|known| known == word);
    if has("amx_tile") {
        Bf16Units::Matrices
    } else if has("GenuineIntel") {
        Bf16Units::SlowVectors
    } else {
        Bf16Units::FastVectors
    }
}

/// Maker and sets of instructions of this machine's processor, and limits of their use in the environment: what
/// libtorch's choice of kernels depends on.
pub fn processor() -> String {
    described(|name| std::env::var(name).ok())
}

fn described(environment: impl Fn(&str) -> Option<String>) -> String {
    let limits = LIMITS.map(|name| environment(name).map(|value| format!("{name}={value}")));
    let parts: Vec<String> = [hardware()].into_iter().chain(limits.into_iter().flatten()).collect();
    parts.join(" ")
}

#[cfg(target_arch = "x86_64")]
fn hardware() -> String {
    // The same on every Linux; other systems have the test of outputs alone.
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let line = |name: &str| {
        let mut lines = text.lines().filter_map(|line| line.split_once(':'));
        lines.find(|(key, _)| key.trim() == name).map(|(_, value)| value.trim())
    };
    let flags: Vec<&str> = line("flags").unwrap_or_default().split(' ').collect();
    let sets = SETS.into_iter().filter(|set| flags.contains(set));
    let parts: Vec<&str> = line("vendor_id").into_iter().chain(sets).collect();
    parts.join(" ")
}

/// Maker and sets of instructions of this machine's processor, as far as libtorch's choice of kernels depends on them.
#[cfg(not(target_arch = "x86_64"))]
fn hardware() -> String {
    std::env::consts::ARCH.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn units_for_bfloat16_are_those_of_the_maker_or_for_matrices() {
        let xeon = "GenuineIntel avx2 avx512f avx512_bf16";
        assert_eq!(bf16_units_of(xeon), Bf16Units::SlowVectors);
        assert_eq!(bf16_units_of(&format!("{xeon} amx_tile")), Bf16Units::Matrices);
        assert_eq!(
            bf16_units_of("AuthenticAMD avx2 avx512f avx512_bf16"),
            Bf16Units::FastVectors
        );
    }

    #[test]
    fn limits_of_the_environment_are_told() {
        let free = described(|_| None);
        assert!(!free.is_empty() && !free.contains('='), "{free}");
        let limited = described(|name| (name == "ONEDNN_MAX_CPU_ISA").then(|| "AVX2".to_owned()));
        assert_eq!(limited, format!("{free} ONEDNN_MAX_CPU_ISA=AVX2"));
    }
}
