//! The learning rate over a run.

use crate::config::LearnerConfig;

/// The learning rate of a step: a linear warm-up, a plateau, and a geometric fall in the last part of the run.
///
/// `step` counts from 0; `progress` is the finished part of the run, from 0 to 1.
pub fn rate(config: &LearnerConfig, step: u64, progress: f64) -> f64 {
    let warmup = if step < config.warmup_steps {
        // Adam's first steps have moments of few gradients. Not measured.
        (step + 1) as f64 / config.warmup_steps as f64
    } else {
        1.0
    };
    let rest = 1.0 - config.drop_from;
    let fallen = if rest > 0.0 {
        ((progress - config.drop_from) / rest).clamp(0.0, 1.0)
    } else {
        0.0
    };
    // Without a fall four times the rate was worth 235 Elo [168, 323] (study 0009), with a fall at the end little
    // (study 0001).
    config.rate * warmup * config.drop_to.powf(fallen)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_rises_stays_and_falls() {
        let config = LearnerConfig {
            rate: 0.1,
            warmup_steps: 4,
            drop_from: 0.8,
            drop_to: 0.01,
            ..LearnerConfig::default()
        };
        let near = |step, progress, expected: f64| {
            let found = rate(&config, step, progress);
            assert!(
                (found - expected).abs() < 1e-12,
                "step {step}, progress {progress}: {found}"
            );
        };
        near(0, 0.0, 0.025);
        near(1, 0.0, 0.05);
        near(3, 0.0, 0.1);
        near(4, 0.5, 0.1);
        near(1000, 0.8, 0.1);
        near(1000, 0.9, 0.01);
        near(1000, 1.0, 0.001);
        near(1000, 1.7, 0.001);
        let flat = LearnerConfig {
            drop_from: 1.0,
            ..config
        };
        assert_eq!(rate(&flat, 1000, 1.0), 0.1);
    }
}
