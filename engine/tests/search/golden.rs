//! Whole trees, compared with what they were. `UPDATE_GOLDEN=1 cargo test` writes them anew, to be looked at in the
//! difference before they are committed.

use std::fmt::Write;

use chase_engine::search::{DirichletNoise, NodeView, PuctParams, Search, SearchParams, Strategy};
use chase_engine::{Chase, ConnectFour, Game};

use crate::evaluators::HashEvaluator;
use crate::{after, gumbel, puct, rng};

/// One line for each visited action, indented by depth.
fn write_node<G: Game>(text: &mut String, depth: usize, game: &G, node: NodeView<'_, G>) {
    for edge in node.edges().filter(|edge| edge.visits > 0) {
        let (Some(q), Some(child)) = (edge.q, edge.child) else {
            continue;
        };
        let name = game.action_text(edge.action);
        let proven = edge.proven.map_or("", chase_engine::Outcome::name);
        let line = format!(
            "{:indent$}{name} N {} P {:.3} Q {:+.3} {proven}",
            "",
            edge.visits,
            edge.prior,
            q.0,
            indent = 2 * depth
        );
        writeln!(text, "{}", line.trim_end()).unwrap();
        let mut next = game.clone();
        next.apply(edge.action);
        write_node(text, depth + 1, &next, child);
    }
}

fn tree<G: Game>(game: &G, params: &SearchParams) -> String {
    let mut search = Search::new();
    search.start(game, params, &mut rng(1)).unwrap();
    search.run(&mut HashEvaluator::default()).unwrap();
    let result = search.result();
    let line = result.principal_variation();
    let mut text = format!(
        "{}\nvalue {:+.3}\nvariation",
        game.position_text(),
        result.value().unwrap().0
    );
    let mut next = game.clone();
    for action in line {
        write!(text, " {}", next.action_text(action)).unwrap();
        next.apply(action);
    }
    text.push('\n');
    write_node(&mut text, 0, game, search.root().unwrap());
    text
}

fn compare(name: &str, found: &str, committed: &str) {
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        let path = format!("{}/tests/search/golden/{name}.txt", env!("CARGO_MANIFEST_DIR"));
        std::fs::write(path, found).unwrap();
        return;
    }
    for (number, (found, committed)) in found.lines().zip(committed.lines()).enumerate() {
        assert_eq!(found, committed, "line {} of {name}", number + 1);
    }
    assert_eq!(found.lines().count(), committed.lines().count(), "length of {name}");
}

#[test]
fn trees_are_what_they_were() {
    let noisy = SearchParams {
        strategy: Strategy::Puct(PuctParams {
            noise: Some(DirichletNoise::default()),
            root_policy_temperature: 1.25,
            ..PuctParams::default()
        }),
        ..puct(120)
    };
    // White wins in three plies.
    let won: ConnectFour = after(&(), "4 4 3 3 7 7");
    let start = Chase::new(&chase_engine::chase::Rules::default());
    let trees = [
        (
            "connect-four-puct",
            tree(&won, &puct(300)),
            include_str!("golden/connect-four-puct.txt"),
        ),
        (
            "connect-four-gumbel",
            tree(&won, &gumbel(300, 1.0)),
            include_str!("golden/connect-four-gumbel.txt"),
        ),
        (
            "chase-puct-noise",
            tree(&start, &noisy),
            include_str!("golden/chase-puct-noise.txt"),
        ),
        (
            "chase-gumbel",
            tree(&start, &gumbel(120, 1.0)),
            include_str!("golden/chase-gumbel.txt"),
        ),
    ];
    for (name, found, committed) in trees {
        compare(name, &found, committed);
    }
}
