//! Numbers, formatted for people.

use chase_statistics::Interval;

/// Thousands separator of large whole numbers: narrow and non-breaking.
const THIN_SPACE: char = '\u{202f}';
/// Text in place of a missing number.
pub const NONE: &str = "–";

/// Three significant digits, but whole numbers in full: `0.0123`, `1.50`, `12.3`, `1 230`. [`NONE`] for numbers that
/// are not finite.
pub fn figure(number: f64) -> String {
    if !number.is_finite() {
        return NONE.to_owned();
    }
    let size = number.abs();
    // Thresholds from which on rounding to three digits gives another power of ten.
    let text = match size {
        _ if size >= 99.95 => return signed(number < 0.0, &whole(size.round())),
        _ if size >= 9.995 => format!("{size:.1}"),
        _ if size >= 0.9995 || size == 0.0 => format!("{size:.2}"),
        _ if size >= 1e-4 => {
            let digits = 2 - (1.0005 * size).log10().floor() as i32;
            format!("{size:.*}", digits.max(0) as usize)
        }
        _ => format!("{size:.2e}"),
    };
    signed(number < 0.0, &text)
}

/// Thousands separated: `12 345`.
pub fn count(number: u64) -> String {
    whole(number as f64)
}

/// A number of things: `1 game`, `12 345 games`.
pub fn counted(number: u64, thing: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {thing}{plural}", count(number))
}

/// A whole number that may be negative, thousands separated: `−12 345`.
pub fn whole_number(number: f64) -> String {
    signed(number < 0.0, &whole(number.abs()))
}

/// Rounded, with the sign: `+812`.
pub fn elo(number: f64) -> String {
    if !number.is_finite() {
        return NONE.to_owned();
    }
    let text = whole(number.abs().round());
    match number.round() {
        rounded if rounded > 0.0 => format!("+{text}"),
        rounded => signed(rounded < 0.0, &text),
    }
}

/// A share in per cent: `53.1 %`, `0.43 %`, `100 %`.
pub fn percent(share: f64) -> String {
    match share {
        _ if !share.is_finite() => NONE.to_owned(),
        _ => format!("{}{THIN_SPACE}%", percent_digits(share)),
    }
}

fn percent_digits(share: f64) -> String {
    let size = (100.0 * share).abs();
    let text = match size {
        _ if size == 0.0 || size == 100.0 => format!("{size:.0}"),
        _ if size < 0.995 => format!("{size:.2}"),
        _ => format!("{size:.1}"),
    };
    signed(share < 0.0, &text)
}

/// An interval, in the unit of the number before it: `[0.12, 0.34]`. An end that is not known is a question mark.
pub fn interval(interval: &Interval, write: impl Fn(f64) -> String) -> String {
    let end = |end: Option<f64>| end.map_or("?".to_owned(), &write);
    format!("[{}, {}]", end(interval.low), end(interval.high))
}

/// An interval of shares in per cent: `[47.0, 59.1]`.
pub fn percent_interval(of_shares: &Interval) -> String {
    interval(of_shares, percent_digits)
}

/// A share with its interval, in per cent: `53.1 % [47.0, 59.1]`.
pub fn percent_within(share: f64, interval: &Interval) -> String {
    format!("{} {}", percent(share), percent_interval(interval))
}

/// Elo with its interval: `+812 [+760, +870]`, `+812 (at least +760)`.
pub fn elo_within(value: f64, interval: &Interval) -> String {
    let text = elo_interval(interval);
    match (interval.low, interval.high) {
        (Some(_), Some(_)) => format!("{} {text}", elo(value)),
        _ => format!("{} ({text})", elo(value)),
    }
}

/// An interval of Elo: `[+760, +870]`, `at least +760`.
pub fn elo_interval(of_elo: &Interval) -> String {
    match (of_elo.low, of_elo.high) {
        (Some(_), Some(_)) => interval(of_elo, elo),
        (Some(low), None) => format!("at least {}", elo(low)),
        (None, Some(high)) => format!("at most {}", elo(high)),
        (None, None) => "unknown".to_owned(),
    }
}

/// A duration in the two largest units: `42 s`, `6 min 12 s`, `3 h 5 min`, `2 d 4 h`.
pub fn duration(seconds: f64) -> String {
    if !(0.0..1e12).contains(&seconds) {
        return NONE.to_owned();
    }
    let seconds = seconds.round() as u64;
    let (minutes, hours, days) = (seconds / 60, seconds / 3600, seconds / 86400);
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3600 => format!("{minutes} min {} s", seconds % 60),
        3600..86400 => format!("{hours} h {} min", minutes % 60),
        _ => format!("{days} d {} h", hours % 24),
    }
}

/// A point in time, given in seconds since 1970: `2026-11-21 11:18 UTC`.
pub fn moment(seconds: u64) -> String {
    let (day, second) = ((seconds / 86400) as i64, seconds % 86400);
    // Days since 1 March of year 0, so that leap days end their years (Howard Hinnant, chrono-compatible low-level date
    // algorithms, `civil_from_days`).
    let day = day + 719_468;
    let era = day / 146_097;
    let of_era = day % 146_097;
    let year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let of_month = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year + 400 * era + i64::from(month <= 2);
    let (hour, minute) = (second / 3600, second / 60 % 60);
    format!("{year}-{month:02}-{of_month:02} {hour:02}:{minute:02} UTC")
}

