//! A run directory as training writes one, made of games of random moves with invented figures.

use std::fs;
use std::path::Path;

use chase_engine::{Game, Outcome, Player};
use chase_statistics::generator;
use rand::RngExt;
use serde_json::{Value, json};

/// A run to be made up.
pub struct Fixture {
    pub generations: u64,
    pub games: u64,
}

impl Fixture {
    /// Writes every file that training writes.
    pub fn write<G: Game>(&self, directory: &Path, rules: &G::Rules) {
        fs::create_dir_all(directory.join("openings")).unwrap();
        let meta = json!({
            "run_version": 1, "program_version": "0.1.0", "git_hash": "0123456789abcdef0123", "git_dirty": true,
            "game": G::NAME, "rules_version": 1, "seed": 7, "argv": ["chase", "train"], "host_cores": 2, "processor": "any",
            "started": 1_795_259_880, "a field of the future": [1, 2],
            "branched_from": {"run": "runs/trunk", "generation": 4, "checkpoint": "0123"}
        });
        fs::write(directory.join("meta.json"), meta.to_string()).unwrap();
        let config = "game = \"chase\"\n[network]\nblocks = 4\nchannels = 32\n[search]\nalgorithm = \"gumbel\"\n\
                      simulations = 64\n[measurement]\nsimulations = 64\ntemperature_plies = 8\n[evaluation]\nsimulations = 64\n";
        fs::write(directory.join("config.toml"), config).unwrap();
        let state = json!({
            "generation": self.generations, "reported": self.generations, "games": self.games * self.generations,
            "rows": 123_456, "samples": 700_000, "milliseconds": 372_000, "last_milliseconds": 9000, "shards": [],
            "omitted": {"measurement": false, "evaluation": false}, "failed_evaluations": [], "warm_up_from": 0, "unfinished": 0
        });
        fs::write(directory.join("state.json"), state.to_string()).unwrap();
        let mut metrics = String::new();
        for generation in 0..=self.generations {
            self.metrics(generation, &mut metrics);
            if generation > 0 {
                self.openings::<G>(directory, rules, generation, "selfplay");
            }
            if generation > 0 && generation.is_multiple_of(5) {
                self.openings::<G>(directory, rules, generation, "measurement");
            }
        }
        fs::write(directory.join("metrics.jsonl"), metrics).unwrap();
    }

    fn metrics(&self, generation: u64, metrics: &mut String) {
        let mut record = |value: Value| *metrics += &format!("{value}\n");
        let over = generation as f64 / self.generations as f64;
        if generation > 0 {
            for step in 0..5 {
                let step = (generation - 1) * 100 + (step + 1) * 20;
                let wave = 0.05 * (step as f64).sin();
                let decay = (1.0 + step as f64 / 60.0).powf(-0.4);
                record(json!({
                    "part": "learner", "generation": generation, "step": step, "time": 1.795e9,
                    "loss/total": 3.1 + 2.4 * decay + wave, "loss/policy": 1.9 + 1.9 * decay + wave,
                    "loss/value": 0.62 + 0.47 * decay + wave / 4.0, "policy/target_entropy": 1.7 + 0.9 * decay
                }));
            }
            record(json!({
                "part": "selfplay", "generation": generation, "step": generation, "time": 1.795e9,
                "selfplay/games_per_s": 31.0 + (generation as f64).sin(), "selfplay/positions_per_s": null,
                "inference/evals_per_s": 15_000.0 - 40.0 * generation as f64
            }));
        }
        if generation.is_multiple_of(5) {
            let elo = 1000.0 * (1.0 - (-4.0 * over).exp());
            let score = |below: f64| 1.0 / (1.0 + 10_f64.powf((below - elo) / 400.0));
            let mut evaluation = json!({
                "part": "evaluation", "generation": generation, "step": generation, "time": 1.795e9,
                "eval/elo": elo, "eval/elo_low": elo - 60.0, "eval/elo_high": elo + 75.0,
                "eval/swap_difference": 1.2e-7, "eval/initial_score": 0.523
            });
            if generation == self.generations {
                (evaluation["eval/elo"], evaluation["eval/elo_high"]) = (Value::Null, Value::Null);
            }
            for (name, below) in [("random", 0.0), ("greedy", 420.0), ("alpha-beta:depth=3", 1100.0)] {
                evaluation[format!("eval/score/{name}")] = json!(score(below));
                evaluation[format!("eval/games/{name}")] = json!(198);
                evaluation[format!("eval/truncated/{name}")] = json!(2);
            }
            record(evaluation);
        }
    }

