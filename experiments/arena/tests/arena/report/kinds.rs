//! Pages of runs of both kinds of networks, and of runs that learned from the games of others.

use std::fs;

use chase_engine::Chase;
use chase_statistics::wilson;
use serde_json::{Value, json};

use super::{SMALL, read, report, short};

/// A run of an efficiently updatable network: its searches count no visits, and it plays no games against baselines.
#[test]
fn a_run_of_an_efficiently_updatable_network_gets_a_page_too() {
    let directory = tempfile::tempdir().unwrap();
    let run = directory.path();
    SMALL.write::<Chase>(run, &short());
    let config = "kind = 'nnue'\n[network]\nwidth = 128\n[selfplay]\nnodes = 600\nheuristic_generations = 4\n";
    fs::write(run.join("config.toml"), config).unwrap();
    let metrics = (1..=SMALL.generations).flat_map(|generation| {
        [
            json!({"part": "learner", "generation": generation, "step": 10 * generation, "time": 0.0, "loss/value": 0.5}),
            json!({"part": "selfplay", "generation": generation, "step": generation, "time": 0.0, "selfplay/nodes_per_s": 1e6,
                "eval/validation_loss": 0.51, "eval/quantised_loss": 0.52}),
        ]
    });
    let metrics: String = metrics.map(|record| format!("{record}\n")).collect();
    fs::write(run.join("metrics.jsonl"), metrics).unwrap();
    for name in fs::read_dir(run.join("openings"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
    {
        if name.to_string_lossy().ends_with("-measurement.json") {
            fs::remove_file(name).unwrap();
            continue;
        }
        let mut openings = read(&name);
        if openings["generation"].as_u64().unwrap() <= 4 {
            openings["model"] = json!("heuristic");
        }
        for line in openings["lines"].as_array_mut().unwrap() {
            (line["visits"], line["prior"]) = (Value::Null, Value::Null);
        }
        fs::write(name, openings.to_string()).unwrap();
    }
    let page = report(run);
    for wanted in [
        "An efficiently updatable network of width 128 learned Chase from 4 generations of games by a hand-written heuristic and its own: \
         10 generations, 1000 games",
        "searching 600 nodes per ply (alpha-beta)",
        "This run plays no games against baselines (evaluation.every is 0).",
        "<h3>Share of games by first move, by generation</h3>",
        "<h3>Loss on games that are not learned from</h3>",
        "<h3>Self-play: nodes</h3>",
        "each search draws its own number of nodes",
        "Within a generation they often begin with the same move",
    ] {
        assert!(page.contains(wanted), "{wanted}");
    }
    for unwanted in [
        "not evaluated yet",
        "Loss: total and policy",
        "win, draw and loss",
        "exploration noise",
    ] {
        assert!(!page.contains(unwanted), "{unwanted}");
    }
    let data = read(&run.join("report.json"));
    assert_eq!(
        (&data["run"]["kind"], &data["first_moves"]["share_of"]),
        (&json!("nnue"), &json!("games"))
    );
    assert_eq!(
        data["held_out"][9],
        json!({"generation": 10, "loss": 0.51, "quantised": 0.52})
    );
    // What the heuristic chose says nothing of the network.
    for curve in data["first_moves"]["moves"].as_array().unwrap() {
        let shares = curve["shares"].as_array().unwrap();
        assert_eq!((shares[0]["generation"].as_u64(), shares.len()), (Some(5), 6));
        let last = &shares[5];
        let counted = read(&run.join("openings/gen-000010-selfplay.json"));
        let (games, all) = (
            last["games"].as_f64().unwrap(),
            counted["total"]["games"].as_f64().unwrap(),
        );
        assert!((last["share"].as_f64().unwrap() - games / all).abs() < 1e-12);
        let (low, high) = wilson(games / all, all);
        let ends = ["low", "high"].map(|end| last["interval"][end].as_f64().unwrap());
        assert!((ends[0] - low).abs() < 1e-12 && (ends[1] - high).abs() < 1e-12);
    }
    // One that learns from other directories alone.
    let config = "kind = 'nnue'\ndata = ['a', 'b']\n[network]\nwidth = 128\n[selfplay]\ngames = 0\nnodes = 600\n\
                  heuristic_generations = 4\n";
    fs::write(run.join("config.toml"), config).unwrap();
    fs::remove_dir_all(run.join("openings")).unwrap();
    let mut state = read(&run.join("state.json"));
    state["games"] = json!(0);
    fs::write(run.join("state.json"), state.to_string()).unwrap();
    let page = report(run);
    for wanted in [
        "learned Chase from the games of 2 other directories: 10 generations, 0 games",
        "This run plays no games: it learns from those of its setting data.",
        "<p class=\"soft\">This run plays no games.</p>",
    ] {
        assert!(page.contains(wanted), "{wanted}");
    }
    for unwanted in ["heuristic", "nodes per ply", "repeat the same lines"] {
        assert!(!page.contains(unwanted), "{unwanted}");
    }
}

#[test]
fn a_page_says_whose_games_were_learned_from() {
    let directory = tempfile::tempdir().unwrap();
    let run = directory.path();
    SMALL.write::<Chase>(run, &short());
    let (config, state) = ("config.toml", "state.json");
    let first = fs::read_to_string(run.join(config)).unwrap();
    let whole = read(&run.join(state));
    let lead = |settings: &str, change: &[(&str, u64)]| {
        fs::write(run.join(config), format!("{first}{settings}")).unwrap();
        let mut state_now = whole.clone();
        change
            .iter()
            .for_each(|&(field, value)| state_now[field] = json!(value));
        fs::write(run.join(state), state_now.to_string()).unwrap();
        report(run)
    };
    let heuristic = |count: u64| format!("[selfplay]\nheuristic_generations = {count}\n");
    assert!(lead("", &[]).contains("taught itself Chase from random play: 10"));
    assert!(
        lead(&heuristic(1), &[]).contains("from a generation of games by a hand-written heuristic and its own: 10")
    );
    // It has not come to its own yet.
    assert!(lead(&heuristic(12), &[]).contains("from 10 generations of games by a hand-written heuristic: 10"));
    // Another network's weights play from the first generation on.
    let begun = first.replace("[network]\n", "[network]\nstart = 'nnue-57'\n") + &heuristic(12);
    fs::write(run.join(config), begun).unwrap();
    assert!(report(run).contains("taught itself Chase from the play of another network: 10"));
    // The run was begun with the games of another after its generation 4, which it learned in five generations.
    let refit = "[refit]\ngenerations = 5\n";
    assert!(lead(refit, &[("refit_from", 4)]).contains("learned Chase from the games of runs/trunk and its own: 10"));
    assert!(lead(refit, &[("refit_from", 4), ("generation", 8)]).contains("from the games of runs/trunk: 8"));
}
