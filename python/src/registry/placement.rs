//! The placement games for Python.

use chase_engine::placement::Placement;
use chase_models::encoding::Shown;

use super::Registered;
use crate::presentation::Presentation;

impl<P: Shown> Registered for Placement<P> {
    const PRESENTATION: Presentation<Self> = Presentation::depicted();
}
