//! The wheels that hold libtorch, by machine, and what is kept of them.
//!
//! Only Linux on x86-64 was ever tried. For the others the files of the wheels were looked at, and their hashes pinned.

use std::env::consts;

/// A machine for which there are wheels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Machine {
    /// As Rust names them.
    os: &'static str,
    arch: &'static str,
    /// File of requirements for the CPU, in the folder of this package, and its content.
    pub cpu: (&'static str, &'static str),
    /// The same for what an NVIDIA GPU needs in addition, where that is supported.
    pub cuda: Option<(&'static str, &'static str)>,
    /// Tags of the wheels. pip matches them exactly, so every tag of a wheel must be named.
    pub platforms: &'static [&'static str],
    /// Libraries that the CPU variant keeps, by the beginning of their names.
    libraries: &'static [&'static str],
    /// True if `libtorch` is only a name for its two halves, and a linker script takes its place.
    pub has_linker_script: bool,
}

macro_rules! requirements {
    ($name:literal) => {
        ($name, include_str!(concat!("../", $name)))
    };
}

const MACHINES: [Machine; 3] = [
    Machine {
        os: "linux",
        arch: "x86_64",
        cpu: requirements!("libtorch-linux-x86_64.txt"),
        cuda: Some(requirements!("libtorch-cuda-linux-x86_64.txt")),
        platforms: &[
            "manylinux_2_28_x86_64",
            "manylinux_2_27_x86_64",
            "manylinux_2_25_x86_64",
            "manylinux_2_18_x86_64",
            "manylinux2014_x86_64",
            "manylinux2010_x86_64",
            "manylinux1_x86_64",
        ],
        libraries: &["libtorch_cpu.so", "libc10.so", "libgomp", "libcudart.so", "libcupti.so"],
        has_linker_script: true,
    },
    Machine {
        os: "linux",
        arch: "aarch64",
        cpu: requirements!("libtorch-linux-aarch64.txt"),
        cuda: None,
        platforms: &[
            "manylinux_2_28_aarch64",
            "manylinux_2_25_aarch64",
            "manylinux2014_aarch64",
        ],
        libraries: &[
            "libtorch_cpu.so",
            "libc10.so",
            "libgomp",
            "libcudart.so",
            "libcupti.so",
            "libarm_compute",
            "libnvpl_",
            "libgfortran",
        ],
        has_linker_script: true,
    },
    Machine {
        os: "macos",
        arch: "aarch64",
        cpu: requirements!("libtorch-macos-arm64.txt"),
        cuda: None,
        platforms: &["macosx_11_0_arm64"],
        libraries: &["libtorch.dylib", "libtorch_cpu.dylib", "libc10.dylib", "libomp.dylib"],
        has_linker_script: false,
    },
];

impl Machine {
    /// The machine that this program runs on; `None` if there are no wheels for it.
    pub fn here() -> Option<Self> {
        Self::of(consts::OS, consts::ARCH)
    }

    /// The machine with an operating system and an architecture.
    pub fn of(os: &str, arch: &str) -> Option<Self> {
        MACHINES
            .into_iter()
            .find(|machine| machine.os == os && machine.arch == arch)
    }

    /// Files of requirements in the folder of this package, with their content.
    pub fn requirements(&self, cuda: bool) -> impl Iterator<Item = (&'static str, &'static str)> {
        std::iter::once(self.cpu).chain(self.cuda.filter(|_| cuda))
    }

    /// True if this library is kept.
    pub fn keeps(&self, library: &str, cuda: bool) -> bool {
        match cuda {
            false => self.libraries.iter().any(|kept| library.starts_with(kept)),
            // An empty library only names the two halves; a linker script replaces it.
            true => library != "libtorch.so" && !library.starts_with("libtorch_python") && library.contains(".so"),
        }
    }
}

#[cfg(test)]
mod tests {
    // Tests may panic.
    #![allow(clippy::unwrap_used)]

    use super::*;

    /// The libraries in each wheel, as its list of files says.
    #[test]
    fn what_is_kept_is_what_the_cpu_half_names() {
        for (os, arch, kept, left_out) in [
            (
                "linux",
                "x86_64",
                vec![
                    "libtorch_cpu.so",
                    "libc10.so",
                    "libgomp.so.1",
                    "libcudart.so.13",
                    "libcupti.so.13",
                ],
                vec![
                    "libtorch.so",
                    "libtorch_cuda.so",
                    "libc10_cuda.so",
                    "libtorch_python.so",
                ],
            ),
            (
                "linux",
                "aarch64",
                vec![
                    "libtorch_cpu.so",
                    "libc10.so",
                    "libgomp.so.1",
                    "libcudart.so.13",
                    "libcupti.so.13",
                    "libarm_compute.so",
                    "libarm_compute_graph.so",
                    "libgfortran.so.5",
                    "libnvpl_blas_core.so.0",
                    "libnvpl_blas_lp64_gomp.so.0",
                    "libnvpl_lapack_core.so.0",
                    "libnvpl_lapack_lp64_gomp.so.0",
                ],
                vec![
                    "libtorch.so",
                    "libtorch_cuda.so",
                    "libtorch_nvshmem.so",
                    "libcaffe2_nvrtc.so",
                    "libshm.so",
                ],
            ),
            (
                "macos",
                "aarch64",
                vec!["libtorch.dylib", "libtorch_cpu.dylib", "libc10.dylib", "libomp.dylib"],
                vec!["libtorch_python.dylib", "libshm.dylib", "libtorch_global_deps.dylib"],
            ),
        ] {
            let machine = Machine::of(os, arch).unwrap();
            assert!(kept.iter().all(|name| machine.keeps(name, false)), "{machine:?}");
            assert!(!left_out.iter().any(|name| machine.keeps(name, false)), "{machine:?}");
        }
        assert_eq!(Machine::of("windows", "x86_64"), None);
    }

    #[test]
    fn every_requirement_is_pinned_by_its_hash() {
        for machine in MACHINES {
            let files = [Some(machine.cpu), machine.cuda];
            for (name, text) in files.into_iter().flatten() {
                let mut pinned = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
                assert!(
                    pinned.all(|line| line.contains("==") && line.contains("--hash=sha256:")),
                    "{name}"
                );
            }
            assert!(machine.cpu.1.contains("torch==2.11.0 "));
        }
    }
}
