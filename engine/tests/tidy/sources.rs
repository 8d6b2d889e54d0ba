//! Checks of the sources of foreign code.

use crate::workspace::lock_files;

#[test]
fn every_dependency_comes_from_the_registry_and_has_a_checksum() {
    for (file, lock) in lock_files() {
        let mut foreign = 0;
        for package in lock["package"].as_array().unwrap() {
            // Ours have no source.
            let Some(source) = package.get("source") else { continue };
            foreign += 1;
            let registry = source.as_str().unwrap().starts_with("registry+");
            assert!(registry && package.get("checksum").is_some(), "{file}: {package}");
        }
        assert!(foreign > 10, "{file} names {foreign} packages of others");
    }
}
