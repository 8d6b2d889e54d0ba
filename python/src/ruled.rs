//! A game with its conventions and its encoding.

use chase_engine::{Encode, Game, Shape};
use ndarray::ArrayViewMut3;
use serde_json::Value;

/// Facts about a game that need no play.
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
    /// Description of each plane.
    pub planes: Vec<String>,
    /// Every policy index is below it.
    pub policy_size: usize,
}

/// A game with its conventions and its encoding.
pub struct Ruled<G: Encode> {
    pub rules: G::Rules,
    pub encoding: G::Encoding,
    pub facts: Facts,
}

impl<G: Encode> Ruled<G> {
    /// The standard ones where there is `None`.
    ///
    /// # Errors
    /// If a text or an option is not one of this game's.
    pub fn new(standard: G::Rules, rules: Option<&str>, encoding: Option<&Value>) -> Result<Self, String> {
        let rules = match rules {
            None => standard,
            Some(text) => G::rules_from_text(text, &standard)
                .map_err(|error| format!("rules of {}: {error}", G::name(&standard)))?,
        };
        let name = G::name(&rules);
        let mut encoding_options =
            serde_json::to_value(G::standard_encoding(&rules)).map_err(|error| error.to_string())?;
        match (encoding, encoding_options.as_object_mut()) {
            (None, _) => {}
            (Some(Value::Object(options)), Some(all)) => all.extend(options.clone()),
            (Some(options), _) => encoding_options = options.clone(),
        }
        let encoding: G::Encoding =
            serde_json::from_value(encoding_options).map_err(|error| format!("encoding of {name}: {error}"))?;
        if G::encoded_game(&encoding) != name {
            return Err(format!("encoding of {name}: it is for {}", G::encoded_game(&encoding)));
        }
        let facts = Facts {
            name,
            rules: G::rules_text(&rules),
            rules_version: G::RULES_VERSION,
            encoding: serde_json::to_value(&encoding).map_err(|error| error.to_string())?,
            encoding_version: G::ENCODING_VERSION,
            shape: G::shape(&encoding),
            planes: G::plane_names(&encoding),
            policy_size: G::shape(&encoding).policy_size(),
        };
        Ok(Self { rules, encoding, facts })
    }

    /// The same game under other conventions.
    pub fn under(&self, rules: G::Rules) -> Self {
        Self {
            facts: Facts {
                rules: G::rules_text(&rules),
                ..self.facts.clone()
            },
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
