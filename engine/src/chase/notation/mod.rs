//! Text forms: positions (CFEN), actions (exact and as in the article), game records, and pictures of the board.

mod ascii;
mod cfen;
mod course;
mod error;
mod exact;
mod svg;

pub use ascii::AsciiOptions;
pub use course::Course;
pub use error::{ParseError, ParseErrorKind};
pub use svg::{Arrow, Heat, Labels, SvgOptions, Theme, value_color};
