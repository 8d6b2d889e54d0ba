//! Records that are cut off, damaged or huge: no panic, and no time that grows with the square of the size.

use chase_engine::Chase;
use chase_engine::chase::Rules;
use proptest::prelude::*;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

use super::super::cases;
use super::{PROBLEM_TEXT, read, same};
use crate::records;

fn check_hostile(text: &str) -> bool {
    records::check_hostile::<Chase>(text, &Rules::default())
}

#[test]
fn records_that_are_cut_off_are_refused_at_every_byte() {
    let text = PROBLEM_TEXT.replace("a line", "é\u{202e}\u{1f3b2}");
    for end in (1..text.len() - 1).filter(|&end| text.is_char_boundary(end)) {
        assert!(!check_hostile(&text[..end]), "{}", &text[..end]);
    }
    assert!(check_hostile(&text));
}

/// Millions of bytes of anything that could take time that grows with the square of the size.
#[test]
fn large_records_are_read_in_time() {
    let tags = "[Result \"*\"] [Rules \"repetition off, quiet off, length off\"]\n";
    let limit = tags.replace("repetition off", "repetition 4294967295");
    let shuffle = "1A6A7 1I6I7 1A7A6 1I7I6\n";
    assert!(check_hostile(&format!("{tags}{}*", shuffle.repeat(20_000))));
    assert!(check_hostile(&format!("{limit}{}*", shuffle.repeat(20_000))));
    let many: String = (0..100_000).map(|number| format!("[T{number} \"\"]")).collect();
    assert!(check_hostile(&format!("{tags}{many} *")));
    assert!(check_hostile(&format!("{tags} A3D5 {} *", "{x}".repeat(300_000))));
    assert!(check_hostile(&format!(
        "{tags} A3D5 {{{}}} *",
        "\\} ".repeat(1_000_000)
    )));
    assert!(check_hostile(&format!("{tags} A3D5 * \n").repeat(20_000)));
    for part in [
        "[", "{", "(", "/A1A2", "1.", "9", "é", "\\", "\"", "\u{0}", "\r\n", "A3D5", ":", "*", "[A \"", "=1",
    ] {
        let much = part.repeat(1_000_000);
        check_hostile(&much);
        check_hostile(&format!("[A \"{much}"));
        check_hostile(&format!("{tags}{much}"));
        check_hostile(&format!("{tags}1. A3D5{much}"));
        check_hostile(&format!("{tags}1. A3D5({much}"));
        check_hostile(&format!("{tags}1. A3D5 {{{much}"));
    }
}

#[test]
fn a_turn_with_an_absurd_number_does_not_overflow() {
    let text = "[Position \"abcdedcba/9/9/9/9/9/9/9/ABCDEDCBA b 4294967295 4294967295\"] [Result \"*\"]\n\
                [Rules \"repetition 3, quiet off, length off\"]\n4294967295... I3F2 *";
    let record = read(text).unwrap();
    assert_eq!(record.game().position().turns_played(), u32::MAX);
    same(&read(&record.to_string()).unwrap(), &record);
}

proptest! {
    #![proptest_config(cases(64))]

    /// A file in which something was replaced is read, or refused with a place in it.
    #[test]
    fn damaged_records_are_read_or_refused(seed: u64, at: prop::sample::Index, damage in "\\PC{0,4}|[\\[\\]{}()\"\\\\ \n\r:=/.*0-9A-I]{0,4}") {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let record = records::random_record::<Chase>(&Rules::default(), 60, &["comment".to_owned()], &mut rng);
        let text = format!("{record}\n{PROBLEM_TEXT}\n{record}");
        let start = at.index(text.len());
        let end = (start + rng.random_range(0..4)).min(text.len());
        if text.is_char_boundary(start) && text.is_char_boundary(end) {
            check_hostile(&format!("{}{damage}{}", &text[..start], &text[end..]));
        }
    }
}
