//! The draughts games for Python.

use chase_engine::Draughts;

use super::Registered;
use crate::kind::Kind;

impl Registered for Draughts {
    const KIND: Kind<Self> = Kind::depicted();
}
