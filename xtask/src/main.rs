//! Set-up, test and main-job commands of this repository.

fn main() {}
