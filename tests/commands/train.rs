//! `chase train` and what its directories are taken for, as people and shells meet them.

use std::fs;

use chase_fixtures::TINY_NNUE_RUN;

use super::program::{chase, home, refused, run, succeeded, text};

/// One generation of three short games.
pub const TINY: &str = r#"
    network = { blocks = 1, channels = 4, pooling = 0, policy_channels = 4, value_channels = 4, value_hidden = 4 }
    search = { simulations = 2, fast_simulations = 1 }
    selfplay = { games = 3, group_games = 3, in_flight = 3 }
    rules = { max_turns = 6 }
    measurement = { every = 0 }
    evaluation = { every = 0 }
    learner = { batch = 8 }
    limits = { generations = 1 }
"#;

/// Settings of an evaluation of two games in every generation.
const EVALUATED: &str = "--set evaluation.every=1 --set evaluation.games=2 --set evaluation.opponents=['random']";

#[test]
fn a_branch_has_the_whole_name_of_its_trunk() {
    let home = home("train-branch");
    fs::write(home.join("tiny.toml"), TINY).unwrap();
    let trained = run(&home, &["train", "-q", "--config", "tiny.toml", "--run-dir", "r2.5"]);
    assert!(trained.status.success(), "{}", String::from_utf8_lossy(&trained.stderr));
    let branched = run(&home, &["train", "-q", "--branch", "r2.5"]);
    assert!(
        branched.status.success(),
        "{}",
        String::from_utf8_lossy(&branched.stderr)
    );
    assert!(home.join("runs/r2.5-branch/meta.json").is_file());
    // What a resumed run is rated against is looked at as well.
    let wrong = [
        "--set",
        "evaluation.every=1",
        "--set",
        "evaluation.opponents=['greedi']",
    ];
    for begin in ["--resume", "--branch"] {
        refused(
            &home,
            &[&["train", begin, "r2.5"][..], &wrong].concat(),
            "error: command line: evaluation.opponents: unknown player `greedi` (did you mean greedy?)",
        );
    }
}

/// Its folder is a player, whose options follow after a comma.
#[test]
fn a_run_has_a_name_that_every_command_can_use() {
    let home = home("train-names");
    fs::write(home.join("a,b.toml"), TINY).unwrap();
    let reason = "expected a path without a comma: after it come the options of a player";
    refused(&home, &["train", "a,b.toml", "--run-dir", "runs/a,b"], reason);
    let trained = run(&home, &["train", "-q", "a,b.toml"]);
    assert!(
        trained.status.success() && home.join("runs/a-b-1/meta.json").is_file(),
        "{}",
        text(&trained.stderr)
    );
    let [named, plain] = ["runs/rate=0.01", "runs/a-b-1"];
    fs::rename(home.join(plain), home.join(named)).unwrap();
    let played = run(
        &home,
        &[
            "match",
            named,
            "random",
            "--pairs",
            "1",
            "--set",
            "rules.max_turns=4",
            "-q",
        ],
    );
    let told = text(&played.stdout);
    let name = "net:runs/rate=0.01/checkpoints/gen-000001 – random: ";
    assert!(
        played.status.success() && told.starts_with(name),
        "{told} {}",
        text(&played.stderr)
    );
}

#[test]
fn a_finished_run_that_is_resumed_says_how_it_continues() {
    let home = home("train-finished");
    fs::write(home.join("tiny.toml"), TINY).unwrap();
    let trained = run(&home, &["train", "-q", "tiny.toml", "--run-dir", "r"]);
    assert!(trained.status.success(), "{}", text(&trained.stderr));
    assert!(!text(&trained.stdout).contains("to continue"));
    let again = run(&home, &["train", "-q", "--resume", "r"]);
    let told = text(&again.stdout);
    let advice = "to continue: chase train --resume r --set limits.generations=N with a greater N\n";
    assert!(again.status.success() && told.contains(advice), "{told}");
    // Another network in the configuration is told by its keys.
    let config = fs::read_to_string(home.join("r/config.toml")).unwrap();
    let changed = config.replace("blocks = 1\n", "blocks = 2\n");
    assert_ne!(config, changed);
    fs::write(home.join("r/config.toml"), changed).unwrap();
    let reason = "error: the run cannot continue with network.blocks = 2 (was 1); learn its games with a new network: chase \
                  train --refit DIR --set KEY=VALUE\n";
    refused(&home, &["train", "-q", "--resume", "r"], reason);
    let checkpoint = "r/checkpoints/gen-000001";
    let reason = format!("error: {checkpoint} is a checkpoint of the run r, expected a training run\n");
    refused(&home, &["train", "--resume", checkpoint], &reason);
}

