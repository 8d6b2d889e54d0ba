//! The placement games for Python.

use chase_engine::placement::Placement;
use chase_models::encoding::Shown;

use super::Registered;
use crate::kind::Kind;

impl<P: Shown> Registered for Placement<P> {
    const KIND: Kind<Self> = Kind::depicted();
}
