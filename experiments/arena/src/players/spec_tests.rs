use chase_engine::search::Strategy;
use chase_engine::{Chase, ConnectFour, Game};
use chase_models::device::Device;

use super::*;
use crate::players::{Contestant, Decision};

fn player(text: &str) -> PlayerSpec {
    text.parse().expect(text)
}

fn spec(text: &str) -> SearchSpec {
    player(text).search().expect(text).clone()
}

#[test]
fn texts_round_trip() {
    for text in [
        "random",
        "greedy",
        "greedy:blunders=0.25",
        "alpha-beta",
        "alpha-beta:depth=3",
        "alpha-beta:depth=64",
        "alpha-beta:nodes=5000",
        "alpha-beta:ms=100,table=64",
        "alpha-beta:depth=2,nodes=9,ms=1,table=1,without=quiescence,temperature=0.5,blunders=1",
        "heuristic:simulations=9,search=gumbel",
        "heuristic",
        "rollouts",
        "rollouts:simulations=200",
        "rollouts:simulations=1,games=3,c-puct=0.5,blunders=0.1",
        "uniform:ms=5",
        "net:runs/quick-1",
        "net:runs/quick-1,simulations=0",
        "net:a b/c,simulations=800,ms=1000,search=gumbel,policy-temperature=1.5,temperature=0.5,precision=bf16",
        "net:x,batch=16,c-puct=2,temperature=1,temperature-plies=0,precision=f32",
        "net:x,nodes=400,search=alpha-beta,without=null-move,precision=fused",
        "nnue:x,nodes=100,table=4,temperature=0.25",
        "nnue:x,ms=100,temperature=1,temperature-plies=0",
        "nnue:a b/c",
        "nnue:x,simulations=80,search=puct,policy-temperature=1",
        "nnue:x,without=null-move",
        "nnue:x,nodes=9,without=reductions+null-move+futility+aspiration+extensions+quiescence+results",
        "nnue:x/nnue.safetensors,depth=64,nodes=20000,ms=100,table=64",
        "ugi:command=engine",
        "ugi:nodes=100,depth=3,ms=50,timeout=0.5,command='my engine' --name a,b \"c d\"",
        "ugi:nodes=5,command=x command=y,command=z",
    ] {
        assert_eq!(
            text.parse().map(|player: PlayerSpec| player.to_string()),
            Ok(text.to_owned())
        );
    }
}

#[test]
fn an_evaluator_and_a_search_have_one_text() {
    for (text, shown) in [
        ("heuristic:search=alpha-beta,depth=3", "alpha-beta:depth=3"),
        ("alpha-beta:search=puct", "heuristic"),
        ("net:x,search=puct", "net:x"),
        ("nnue-57,search=alpha-beta", "nnue:nnue-57"),
        (
            "agent-71,search=alpha-beta,depth=2",
            "net:agent-71,depth=2,search=alpha-beta",
        ),
    ] {
        assert_eq!(player(text).to_string(), shown);
    }
}

/// Every pairing of an evaluator and a search plays, or one sentence says why it makes no sense.
#[test]
fn every_pairing_plays_or_is_refused_by_a_sentence() {
    let game = Chase::new(&Default::default());
    let mut refused = Vec::new();
    for kind in ["heuristic", "rollouts", "uniform", "agent-71", "nnue-57"] {
        for search in SearchKind::ALL {
            let form = search.form();
            let unit = if form.strategy.is_some() {
                "simulations"
            } else {
                "nodes"
            };
            let sign = if kind.contains('-') { ',' } else { ':' };
            let text = format!("{kind}{sign}search={},{unit}=8", form.name);
            match text.parse::<PlayerSpec>() {
                Ok(player) => {
                    let contestant: Contestant<Chase> = player.contestant(Device::Cpu).expect(&text);
                    let mut rng = chase_statistics::generator(1, &[]);
                    let decision = Decision::without_past(&game, &mut rng);
                    let choice = contestant.agent().choose_batch(&mut [decision]).expect(&text)[0];
                    assert!(game.is_legal(choice.action), "{text}");
                    assert_eq!(choice.expects.is_some(), kind.contains('-'), "{text}");
                }
                Err(error) => refused.push(error.to_string()),
            }
        }
    }
    let starts = [
        "player `rollouts:search=alpha-beta,nodes=8`: alpha-beta follows",
        "player `uniform:search=alpha-beta,",
    ];
    assert_eq!(refused.len(), 2);
    for (error, start) in refused.iter().zip(starts) {
        assert!(
            error.starts_with(start) && error.ends_with("; use search=puct"),
            "{error}"
        );
    }
}