#[test]
fn a_run_without_a_configuration_is_told_to_have_the_defaults() {
    let home = home("train-defaults");
    // An option to end the run before it begins: its directory is there already.
    fs::create_dir(home.join("r")).unwrap();
    fs::write(home.join("r/file"), "").unwrap();
    let note = "no configuration: training starts with the defaults of chase, 100 generations (see --dry-run)\n";
    refused(&home, &["train", "--run-dir", "r"], note);
    let resolved = run(
        &home,
        &["train", "--dry-run", "--json", "--set", "limits.generations=7"],
    );
    let resolved: serde_json::Value = serde_json::from_slice(&resolved.stdout).unwrap();
    assert_eq!(
        (&resolved["game"], &resolved["limits"]["generations"]),
        (&"chase".into(), &7.into())
    );
    let twice = ["train", "--game", "queens", "--set", "game=stax"];
    refused(
        &home,
        &twice,
        "error: --game queens and --set game=stax are the same setting: expected one of them\n",
    );
}

#[test]
fn the_last_evaluation_is_printed_once_as_part_of_the_result() {
    let home = home("train-evaluated");
    fs::write(home.join("tiny.toml"), TINY).unwrap();
    let evaluated = format!("train tiny.toml --run-dir r {EVALUATED} --set evaluation.simulations=1");
    let trained = run(&home, &evaluated.split(' ').collect::<Vec<_>>());
    let [printed, noted] = [&trained.stdout, &trained.stderr].map(|bytes| text(bytes));
    assert!(trained.status.success(), "{noted}");
    for (generation, times) in [("gen-000000: no rating", [0, 1]), ("gen-000001: no rating", [1, 0])] {
        let found = [&printed, &noted].map(|told| told.matches(generation).count());
        assert_eq!(found, times, "{generation}\n{printed}\n{noted}");
    }
}

#[test]
fn what_an_efficiently_updatable_network_cannot_do_is_said() {
    let home = home("train-nnue");
    fs::write(home.join("nnue.toml"), TINY_NNUE_RUN).unwrap();
    let on_device = "error: --device cpu: networks of the kind nnue learn and play on the CPU alone\n";
    refused(&home, &["train", "nnue.toml", "--device", "cpu"], on_device);
    let no_inputs = "error: --game is stax, expected one with sparse inputs: chase, chess, chess-cyl\n";
    refused(&home, &["train", "nnue.toml", "--game", "stax"], no_inputs);
}

#[test]
fn an_efficiently_updatable_network_is_rated_branched_and_refitted() {
    let home = home("train-nnue-options");
    fs::write(home.join("nnue.toml"), TINY_NNUE_RUN).unwrap();
    let done = |args: &str| succeeded(&home, args);
    let trained = done(&format!(
        "train nnue.toml --run-dir r {EVALUATED} --set evaluation.nodes=20"
    ));
    assert!(trained.contains("at 20 nodes per move"), "{trained}");
    let report = fs::read_to_string(home.join("r/evaluations/gen-000001.json")).unwrap();
    assert!(
        report.contains("\"nodes\": 20") && !report.contains("simulations"),
        "{report}"
    );
    let branch = done("train --branch r --set limits.generations=2 -q");
    assert!(branch.contains("after 2 generations") && home.join("runs/r-branch/checkpoints/gen-000002").exists());
    done("train --refit r --set network.width=64 --set refit.generations=1 -q");
    let refit = home.join("runs/r-refit/checkpoints/gen-000002/nnue.safetensors");
    let [before, after] = [home.join("r/checkpoints/gen-000001/nnue.safetensors"), refit].map(fs::metadata);
    assert!(after.unwrap().len() < before.unwrap().len(), "the default width is 128");
}

