//! A line of `metrics.jsonl`: the figures of one part of a run at one step.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The part of a run that a record describes, and so the meaning of its steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RunPart {
    /// Self-play; a step is a generation.
    Selfplay,
    /// The learner; a step is one of the optimizer.
    Learner,
    /// Matches against baselines; a step is a generation.
    Evaluation,
}

impl RunPart {
    /// Every part.
    pub const ALL: [Self; 3] = [Self::Selfplay, Self::Learner, Self::Evaluation];

    /// The name in files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Selfplay => "selfplay",
            Self::Learner => "learner",
            Self::Evaluation => "evaluation",
        }
    }
}

impl fmt::Display for RunPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Figures of one part of a run at one step.
///
/// As JSON it is one object: `part`, `generation`, `step` and `time`, and the figures by name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MetricRecord {
    /// The part.
    pub part: RunPart,
    /// The generation during which it was measured.
    pub generation: u64,
    /// The step on the part's own axis.
    pub step: u64,
    /// Seconds since 1970.
    pub time: f64,
    /// Name (`loss/total`) and figure; one that is not finite stands for "no figure", and is null in JSON.
    #[serde(flatten, with = "values")]
    pub values: Vec<(String, f64)>,
}

impl MetricRecord {
    /// The figure of this name; `None` if it was not measured.
    pub fn figure(&self, name: &str) -> Option<f64> {
        self.figures().find(|&(known, _)| known == name).map(|(_, value)| value)
    }

    /// All figures by name.
    pub fn figures(&self) -> impl Iterator<Item = (&str, f64)> {
        let values = self.values.iter().filter(|(_, value)| value.is_finite());
        values.map(|(name, value)| (name.as_str(), *value))
    }
}

/// Figures as fields of their record. Values that are not numbers are left out.
mod values {
    use serde::{Deserialize, Deserializer, Serializer};
    use serde_json::{Map, Value};

    pub fn serialize<S: Serializer>(values: &[(String, f64)], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(values.iter().map(|(name, value)| (name, value)))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<(String, f64)>, D::Error> {
        let fields = Map::<String, Value>::deserialize(deserializer)?.into_iter();
        Ok(fields
            .filter_map(|(name, value)| Some((name, value.as_f64()?)))
            .collect())
    }
}
