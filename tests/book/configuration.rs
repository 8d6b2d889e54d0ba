//! `docs/src/reference/configuration.md`: every key of every configuration, from the types.

use std::fmt::Write;

use chase_arena::tournament::TournamentConfig;
use chase_balance::BalanceConfig;
use chase_opening_book::BookConfig;
use chase_opening_study::StudyConfig;
use chase_training::config::Config;
use chase_training::settings::reference;

const HEAD: &str = "\
# Configuration

Configurations are TOML files. Unknown keys are errors. On a CPU and without time limits, the number of threads does not change results.

Later settings take precedence: defaults, the file, `--set search.simulations=64` (repeatable), then options such as `--seed`, `--threads` and
`--device`. The run's directory stores the resolved `config.toml`.

The last column says how a value may change: `resume` with `--resume DIR --set KEY=VALUE`, `branch` with `chase train --branch DIR`, `refit`
with `chase train --refit DIR`. Any other change needs a new directory. `chase train` records changes in `config.toml` and `log.txt`.

[Presets](../../../configs/README.md) explain their values. `UPDATE_EXPECT=1 cargo test --test book configuration` writes this page from the code.
";

#[test]
fn the_page_has_every_key_with_its_default() {
    let mut page = HEAD.to_owned();
    for (title, keys) in [
        ("Training", reference::<Config>()),
        (
            "Training an efficiently updatable network",
            reference::<chase_training::kinds::nnue::config::Config>(),
        ),
        ("Tournaments and matches", reference::<TournamentConfig>()),
        ("Opening studies", reference::<StudyConfig>()),
        ("Opening books", reference::<BookConfig>()),
        ("Balance of games", reference::<BalanceConfig>()),
    ] {
        assert!(!keys.contains("|  |  |"), "a key has no doc comment: {keys}");
        let _ = write!(page, "\n## {title}\n{keys}");
    }
    expect_test::expect_file!["../../docs/src/reference/configuration.md"].assert_eq(&page);
}
