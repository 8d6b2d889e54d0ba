//! Checks of a configuration that several games share.

use chase_models::encoding::{ChaseEncoding, DraughtsPlanes};

use crate::config::Config;
use crate::settings::Checks;

/// Requires turn limits under which every game ends.
pub(super) fn turns(checks: &mut Checks, config: &Config) {
    checks.require(
        config.rules.max_turns >= 1,
        "rules.max_turns",
        config.rules.max_turns,
        "at least 1: without a limit a game may never end",
    );
    checks.require(
        config.rules.repetition != 1,
        "rules.repetition",
        1,
        "0 (off) or at least 2: every position has occurred once",
    );
}

/// Requires the planes of Chase to be unset.
pub(super) fn no_planes_of_chase(checks: &mut Checks, config: &Config) {
    checks.require(
        config.encoding == ChaseEncoding::default(),
        "encoding",
        "set",
        "no such section: these are planes of Chase",
    );
}

/// Requires the planes of the draughts games to be unset.
pub(super) fn no_planes_of_draughts(checks: &mut Checks, config: &Config) {
    checks.require(
        config.draughts == DraughtsPlanes::default(),
        "draughts",
        "set",
        "no such section: these are planes of draughts games",
    );
}
