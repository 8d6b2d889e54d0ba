//! The processor of this machine.

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

/// Maker and sets of instructions of this machine's processor, as far as libtorch's choice of kernels depends on them.
#[cfg(target_arch = "x86_64")]
pub fn processor() -> String {
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
pub fn processor() -> String {
    std::env::consts::ARCH.to_owned()
}
