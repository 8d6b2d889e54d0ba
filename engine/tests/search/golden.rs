//! Whole trees, compared with what they were.

use std::fmt::Write;

use chase_engine::search::{DirichletNoise, NodeView, PuctParams, Search, SearchParams, Strategy};
use chase_engine::{Chase, ConnectFour, Game};
use expect_test::expect_file;

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

#[test]
fn trees_are_what_they_were() {
    let noisy = SearchParams {
        strategy: Strategy::Puct(PuctParams {
            noise: Some(DirichletNoise {
                total_concentration: 10.83,
                fraction: 0.25,
            }),
            root_policy_temperature: 1.25,
            ..PuctParams::default()
        }),
        ..puct(120)
    };
    // White wins in three plies.
    let won: ConnectFour = after(&(), "4 4 3 3 7 7");
    let start = Chase::new(&chase_engine::chase::Rules::default());
    expect_file!["golden/connect-four-puct.txt"].assert_eq(&tree(&won, &puct(300)));
    expect_file!["golden/connect-four-gumbel.txt"].assert_eq(&tree(&won, &gumbel(300, 1.0)));
    expect_file!["golden/chase-puct-noise.txt"].assert_eq(&tree(&start, &noisy));
    expect_file!["golden/chase-gumbel.txt"].assert_eq(&tree(&start, &gumbel(120, 1.0)));
}