/// A coordinate of SVG, rounded to a tenth of a pixel.
pub fn coordinate(number: f64) -> String {
    let text = format!("{number:.1}");
    let text = text.strip_suffix(".0").unwrap_or(&text);
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

fn whole(number: f64) -> String {
    let digits = format!("{number:.0}");
    if digits.len() <= 4 {
        return digits;
    }
    let mut text = String::with_capacity(digits.len() + digits.len());
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(THIN_SPACE);
        }
        text.push(digit);
    }
    text
}

/// A difference with its sign and this many digits after the point: `+1.2`, `−0.3`. What rounds to 0 is `+0.0`.
pub fn difference(number: f64, digits: usize) -> String {
    let text = format!("{:.digits$}", number.abs());
    let is_zero = text.bytes().all(|byte| !(b'1'..=b'9').contains(&byte));
    format!("{}{text}", if number < 0.0 && !is_zero { '−' } else { '+' })
}

/// A number with this many digits after the point: `1.2`, `−0.3`.
pub fn decimal(number: f64, digits: usize) -> String {
    format!("{number:.digits$}").replace('-', "−")
}

fn signed(negative: bool, text: &str) -> String {
    format!("{}{text}", if negative { "−" } else { "" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_have_a_sign_which_zero_never_changes() {
        for (number, digits, text) in [
            (1.25, 2, "+1.25"),
            (-0.34, 1, "−0.3"),
            (-0.04, 1, "+0.0"),
            (0.0, 2, "+0.00"),
            (-12.0, 0, "−12"),
        ] {
            assert_eq!(difference(number, digits), text);
        }
        assert_eq!(decimal(-3.25, 1), "−3.2");
    }

    #[test]
    fn figures_have_three_significant_digits() {
        for (number, text) in [
            (0.0, "0.00"),
            (0.012345, "0.0123"),
            (0.099_96, "0.100"),
            (0.5, "0.500"),
            (0.99949, "0.999"),
            (0.9996, "1.00"),
            (1.5, "1.50"),
            (9.996, "10.0"),
            (-12.345, "−12.3"),
            (99.96, "100"),
            (1234.4, "1234"),
            (1_234_567.0, "1\u{202f}234\u{202f}567"),
            (0.000_012_3, "1.23e-5"),
            (f64::NAN, "–"),
            (f64::INFINITY, "–"),
        ] {
            assert_eq!(figure(number), text, "{number}");
        }
    }

    #[test]
    fn shares_ratings_and_times_read_naturally() {
        assert_eq!(percent(0.53149), "53.1\u{202f}%");
        assert_eq!(
            (percent(0.00434), percent(1.0)),
            ("0.43\u{202f}%".into(), "100\u{202f}%".into())
        );
        assert_eq!(
            (elo(811.6), elo(-3.2), elo(0.2)),
            ("+812".into(), "−3".into(), "0".into())
        );
        for (seconds, text) in [
            (59.4, "59 s"),
            (372.0, "6 min 12 s"),
            (11_100.0, "3 h 5 min"),
            (187_200.0, "2 d 4 h"),
        ] {
            assert_eq!(duration(seconds), text);
        }
        assert_eq!(duration(f64::NAN), NONE);
    }

    #[test]
    fn intervals_stand_in_square_brackets() {
        let of = |low, high| Interval { low, high };
        assert_eq!(percent_interval(&of(Some(0.47), Some(0.591))), "[47.0, 59.1]");
        assert_eq!(percent_interval(&of(None, Some(0.591))), "[?, 59.1]");
        assert_eq!(
            percent_within(0.53, &of(Some(0.47), Some(1.0))),
            "53.0\u{202f}% [47.0, 100]"
        );
        assert_eq!(elo_interval(&of(Some(-5.0), Some(870.0))), "[−5, +870]");
        assert_eq!(elo_interval(&of(Some(760.0), None)), "at least +760");
        assert_eq!(elo_within(812.0, &of(Some(760.0), Some(870.0))), "+812 [+760, +870]");
        assert_eq!(elo_within(812.0, &of(Some(760.0), None)), "+812 (at least +760)");
    }

    #[test]
    fn moments_agree_with_the_calendar() {
        for (seconds, text) in [
            (0, "1970-01-01 00:00 UTC"),
            (951_782_400, "2000-02-29 00:00 UTC"),
            (951_868_800, "2000-03-01 00:00 UTC"),
            (1_795_259_880, "2026-11-21 11:18 UTC"),
            (4_107_542_399, "2100-02-28 23:59 UTC"),
            (4_107_542_400, "2100-03-01 00:00 UTC"),
        ] {
            assert_eq!(moment(seconds), text, "{seconds}");
        }
    }

    #[test]
    fn coordinates_are_short() {
        assert_eq!([3.0, 2.25, -0.04, -7.96].map(coordinate), ["3", "2.2", "0", "-8"]);
    }
}