/// Of another game than Chase: trained, rated, exported, and a player like any other.
#[test]
fn an_efficiently_updatable_network_of_chess_plays() {
    let home = home("train-nnue-chess");
    fs::write(home.join("nnue.toml"), TINY_NNUE_RUN).unwrap();
    let done = |args: &str| succeeded(&home, args);
    done(&format!(
        "train nnue.toml --game chess --set rules.max_turns=20 --run-dir runs/r {EVALUATED} --set evaluation.nodes=20 -q"
    ));
    assert!(home.join("runs/r/report.html").exists() && home.join("runs/r/evaluations/gen-000001.json").exists());
    assert!(done("export runs/r").contains("[Game \"chess\"]"));
    let played = done("match runs/r,nodes=20 random --game chess --pairs 1 --json -q --run-dir match");
    assert!(played.contains("\"end_reasons\""), "{played}");
    let found = done("analyse runs/r --nodes 100 --json");
    assert!(found.contains("PPPPPPPP"), "{found}");
    let found = done("analyse runs/r/checkpoints/gen-000001 --nodes 100 --json");
    assert!(found.contains("PPPPPPPP"), "{found}");
    for (args, reason) in [
        (
            &["match", "runs/r", "random", "--game", "chase", "--pairs", "1"][..],
            "is a network for chess, expected a network for chase\n",
        ),
        (
            &["analyse", "nnue-57", "--game", "stax"],
            "there are no such networks for stax, which offers no sparse inputs\n",
        ),
    ] {
        refused(&home, args, reason);
    }
}

#[test]
fn a_directory_of_another_kind_is_named_as_what_it_is() {
    let home = home("kinds");
    let played = run(
        &home,
        &["match", "greedy", "random", "--pairs", "1", "-q", "--run-dir", "match"],
    );
    assert!(played.status.success(), "{}", String::from_utf8_lossy(&played.stderr));
    // As little of the others as there is at their beginning.
    for (directory, folder) in [("run", "checkpoints"), ("study", "search")] {
        fs::create_dir_all(home.join(directory).join(folder)).unwrap();
        fs::copy(home.join("match/meta.json"), home.join(directory).join("meta.json")).unwrap();
    }
    for (args, reason) in [
        (
            &["train", "--resume", "match"][..],
            "error: match is a match or a tournament, expected a training run\n",
        ),
        (
            &["train", "--branch", "study"],
            "study is a study, expected a training run\n",
        ),
        (
            &["export", "match"],
            "error: match is a match or a tournament: its games are in match/records.txt already\n",
        ),
        (
            &["tournament", "--resume", "run"],
            "run is a training run, expected a match or a tournament\n",
        ),
        (
            &["match", "--resume", "study"],
            "study is a study, expected a match or a tournament\n",
        ),
        (
            &["study", "--resume", "match"],
            "match is a match or a tournament, expected a study\n",
        ),
        (
            &["study", "--resume", "run"],
            "run is a training run, expected a study\n",
        ),
    ] {
        refused(&home, args, reason);
    }
}

#[cfg(unix)]
#[test]
fn a_directory_whose_name_is_no_text_is_refused_before_anything_is_written() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let home = home("not-text");
    fs::write(home.join("players.toml"), "players = ['greedy', 'random']\npairs = 1\n").unwrap();
    let name = OsStr::from_bytes(b"nu\xff\xfe");
    for (args, option) in [
        (&["train"][..], "--run-dir"),
        (&["train"], "--resume"),
        (&["train"], "--branch"),
        (&["match", "greedy", "random", "--pairs", "1"], "--run-dir"),
        (&["match"], "--resume"),
        (&["tournament", "players.toml"], "--run-dir"),
        (&["tournament"], "--resume"),
        (&["study"], "--run-dir"),
        (&["study"], "--resume"),
    ] {
        let output = chase(&home, args).arg(option).arg(name).output().unwrap();
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?} {option}: {told}");
        let reason = format!("for '{option} <DIR>': expected a path in UTF-8");
        assert!(told.contains(&reason), "{args:?} {option}: {told}");
    }
    assert_eq!(fs::read_dir(&home).unwrap().count(), 1);
}
