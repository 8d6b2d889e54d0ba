//! Rules of two-player games, and tree search over any of them.
//!
//! The crate knows no network and no file, and builds alone and in seconds. Its one clock, [`Moment`], starts a thread when
//! it is first asked, as by an alpha-beta search with a limit of time. All of its memory belongs to the values that it returns, and all of its randomness comes from
//! generators passed in.
//!
//! | module | subject |
//! |---|---|
//! | [`Game`] | the contract between a game and the code that plays it; [`conformance`] tests an implementation |
//! | [`Player`], [`Outcome`], [`Value`], [`Wdl`] | players, results, and their value for a player |
//! | [`chase`] | the rules of Chase, its texts and its pictures |
//! | [`chess`] | the rules of chess, on the flat board and on a cylinder |
//! | [`connect_four`] | a small game with an exact solver, to test searches and training against the truth |
//! | [`draughts`] | the rules of 18 draughts games: checkers, stax and queens on three boards, with or without numbered men |
//! | [`placement`] | the rules of four placement games: moves23, tetra24, lines9 and tricolour |
//! | [`Encode`], [`Heuristic`], [`Depict`] | planes for networks, a judgement, and pictures of a game; [`Playable`] is all of them |
//! | [`SparseView`] | sparse inputs for efficiently updatable networks, in games that offer them |
//! | [`record`] | games as text for people |
//! | [`baselines`] | random and greedy play |
//! | [`registry`] | the list of all games, and [`with_game`], which maps a name to a type |
//! | [`scene`] | positions of any game, drawn as text and as SVG |
//! | [`Words`], [`Diagram`] | a game's texts for people: its name, its rules, and the diagrams in them |
//! | [`search`] | PUCT and Gumbel AlphaZero over any game, one step at a time |
//! | [`alpha_beta`] | alpha–beta over any game, with any evaluator |
//! | [`proof`] | proofs of forced goals, by proof-number search |
//! | [`seed`] | generators derived from their place of use |
//! | [`Moment`] | time in which the process ran |
//!
//! # Example
//!
//! A search without a network finds a win that is two plies away:
//!
//! ```
//! use chase_engine::search::{Search, SearchParams, UniformEvaluator};
//! use chase_engine::{Chase, ConnectFour, Game, Player, chase::Rules, seed};
//!
//! let mut game = Chase::new(&Rules::default());
//! let mut actions = Vec::new();
//! game.legal_actions(&mut actions);
//! assert_eq!(actions.len(), 46);
//! game.apply(game.parse_action("A3NW")?);
//! assert_eq!(game.to_move(), Player::Black);
//!
//! // Three stones of White lie open at both ends, and White is to move.
//! let game = ConnectFour::from_position_text("......./......./......./......./..oo.../..xxxo. w", &())?;
//! let mut search = Search::new();
//! search.start(&game, &SearchParams::default(), &mut seed::named("example", &[1]))?;
//! search.run(&mut UniformEvaluator)?;
//! let best = search.result().best_action().expect("a game that is not over");
//! assert_eq!(game.action_text(best), "2");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod alpha_beta;
pub mod baselines;
pub mod conformance;
mod diagram;
pub mod encode;
mod game;
mod games;
mod hash;
mod heuristic;
#[doc(hidden)]
pub mod instructions;
mod moment;
mod outcome;
mod planes;
mod playable;
mod player;
pub mod proof;
mod property;
pub mod record;
pub mod scene;
mod scene_planes;
pub mod search;
pub mod seed;
mod sparse;
mod text_error;
mod wdl;
mod words;

pub use diagram::Diagram;
pub use encode::{Encode, Grid, Mirror, Shape};
pub use game::Game;
pub use games::chase::Chase;
pub use games::chess::Chess;
pub use games::connect_four::ConnectFour;
pub use games::conventions::{Convention, Conventions};
pub use games::draughts::Draughts;
pub use games::placement::{Lines9, Moves23, Tetra24, Tricolour};
pub use games::registry::{GameName, UnknownGame};
pub use games::{chase, chess, connect_four, draughts, placement, registry};
pub use heuristic::Heuristic;
pub use instructions::Instructions;
pub use moment::Moment;
pub use outcome::{Outcome, Value};
pub use playable::Playable;
pub use player::{ByPlayer, Player};
pub use property::Property;
pub use record::Record;
pub use scene::Depict;
pub use scene_planes::ScenePlanes;
pub use sparse::{InputSet, NoInputs, SparseView};
pub use text_error::TextError;
pub use wdl::Wdl;
pub use words::Words;

/// The example of the guide, tested as it stands there.
#[cfg(doctest)]
#[doc = include_str!("../../docs/src/guides/add-a-game.md")]
struct AddAGame;
