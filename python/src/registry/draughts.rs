//! The draughts games for Python.

use chase_engine::draughts::{Draughts, Variant};

use super::Registered;
use crate::kind::Kind;

impl<V: Variant> Registered for Draughts<V>
where
    Self: chase_models::Encode,
{
    const KIND: Kind<Self> = Kind::depicted();
}
