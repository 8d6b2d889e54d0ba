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

/// Environment variables that make libtorch and its libraries use fewer of them.
const LIMITS: [&str; 4] = [
    "ATEN_CPU_CAPABILITY",
    "DNNL_MAX_CPU_ISA",
    "MKL_ENABLE_INSTRUCTIONS",
    "ONEDNN_MAX_CPU_ISA",
];

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

    #[test]
    fn limits_of_the_environment_are_told() {
        let free = described(|_| None);
        assert!(!free.is_empty() && !free.contains('='), "{free}");
        let limited = described(|name| (name == "ONEDNN_MAX_CPU_ISA").then(|| "AVX2".to_owned()));
        assert_eq!(limited, format!("{free} ONEDNN_MAX_CPU_ISA=AVX2"));
    }
}
