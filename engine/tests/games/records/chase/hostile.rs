//! Records with absurd numbers: no panic.

use super::{read, same};

#[test]
fn a_turn_with_an_absurd_number_does_not_overflow() {
    let text = "[Position \"abcdedcba/9/9/9/9/9/9/9/ABCDEDCBA b 4294967295 4294967295\"] [Result \"*\"]\n\
                [Rules \"repetition 3, quiet off, length off\"]\n4294967295... I3F2 *";
    let record = read(text).unwrap();
    assert_eq!(record.game().position().turns_played(), u32::MAX);
    same(&read(&record.to_string()).unwrap(), &record);
}
