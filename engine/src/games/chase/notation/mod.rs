//! Text forms: positions (CFEN), actions (exact and as in the article), and pictures of the board.
//!
//! | what | example | written by | read by |
//! |---|---|---|---|
//! | position, CFEN | `abcdedcba/9/9/9/9/9/9/9/ABCDEDCBA w 0 1` | `Display` of [`Position`](super::Position) | its `FromStr` |
//! | conventions | `repetition 3, quiet 100, length 400` | `Display` of [`Rules`](super::Rules) | its `FromStr` |
//! | action, exact form, for programs | | `Display` of [`Action`](super::Action) | its `FromStr` |
//! | · move: die, first direction | `A3NE` | | |
//! | · exchange: points, giver, receiver | `1A6A7` | | |
//! | · absorption: the die that takes the points | `=C9` | | |
//! | action or turn, article form, for people | | [`article_text`], [`turn_text`] | [`parse_article`] |
//! | · move: from, to | `A3D5` | | |
//! | · capture | `E4:F4` | | |
//! | · bumps: every bumped die's own step | `C7E6/E6:F6` | | |
//! | · Chamber move: exits with their speeds, left first | `A7E5/D5=2/E6=2` | | |
//! | · a capture, a bump at an exit | `A7E5/:D5=2/E6=2`, `A7E5/D5=2/D5C4/E6=2` | | |
//! | · who absorbs what a turn captured | `E4:F4(C9=6/B1=6)` | | |
//! | · exchange, absorption alone | as in exact form | | |
//! | · two directions to one cell with different results | in exact form, `F1NE` | | |
//! | picture for terminals | `A    :  1   2 …` | [`Position::to_ascii`](super::Position::to_ascii) | |
//! | picture for pages | SVG | [`Position::to_svg`](super::Position::to_svg) | |
//! | game | see [`record`](crate::record) | `Display` of [`Record`](crate::Record) | [`Record::read_all`](crate::Record::read_all) |
//!
//! The exact form names an action whatever the position; the article form is read and written in a position only.
//!
//! [`article_text`]: super::Position::article_text
//! [`turn_text`]: super::Position::turn_text
//! [`parse_article`]: super::Position::parse_article

mod article;
mod ascii;
mod cfen;
mod course;
mod exact;
mod svg;

pub use ascii::AsciiOptions;
pub use course::{Cause, Course, Leg, Step};
pub use svg::{Arrow, Heat, Labels, SvgOptions, Theme, value_color};
