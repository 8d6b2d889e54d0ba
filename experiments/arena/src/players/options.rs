//! Options of players as text: `key=value`, with commas between them.

/// Why a text does not describe an agent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AgentSpecError {
    /// There is no such kind of agent.
    #[error("unknown agent `{kind}`: expected {expected}")]
    Kind {
        /// What was written before the colon.
        kind: String,
        /// The kinds that there are.
        expected: &'static str,
    },
    /// An option is not of the form `key=value`.
    #[error("`{option}` in agent `{spec}`: expected key=value")]
    Form {
        /// The whole text.
        spec: String,
        /// The option.
        option: String,
    },
    /// This kind of agent has no such option.
    #[error("unknown option `{key}` in agent `{spec}`: expected {expected}")]
    Key {
        /// The whole text.
        spec: String,
        /// The option.
        key: String,
        /// The options that there are.
        expected: &'static str,
    },
    /// An option is given twice.
    #[error("option `{key}` is given twice in agent `{spec}`")]
    Repeated {
        /// The whole text.
        spec: String,
        /// The option.
        key: String,
    },
    /// An option has a value out of its range.
    #[error("`{value}` for option `{key}` in agent `{spec}`: expected {expected}")]
    Value {
        /// The whole text.
        spec: String,
        /// The option.
        key: String,
        /// What it was set to.
        value: String,
        /// What it can be set to.
        expected: &'static str,
    },
    /// Something is missing that has no default.
    #[error("agent `{spec}` needs {expected}")]
    Missing {
        /// The whole text.
        spec: String,
        /// What it needs.
        expected: &'static str,
    },
}

impl AgentSpecError {
    /// An option of a text has a value out of its range.
    pub(crate) fn value(spec: &str, key: &str, value: &str, expected: &'static str) -> Self {
        Self::Value {
            spec: spec.to_owned(),
            key: key.to_owned(),
            value: value.to_owned(),
            expected,
        }
    }
}

/// The options of a specification, `key=value` with commas between them, none twice.
pub(crate) fn key_values<'a>(spec: &str, options: &'a str) -> Result<Vec<(&'a str, &'a str)>, AgentSpecError> {
    let mut read: Vec<(&str, &str)> = Vec::new();
    for option in options.split(',') {
        let Some((key, value)) = option.split_once('=') else {
            return Err(AgentSpecError::Form {
                spec: spec.to_owned(),
                option: option.to_owned(),
            });
        };
        if read.iter().any(|&(other, _)| other == key) {
            return Err(AgentSpecError::Repeated {
                spec: spec.to_owned(),
                key: key.to_owned(),
            });
        }
        read.push((key, value));
    }
    Ok(read)
}

/// The integer that a text of digits alone stands for, if it is in a range.
pub(crate) fn integer(text: &str, range: std::ops::RangeInclusive<u64>) -> Option<u64> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|number| digits && range.contains(number))
}