    /// Games of random moves, some of which are preferred so that the table has something to show.
    fn openings<G: Game>(&self, directory: &Path, rules: &G::Rules, generation: u64, purpose: &str) {
        let mut rng = generator(generation, &[purpose.len() as u64]);
        let (mut lines, mut total) = (Vec::new(), [0_u64; 5]);
        let mut reasons = serde_json::Map::new();
        let mut plies = 0;
        let start = G::new(rules);
        let mut first = Vec::new();
        start.legal_actions(&mut first);
        // Some first moves are played often, and some never.
        let weight = |index: usize| 0.8_f64.powi((index as i32 * 17) % first.len() as i32);
        let games_of = |index: usize| (self.games as f64 * 0.28 * weight(index)) as u64;
        let all: u64 = (0..first.len()).map(games_of).sum();
        for (index, &action) in first.iter().enumerate() {
            let games = games_of(index);
            let mut tally = [0_u64; 5];
            let mut replies: Vec<(String, [u64; 5], u64)> = Vec::new();
            let mut line_plies = 0;
            for _ in 0..games {
                let mut game = start.clone();
                game.apply(action);
                let mut legal = Vec::new();
                let mut reply = None;
                while game.outcome().is_none() {
                    game.legal_actions(&mut legal);
                    let choices = if reply.is_none() {
                        legal.len().min(5)
                    } else {
                        legal.len()
                    };
                    let action = legal[rng.random_range(0..choices)];
                    reply.get_or_insert_with(|| game.action_text(action));
                    game.apply(action);
                }
                let outcome = game.outcome().unwrap();
                let column = match outcome {
                    Outcome::Win(Player::White) => 1,
                    Outcome::Win(Player::Black) => 2,
                    Outcome::Draw => 3,
                    Outcome::Truncated => 4,
                };
                let reason = game.end_reason().unwrap_or("?").to_owned();
                let count = reasons.entry(reason).or_insert(json!(0));
                *count = json!(count.as_u64().unwrap() + 1);
                let reply = reply.unwrap();
                let known = replies.iter().position(|(text, ..)| *text == reply);
                let known = known.unwrap_or_else(|| {
                    replies.push((reply, [0; 5], 0));
                    replies.len() - 1
                });
                for tally in [&mut tally, &mut total, &mut replies[known].1] {
                    tally[0] += 1;
                    tally[column] += 1;
                }
                replies[known].2 += u64::from(game.plies());
                line_plies += u64::from(game.plies());
            }
            plies += line_plies;
            let value = 0.5 + 0.09 * ((index * 7) as f64).sin();
            let share = games as f64 / all as f64;
            lines.push(line(
                vec![start.action_text(action)],
                tally,
                share,
                line_plies,
                (games > 0).then_some(value),
            ));
            for (reply, counts, plies) in replies {
                let share = counts[0] as f64 / games as f64;
                let value = Some(value - 0.04 + 0.08 * share);
                lines.push(line(
                    vec![start.action_text(action), reply],
                    counts,
                    share,
                    plies,
                    value,
                ));
            }
        }
        let openings = json!({
            "game": G::NAME, "generation": generation, "purpose": purpose, "model": format!("gen-{generation:06}"),
            "total": tally_json(total), "random_openings": tally_json([0; 5]), "mean_plies": plies as f64 / total[0].max(1) as f64, "end_reasons": reasons,
            "lines": lines
        });
        let path = directory.join(format!("openings/gen-{generation:06}-{purpose}.json"));
        fs::write(path, serde_json::to_string_pretty(&openings).unwrap()).unwrap();
    }
}

fn tally_json([games, white, black, draws, truncated]: [u64; 5]) -> Value {
    json!({"games": games, "white": white, "black": black, "draws": draws, "truncated": truncated})
}

fn line(actions: Vec<String>, tally: [u64; 5], share: f64, plies: u64, value: Option<f64>) -> Value {
    let mean = (tally[0] > 0).then(|| plies as f64 / tally[0] as f64);
    json!({
        "actions": actions, "tally": tally_json(tally), "share": share, "mean_plies": mean, "prior": 0.6 * share + 0.01,
        "visits": 0.8 * share + 0.005, "value": value
    })
}
