//! Limits as text: `repetition 3, quiet 100, length 400`, each a number or `off`.

use std::fmt;
use std::num::NonZeroU32;

use crate::TextError;
use crate::text_error::plain_number;

/// Writes limits, each after its name.
pub(crate) fn write<const N: usize>(
    f: &mut fmt::Formatter<'_>,
    names: [&str; N],
    limits: [Option<NonZeroU32>; N],
) -> fmt::Result {
    for (index, (name, limit)) in names.into_iter().zip(limits).enumerate() {
        f.write_str(if index > 0 { ", " } else { "" })?;
        match limit {
            Some(limit) => write!(f, "{name} {limit}")?,
            None => write!(f, "{name} off")?,
        }
    }
    Ok(())
}

/// Reads exactly what is written.
///
/// # Errors
/// What was expected, and where.
pub(crate) fn read<const N: usize>(
    names: [&str; N],
    text: &str,
    example: &dyn fmt::Display,
) -> Result<[Option<NonZeroU32>; N], TextError> {
    let mut limits = [None; N];
    let mut at = 0;
    let mut words = text.split(", ");
    for (name, limit) in names.into_iter().zip(&mut limits) {
        let word = words.next();
        let value = word.and_then(|word| word.strip_prefix(name)?.strip_prefix(' '));
        *limit = value.and_then(plain_number).and_then(NonZeroU32::new);
        if limit.is_none() && value != Some("off") {
            let start = at.min(text.len());
            let what = format!("`{name}` with a limit (1 to {}) or `off`, like `{example}`", u32::MAX);
            let end = start + word.unwrap_or_default().len();
            return Err(TextError::expected(what, text, start..end));
        }
        at += word.unwrap_or_default().len() + ", ".len();
    }
    if words.next().is_some() {
        let what = "the end of the conventions";
        return Err(TextError::expected(what, text, at - ", ".len()..text.len()));
    }
    Ok(limits)
}
