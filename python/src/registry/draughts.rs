//! The draughts games for Python.

use chase_engine::Draughts;

use super::Registered;
use crate::presentation::Presentation;

impl Registered for Draughts {
    const PRESENTATION: Presentation<Self> = Presentation::depicted();
}
