//! The wording of errors on the command line: they speak of what was typed.

use chase_training::config::Config;
use clap::error::{ContextKind, ContextValue, ErrorKind};

/// Advice on a command line that is not understood.
pub fn advice(line: &[String], error: &clap::Error) -> Option<String> {
    let unknown = (error.kind() == ErrorKind::UnknownArgument)
        .then(|| error.get(ContextKind::InvalidArg).map(ToString::to_string))
        .flatten();
    let of_form = on_form(line, unknown.as_deref()).map(str::to_owned);
    let is = |command: &str| line.get(1).is_some_and(|word| word == command);
    match (of_form, unknown, error.get(ContextKind::ActualNumValues)) {
        (Some(advice), ..) => Some(advice),
        (None, Some(unknown), _) if is("train") => on_setting(line, &unknown),
        (None, _, Some(ContextValue::Number(3..))) if is("match") => {
            Some("for more than two players: chase tournament".to_owned())
        }
        _ => None,
    }
}

/// Advice on an option of `chase train` that is a setting.
fn on_setting(line: &[String], option: &str) -> Option<String> {
    let keys = Config::keys_named(&option.strip_prefix("--")?.replace('-', "_"));
    let place = line.iter().position(|word| word.starts_with(option))?;
    let value = match line[place].split_once('=') {
        Some((_, value)) => Some(value),
        None => line.get(place + 1).map(String::as_str),
    };
    let value = value.filter(|value| !value.starts_with("--")).unwrap_or("VALUE");
    let settings: Vec<String> = keys.iter().map(|key| format!("--set {key}={value}")).collect();
    (!settings.is_empty()).then(|| format!("there is a setting of that name: {}", settings.join(" or ")))
}

/// Advice on a value that was to be one argument.
fn on_form(line: &[String], unknown_argument: Option<&str>) -> Option<&'static str> {
    // The player to move, behind a position without quotation marks.
    let is_position = line.iter().any(|word| word.matches('/').count() > 2);
    if is_position && unknown_argument.is_some_and(|unknown| unknown.chars().count() == 1) {
        return Some("a position is one argument: put it in quotation marks");
    }
    let of_test = |word: &String| {
        let key = word.split_once('=').map(|(key, _)| key);
        key.is_some_and(|key| ["elo0", "elo1", "alpha", "beta", "model"].contains(&key))
    };
    let behind = line.iter().skip_while(|word| !word.starts_with("--sprt")).skip(1);
    (behind.filter(|word| of_test(word)).count() > 1 || sprt_with_value(line) && line.iter().any(of_test))
        .then_some("the parts of --sprt are separated by commas: --sprt elo0=0,elo1=10")
}

/// True for `--sprt=VALUE`.
fn sprt_with_value(line: &[String]) -> bool {
    line.iter().any(|word| word.starts_with("--sprt="))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<String> {
        line.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn a_test_in_several_words_is_advised_to_be_one() {
        for (line, advised) in [
            ("chase match a b --sprt elo0=0 elo1=10", true),
            ("chase match a b --sprt=elo0=0 elo1=10", true),
            ("chase match a b --sprt elo0=0,elo1=10", false),
            ("chase match alpha=random --sprt elo0=0,elo1=10", false),
        ] {
            assert_eq!(on_form(&words(line), None).is_some(), advised, "{line}");
        }
    }

    #[test]
    fn an_option_that_is_a_setting_is_advised_to_be_set() {
        for (line, option, advised) in [
            ("chase train --minutes 5", "--minutes", Some("--set limits.minutes=5")),
            (
                "chase train --policy-weight=2",
                "--policy-weight",
                Some("--set learner.policy_weight=2"),
            ),
            (
                "chase train --blocks --quiet",
                "--blocks",
                Some("--set network.blocks=VALUE"),
            ),
            ("chase train --hours 5", "--hours", None),
        ] {
            let advised = advised.map(|setting| format!("there is a setting of that name: {setting}"));
            assert_eq!(on_setting(&words(line), option), advised, "{line}");
        }
    }
}
