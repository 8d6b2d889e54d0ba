//! A game with its conventions and its encoding.

use chase_engine::Game;
use chase_models::{Encode, Shape};
use ndarray::ArrayViewMut3;
use serde_json::Value;

use crate::kind::Kind;

/// What is known about a game without playing it.
#[derive(Clone, Debug)]
pub struct Facts {
    pub name: &'static str,
    /// The conventions, as text.
    pub rules: String,
    pub rules_version: u32,
    /// The options of the encoding.
    pub encoding: Value,
    pub encoding_version: u32,
    pub shape: Shape,
    /// What each plane shows.
    pub planes: Vec<String>,
    /// Every policy index is below it.
    pub policy_size: usize,
}

/// A game with its conventions and its encoding.
pub struct Ruled<G: Encode> {
    pub kind: Kind<G>,
    pub rules: G::Rules,
    pub encoding: G::Encoding,
    pub facts: Facts,
}

impl<G: Encode> Ruled<G> {
    /// The standard ones where there is `None`.
    ///
    /// # Errors
    /// If a text or an option is not one of this game's.
    pub fn new(kind: Kind<G>, rules: Option<&str>, encoding: Option<&Value>) -> Result<Self, String> {
        let rules = rules.map(kind.rules).transpose()?.unwrap_or_default();
        let encoding = match encoding {
            Some(options) => {
                serde_json::from_value(options.clone()).map_err(|error| format!("encoding of {}: {error}", G::NAME))?
            }
            None => G::Encoding::default(),
        };
        let facts = Facts {
            name: G::NAME,
            rules: G::rules_text(&rules),
            rules_version: G::RULES_VERSION,
            encoding: serde_json::to_value(&encoding).map_err(|error| error.to_string())?,
            encoding_version: G::ENCODING_VERSION,
            shape: G::shape(&encoding),
            planes: G::plane_names(&encoding),
            policy_size: G::POLICY_SIZE,
        };
        Ok(Self {
            kind,
            rules,
            encoding,
            facts,
        })
    }

    /// The same game under other conventions.
    pub fn under(&self, rules: G::Rules) -> Self {
        Self {
            facts: Facts {
                rules: G::rules_text(&rules),
                ..self.facts.clone()
            },
            kind: self.kind,
            rules,
            encoding: self.encoding.clone(),
        }
    }
}

/// Overwrites planes, [`Shape::input_size`] numbers.
pub fn encode<G: Encode>(game: &G, encoding: &G::Encoding, planes: &mut [f32]) {
    let shape: Shape = G::shape(encoding);
    // Of another size it would be a fault of this package.
    if let Ok(planes) = ArrayViewMut3::from_shape(shape.input(), planes) {
        game.encode(encoding, planes);
    }
}

/// The legal actions by policy index, in ascending order, in place of those before.
pub fn list_legal<G: Game>(game: &G, actions: &mut Vec<G::Action>, legal: &mut Vec<(u32, G::Action)>) {
    game.legal_actions(actions);
    legal.clear();
    legal.extend(actions.iter().map(|&action| (game.policy_index(action) as u32, action)));
    legal.sort_unstable_by_key(|&(index, _)| index);
}
