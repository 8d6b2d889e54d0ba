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

Configurations are TOML files. An unknown key is an error that names the nearest known one.

Settings apply in this order: defaults, then the file, then `--set` (`--set search.simulations=64`, repeatable), then options of their
own such as `--seed`, `--threads` and `--device`. The resolved configuration is written to `config.toml` in the directory of the run before
anything else.

The last column says when a value may change: *on resume*, with `--resume DIR --set KEY=VALUE`; *in a branch*, with `chase train
--branch DIR`; *in a refit*, with `chase train --refit DIR`. Any other change needs a new directory. A run of `chase train` writes a change to its
`config.toml` and `log.txt`, so that it keeps the change when it is resumed again.

The presets in [`configs/`](../../../configs/README.md) explain the values that they choose. `UPDATE_EXPECT=1 cargo test --test book
configuration` writes this page from the code.
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
