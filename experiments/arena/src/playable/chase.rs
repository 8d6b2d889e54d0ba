//! Chase.

use std::sync::Arc;

use chase_engine::Chase;
use chase_engine::chase::{Action, Rules};
use chase_nnue::{Kernel, LineEvaluator, Network};

use super::Playable;
use crate::analysis::{Request, RequestError};
use crate::games::{PlainRecord, article_text, read_article};

impl Playable for Chase {
    type Updatable = LineEvaluator<'static>;

    fn swapped(&self) -> Option<Self> {
        Some(Self::from_position(self.position().rotated(), *self.rules()))
    }

    /// `None` while the player to move has points to absorb.
    fn passed(&self) -> Option<Self> {
        Some(Self::from_position(self.position().passed()?, *self.rules()))
    }

    fn with_turns(turns: &Rules, _: &Rules) -> Rules {
        *turns
    }

    fn turns(&self) -> Option<Rules> {
        Some(*self.rules())
    }

    fn position_key(&self) -> u128 {
        self.position().key()
    }

    /// In the article's notation.
    fn people_text(&self, action: Action) -> String {
        self.position().article_text(action)
    }

    fn requested(request: &Request, _: &Rules) -> Result<Self, RequestError> {
        request.game()
    }

    fn updatable() -> Option<fn(Arc<Network>) -> Self::Updatable> {
        Some(|network| LineEvaluator::shared(network, Kernel::best()))
    }

    /// In the article's notation.
    fn record_text(record: &PlainRecord<Self>) -> Result<String, String> {
        article_text(record)
    }

    fn read_record(text: &str, _: &Rules) -> Result<PlainRecord<Self>, String> {
        read_article(text)
    }
}