#[test]
fn errors_name_what_is_wrong_and_what_is_expected() {
    for (text, message) in [
        (
            "rnadom",
            "unknown player `rnadom` (did you mean random?): expected random, greedy, ",
        ),
        ("random:", "`` in player `random:`: expected key=value"),
        (
            "greedy:depth=1",
            "unknown option `depth` in player `greedy:depth=1`: expected blunders",
        ),
        (
            "alpha-beta:depth=65",
            "`65` for option `depth` in player `alpha-beta:depth=65`: expected 1 to 64",
        ),
        (
            "alpha-beta:depth=1,depth=2",
            "option `depth` is given twice in player `alpha-beta:depth=1,depth=2`",
        ),
        (
            "ugi:nodes=5",
            "player `ugi:nodes=5` needs a program as its last option, as in ugi:nodes=200,command=",
        ),
        (
            "ugi:ms=5000,timeout=5,command=x",
            "`5` for option `timeout` in player `ugi:ms=5000,timeout=5,command=x`: expected more seconds",
        ),
        (
            "nnue:,nodes=5",
            "player `nnue:,nodes=5` needs the path of a network, as in nnue:",
        ),
        (
            "net:x,search=gumbel,batch=2",
            "player `net:x,search=gumbel,batch=2`: `batch` is an option of another search; ",
        ),
        (
            "net:x,search=gumbel,ms=5",
            "`gumbel` for option `search` in player `net:x,search=gumbel,ms=5`: expected simulations as well",
        ),
    ] {
        let error = text.parse::<PlayerSpec>().expect_err("not a player").to_string();
        assert!(error.starts_with(message), "{error}");
    }
}

#[test]
fn a_path_is_a_network() {
    for (text, same) in [
        ("agent-41", "net:agent-41"),
        ("agent-41,simulations=9", "net:agent-41,simulations=9"),
        ("runs/quick-1,ms=5", "net:runs/quick-1,ms=5"),
        ("./here", "net:./here"),
        ("nnue-57,ms=5", "nnue:nnue-57,ms=5"),
        // Tests run in the folder of their crate, which has `src`.
        ("src", "net:src"),
        ("src,simulations=5", "net:src,simulations=5"),
    ] {
        assert_eq!(text.parse(), same.parse::<PlayerSpec>(), "{text}");
    }
    assert!("quick-1".parse::<PlayerSpec>().is_err(), "it may be a word mistyped");
    assert!(is_bare_network("src") && PlayerSpec::with_name("src,simulations=9").is_none());
}

#[test]
fn what_is_in_a_folder_says_which_network_it_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = folder.path().join("run");
    let checkpoint = run.join("checkpoints/gen-000000");
    std::fs::create_dir_all(&checkpoint).expect("folders");
    std::fs::write(run.join("config.toml"), "kind = 'nnue'").expect("a file");
    std::fs::write(checkpoint.join("nnue.safetensors"), "").expect("a file");
    for path in [run, checkpoint] {
        let path = path.display();
        assert_eq!(
            player(&format!("{path},nodes=5")).to_string(),
            format!("nnue:{path},nodes=5")
        );
    }
}

#[test]
fn a_level_is_short_for_the_options_that_it_sets() {
    let level = player("net:agent-41,level=2");
    let long = "net:agent-41,simulations=0,policy-temperature=2.8,temperature=1,temperature-plies=100000";
    assert_eq!(level.to_string(), long);
    assert_eq!(player(long), level);
    assert_eq!(
        player("net:agent-41,level=10").to_string(),
        "net:agent-41,simulations=1600"
    );
    for wrong in [
        "level=0",
        "level=11",
        "level=3,simulations=5",
        "temperature=1,level=3",
        "level=3,ms=5",
    ] {
        assert!(
            format!("net:agent-41,{wrong}").parse::<PlayerSpec>().is_err(),
            "{wrong}"
        );
    }
}

#[test]
fn any_other_limit_lifts_the_default_of_simulations_or_nodes() {
    for (text, nodes) in [
        ("net:x", Some(200)),
        ("net:x,ms=5", None),
        ("net:x,ms=5,simulations=9", Some(9)),
        ("nnue:x", Some(20_000)),
        ("nnue:x,table=1", Some(20_000)),
        ("nnue:x,depth=5", None),
        ("nnue:x,ms=5,nodes=9", Some(9)),
        ("alpha-beta", Some(20_000)),
        ("rollouts:games=2", Some(200)),
    ] {
        assert_eq!(spec(text).limits().nodes, nodes, "{text}");
    }
}

#[test]
fn a_limit_of_time_alone_makes_choices_depend_on_the_machine() {
    assert!(player("nnue:x,nodes=5,depth=3").is_deterministic());
    assert!(!player("nnue:x,nodes=5,ms=3").is_deterministic());
}

#[test]
fn batches_of_matches_go_across_games() {
    let leaves = |text: &str| match spec(text).params().expect(text).strategy {
        Strategy::Puct(params) => params.leaves,
        Strategy::Gumbel(_) => panic!("{text} is PUCT"),
    };
    assert_eq!([leaves("net:x"), leaves("net:x,batch=3")], [1, 3]);
    assert_eq!(
        [player("net:x").pairs_at_once(), player("net:x,ms=5").pairs_at_once()],
        [16, 1]
    );
    assert!(player("net:x,ms=5").plays_one_pair() && !player("nnue:x,ms=5").plays_one_pair());
    assert_eq!(player("net:x,search=alpha-beta").pairs_at_once(), 1);
}

#[test]
fn what_cannot_play_is_named() {
    let error = player("net:no/such/run")
        .contestant::<Chase>(Device::Cpu)
        .expect_err("no such checkpoint");
    assert!(error.to_string().contains("no/such/run"), "{error}");
    let error = player("greedy")
        .contestant::<ConnectFour>(Device::Cpu)
        .expect_err("no heuristic");
    assert_eq!(
        error.to_string(),
        "player `greedy`: there is no heuristic for connect-four: expected random, rollouts or a network"
    );
}
