//! Joint ratings against closed forms, against their own likelihood, and against simulated tournaments of known truth.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use chase_engine::{Outcome, Player};
use chase_statistics::generator;
use chase_statistics::{
    Bootstrap, BradleyTerry, CrossTable, EloModel, PairCounts, PairedResults, RatingError, RatingEstimate,
    ScoreEstimate, Sprt, SprtDecision, Standing, WinDrawLoss,
};
use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus;

const fn games(wins: u32, draws: u32, losses: u32) -> WinDrawLoss {
    WinDrawLoss {
        wins,
        draws,
        losses,
        truncated: 0,
    }
}

/// A table in which each two players had the same results with either colour, from the first one's side.
fn table(results: &[(&str, &str, [u32; 3])]) -> CrossTable {
    let mut table = CrossTable::default();
    for &(first, second, [wins, draws, losses]) in results {
        table.add(first, second, games(wins, draws, losses));
        table.add(second, first, games(losses, draws, wins));
    }
    table
}

fn rated(ratings: &BradleyTerry, name: &str) -> RatingEstimate {
    match ratings.standing(name) {
        Some(Standing::Rated(estimate)) => *estimate,
        other => panic!("{name}: {other:?}"),
    }
}

#[test]
fn two_players_have_the_closed_form() {
    // ν = D / √(W L) = 1, where the prior of the draw parameter has its mode, so that it pulls at nothing.
    let ratings = BradleyTerry::fit(&table(&[("a", "b", [40, 20, 10])]), "b").unwrap();
    let a = rated(&ratings, "a");
    assert!((a.elo - 400.0 * 4_f64.log10()).abs() < 1e-2, "{a:?}");
    assert!(
        (ratings.draw - 1.0).abs() < 1e-6 && ratings.first_move.elo.abs() < 1e-6,
        "{ratings:?}"
    );
    // The information matrix of rating and draw parameter; the first move is orthogonal to them where colours balance.
    let (n, p, prior) = (140.0_f64, [4.0 / 7.0, 2.0 / 7.0, 1.0 / 7.0], 0.25);
    let (lead, draw) = (p[0] - p[2], p[1]);
    let information = [
        [n * (p[0] + p[2] - lead * lead) / 4.0, -n * lead * draw / 2.0],
        [-n * lead * draw / 2.0, n * draw * (1.0 - draw) + prior],
    ];
    let determinant = information[0][0] * information[1][1] - information[0][1] * information[1][0];
    let error = 400.0 / 10_f64.ln() * 1.959_964 * (information[1][1] / determinant).sqrt();
    assert!((a.high - a.elo - error).abs() < 0.05, "{a:?} {error}");
    assert!((a.elo - a.low - error).abs() < 0.05, "{a:?} {error}");
    let b = rated(&ratings, "b");
    assert_eq!((b.elo, b.low, b.high), (0.0, 0.0, 0.0));
}

#[test]
fn the_largest_group_is_that_of_most_ratings() {
    // Nobody lost a point to `a`, and `e` lost none: neither has a rating with another anchor.
    let results = [
        ("a", "b", [0, 0, 10]),
        ("b", "c", [5, 2, 3]),
        ("c", "d", [4, 0, 6]),
        ("e", "d", [10, 0, 0]),
    ];
    let results = table(&results);
    assert_eq!(BradleyTerry::largest_group(&results, "a"), ["b", "c", "d"]);
    let rated = |anchor: &str| {
        let ratings = BradleyTerry::fit(&results, anchor).unwrap();
        let players = ratings.players.iter().filter(|player| player.standing.elo().is_some());
        players.count()
    };
    assert_eq!(["a", "b", "c", "d", "e"].map(rated), [1, 3, 3, 3, 1]);
    assert_eq!(BradleyTerry::largest_group(&results, "nobody"), [""; 0]);
}

#[test]
fn the_first_move_is_told_from_strength() {
    let mut table = CrossTable::default();
    // Equal players; White wins three of four decisive games: 400 · log₁₀ 3 = 190.8, pulled in a little by the prior.
    table.add("a", "b", games(3000, 1000, 1000));
    table.add("b", "a", games(3000, 1000, 1000));
    let ratings = BradleyTerry::fit(&table, "a").unwrap();
    assert!((ratings.first_move.elo - 190.8).abs() < 1.0, "{:?}", ratings.first_move);
    assert!(rated(&ratings, "b").elo.abs() < 1e-6);
}

#[test]
fn chains_of_results_add_up_and_the_anchor_only_shifts() {
    let results = [
        ("a", "b", [40, 20, 10]),
        ("b", "c", [40, 20, 10]),
        ("c", "d", [20, 20, 20]),
    ];
    let ratings = BradleyTerry::fit(&table(&results), "d").unwrap();
    let step = 400.0 * 4_f64.log10();
    for (name, elo) in [("a", 2.0 * step), ("b", step), ("c", 0.0)] {
        assert!((rated(&ratings, name).elo - elo).abs() < 0.05, "{name} {ratings:?}");
    }
    let other = BradleyTerry::fit(&table(&results), "b").unwrap();
    let shift = rated(&ratings, "b").elo;
    for name in ["a", "c", "d"] {
        assert!((rated(&ratings, name).elo - shift - rated(&other, name).elo).abs() < 0.05);
    }
    // The uncertainty of differences grows along the chain.
    let width = |name| rated(&ratings, name).high - rated(&ratings, name).low;
    assert!(width("c") < width("b") && width("b") < width("a"));
}

#[test]
fn one_sided_tables_give_bounds() {
    let results = [
        ("weak", "anchor", [0, 0, 20]),
        ("strong", "anchor", [20, 0, 0]),
        ("best", "strong", [15, 0, 5]),
    ];
    let ratings = BradleyTerry::fit(&table(&results), "anchor").unwrap();
    let (Some(&Standing::AtLeast { elo: strong }), Some(&Standing::AtLeast { elo: best })) =
        (ratings.standing("strong"), ratings.standing("best"))
    else {
        panic!("{ratings:?}");
    };
    let Some(&Standing::AtMost { elo: weak }) = ratings.standing("weak") else {
        panic!("{ratings:?}");
    };
    // Of 40 wins in 40 games a probability p is rejected where p^40 < 1/40: p = 0.912, odds 10.4, 406 Elo.
    assert!((strong - 406.0).abs() < 1.0, "{strong}");
    assert!((weak + strong).abs() < 1.0, "{weak} {strong}");
    assert!(best > strong + 50.0, "{best} {strong}");
    // With a draw there is a rating, whoever was White in it.
    for (white, black) in [("strong", "anchor"), ("anchor", "strong")] {
        let mut bridged = table(&results);
        bridged.add(white, black, games(0, 1, 0));
        let ratings = BradleyTerry::fit(&bridged, "anchor").unwrap();
        assert!(rated(&ratings, "strong").elo > 500.0);
        assert!(matches!(ratings.standing("weak"), Some(Standing::AtMost { .. })));
    }
}

/// A player who wins all n games has, at 97.5 %, a chance of at least 40^(−1/n) in each (Clopper & Pearson 1934).
#[test]
fn bounds_of_players_who_won_all_are_exact() {
    for pairs in [1, 4, 10, 50, 100] {
        let ratings = BradleyTerry::fit(&table(&[("best", "anchor", [pairs, 0, 0])]), "anchor").unwrap();
        let chance = 40_f64.powf(-1.0 / f64::from(2 * pairs));
        let exact = 400.0 * (chance / (1.0 - chance)).log10();
        let Some(&Standing::AtLeast { elo }) = ratings.standing("best") else {
            panic!("{ratings:?}");
        };
        assert!((elo - exact).abs() < 0.5, "{pairs} pairs: {elo}, exactly {exact}");
    }
}

/// The ladder of an agent of study 0064. The bounds are where a maximiser of another library (BFGS of scipy) finds the
/// profile likelihood at a fortieth.
#[test]
fn bounds_of_a_ladder_with_flat_directions_are_where_its_likelihood_has_fallen() {
    let mut table = CrossTable::default();
    table.add("random", "policy", games(2, 0, 2));
    table.add("policy", "random", games(4, 0, 0));
    for (weak, strong) in [("random", "g3"), ("random", "g5"), ("policy", "g3"), ("policy", "g5")] {
        table.add(weak, strong, games(0, 0, 4));
        table.add(strong, weak, games(4, 0, 0));
    }
    table.add("g3", "g5", games(1, 3, 0));
    table.add("g5", "g3", games(2, 2, 0));
    let ratings = BradleyTerry::fit(&table, "random").unwrap();
    for (name, bound) in [("g5", 884.0), ("g3", 829.0)] {
        let Some(&Standing::AtLeast { elo }) = ratings.standing(name) else {
            panic!("{ratings:?}");
        };
        assert!((elo - bound).abs() < 1.0, "{name}: {elo}");
    }
}

#[test]
fn what_games_do_not_connect_is_unknown() {
    let results = [
        ("a", "anchor", [5, 0, 5]),
        ("x", "y", [5, 0, 5]),
        ("p", "a", [9, 0, 0]),
        ("p", "q", [9, 0, 0]),
    ];
    let ratings = BradleyTerry::fit(&table(&results), "anchor").unwrap();
    for name in ["x", "y", "q"] {
        assert_eq!(ratings.standing(name), Some(&Standing::Unknown), "{name}");
    }
    assert!(matches!(ratings.standing("p"), Some(Standing::AtLeast { .. })));
    assert!(rated(&ratings, "a").elo.abs() < 1e-3);
    let json = serde_json::to_string(&ratings).unwrap();
    assert_eq!(
        serde_json::from_str::<BradleyTerry>(&json).unwrap().players.len(),
        6,
        "{json}"
    );
}

#[test]
fn senseless_tables_are_refused() {
    let error = BradleyTerry::fit(&table(&[("a", "b", [1, 0, 0])]), "random").unwrap_err();
    assert_eq!(
        error.to_string(),
        "the anchor `random` has no game with a result; players with such games: a, b"
    );
    let mut truncated = CrossTable::default();
    let none = WinDrawLoss {
        truncated: 5,
        ..WinDrawLoss::default()
    };
    truncated.add("a", "b", none);
    assert!(matches!(
        BradleyTerry::fit(&truncated, "a"),
        Err(RatingError::NoAnchor { .. })
    ));
    let mut own = CrossTable::default();
    own.add("a", "a", games(1, 0, 0));
    assert!(matches!(
        BradleyTerry::fit(&own, "a"),
        Err(RatingError::SamePlayer { .. })
    ));
}

/// Plays out games between players of known ratings, in Elo, under the model itself.
fn simulate(
    truth: &[(&'static str, f64)],
    first_move: f64,
    draw: f64,
    each: u32,
    rng: &mut Xoshiro256PlusPlus,
) -> CrossTable {
    let mut table = CrossTable::default();
    for &(white, white_elo) in truth {
        for &(black, black_elo) in truth {
            if white == black {
                continue;
            }
            let q = 10_f64.powf((white_elo - black_elo + first_move) / 800.0);
            let weights = [q, draw, 1.0 / q];
            let mut counts = [0; 3];
            for _ in 0..each {
                let mut left = rng.random::<f64>() * weights.iter().sum::<f64>();
                let drawn = weights.iter().position(|weight| {
                    left -= weight;
                    left < 0.0
                });
                counts[drawn.unwrap_or(2)] += 1;
            }
            table.add(white, black, games(counts[0], counts[1], counts[2]));
        }
    }
    table
}

#[test]
fn intervals_of_simulated_tournaments_cover_the_truth() {
    let truth = [("random", 0.0), ("a", 150.0), ("b", 300.0), ("c", 320.0), ("d", 600.0)];
    let (first_move, tournaments) = (35.0, 500);
    let mut covered = [0; 5];
    for number in 0..tournaments {
        let mut rng = generator(2026, &[number]);
        let ratings = BradleyTerry::fit(&simulate(&truth, first_move, 0.4, 20, &mut rng), "random").unwrap();
        for (index, (name, elo)) in truth.iter().enumerate().skip(1) {
            let estimate = rated(&ratings, name);
            covered[index] += u32::from(estimate.low <= *elo && *elo <= estimate.high);
        }
        let RatingEstimate { low, high, .. } = ratings.first_move;
        covered[0] += u32::from(low <= first_move && first_move <= high);
    }
    // Of 500 intervals at 95 %, fewer than 454 or more than 494 cover in one of 10 000 such tests each.
    assert!(covered.iter().all(|count| (454..=494).contains(count)), "{covered:?}");
}

#[test]
fn sequential_tests_err_about_as_often_as_they_say() {
    let (elo0, elo1, error, tests) = (0.0, 60.0, 0.05, 400);
    let sprt = Sprt::new(elo0, elo1, error, error, EloModel::Normalised).unwrap();
    for (truth, right) in [(elo0, SprtDecision::AcceptH0), (elo1, SprtDecision::AcceptH1)] {
        // A fifth of the games are drawn; with d = (wins − losses) / 2 of all games, the variance of a game is 0.2 −
        // d², and the normalised Elo is 800 / ln 10 · d / √(0.2 − d²).
        let t: f64 = truth * 10_f64.ln() / 800.0;
        let d = (0.2 * t * t / (1.0 + t * t)).sqrt();
        let mut wrong = 0;
        for number in 0..tests {
            let mut rng = generator(2027, &[number]);
            let mut pairs = PairCounts::default();
            let verdict = loop {
                let [first, second] = [0, 1].map(|_| match rng.random::<f64>() {
                    x if x < 0.4 + d => 2,
                    x if x < 0.6 + d => 1,
                    _ => 0,
                });
                pairs.add(Some(first), Some(second));
                match sprt.verdict(sprt.log_likelihood_ratio(&pairs)) {
                    SprtDecision::Continue => {}
                    verdict => break verdict,
                }
            };
            wrong += u32::from(verdict != right);
        }
        // At a rate of 5 %, more than 37 of 400 come in one of 10 000 such tests.
        assert!(wrong <= 37, "{wrong} of {tests} at {truth}");
    }
}

/// Pairs of games between players of known ratings whose openings favour White or Black by this many Elo: the gain of
/// one game of a pair is the loss of the other.
fn simulate_pairs(
    truth: &[(&'static str, f64)],
    favour: f64,
    each: u32,
    rng: &mut Xoshiro256PlusPlus,
) -> Vec<PairedResults> {
    let mut matches = Vec::new();
    for (index, &(first, first_elo)) in truth.iter().enumerate() {
        for &(second, second_elo) in &truth[index + 1..] {
            let mut pairs = Vec::new();
            for _ in 0..each {
                let opening = if rng.random() { favour } else { -favour };
                let mut game = |white: f64, black: f64| {
                    let score = 1.0 / (1.0 + 10_f64.powf((black - white - opening) / 400.0));
                    let winner = if rng.random::<f64>() < score {
                        Player::White
                    } else {
                        Player::Black
                    };
                    Outcome::Win(winner)
                };
                pairs.push([game(first_elo, second_elo), game(second_elo, first_elo)]);
            }
            matches.push(PairedResults {
                players: [first, second].map(str::to_owned),
                pairs,
            });
        }
    }
    matches
}

/// Openings that favour a side by 300 Elo make the games of a pair go against each other. The scores that follow from
/// the truth are nearer to even than the ratings say, for which the expected fit is the truth of this test.
#[test]
fn bootstrap_intervals_cover_the_truth_where_games_of_a_pair_are_not_independent() {
    let truth = [("anchor", 0.0), ("a", 120.0), ("b", 200.0)];
    let mut rng = generator(2028, &[]);
    let expected = {
        let matches = simulate_pairs(&truth, 300.0, 200_000, &mut rng);
        let mut table = CrossTable::default();
        for one in &matches {
            table.add_pairs(one.players.each_ref().map(String::as_str), one.pairs.iter().copied());
        }
        BradleyTerry::fit(&table, "anchor").unwrap()
    };
    let tournaments = 200;
    let (mut covered, mut widths) = ([0; 2], [0.0; 2]);
    for number in 0..tournaments {
        let mut rng = generator(2029, &[number]);
        let matches = simulate_pairs(&truth, 300.0, 100, &mut rng);
        let bootstrap = Bootstrap::new(&matches, "anchor", 200, number).unwrap();
        let mut table = CrossTable::default();
        for one in &matches {
            table.add_pairs(one.players.each_ref().map(String::as_str), one.pairs.iter().copied());
        }
        let ratings = BradleyTerry::fit(&table, "anchor").unwrap();
        for (index, name) in ["a", "b"].into_iter().enumerate() {
            let interval = bootstrap.ratings[name];
            covered[index] += u32::from(interval.contains(rated(&expected, name).elo));
            let RatingEstimate { low, high, .. } = rated(&ratings, name);
            widths[0] += interval.half_width().unwrap();
            widths[1] += (high - low) / 2.0;
        }
    }
    // Of 200 intervals at 95 %, fewer than 176 or more than 199 cover in one of 10 000 such tests each.
    assert!(covered.iter().all(|count| (176..=199).contains(count)), "{covered:?}");
    // For equal players a pair's score varies by 4 · 0.85 · 0.15 = 0.51 of what two independent games would: intervals
    // from pairs are narrower by a factor of about 0.71.
    assert!((0.6..0.85).contains(&(widths[0] / widths[1])), "{widths:?}");
}

#[test]
fn bootstraps_are_the_same_on_any_number_of_threads() {
    let matches = simulate_pairs(&[("anchor", 0.0), ("a", 100.0)], 0.0, 30, &mut generator(3, &[]));
    let run = |threads, seed| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| Bootstrap::new(&matches, "anchor", 100, seed).unwrap())
    };
    assert_eq!(run(1, 4), run(3, 4));
    assert_ne!(run(1, 4), run(1, 5));
}

#[test]
fn expected_scores_are_those_of_the_fit() {
    let ratings = BradleyTerry::fit(&table(&[("a", "b", [40, 20, 10]), ("c", "a", [9, 0, 0])]), "b").unwrap();
    // Two players and colours in balance: the fit gives their score back, (40 + 10) / 70.
    let score = ratings.expected_score("a", "b").unwrap();
    assert!((score - 50.0 / 70.0).abs() < 1e-3, "{score}");
    assert!((ratings.expected_score("b", "a").unwrap() + score - 1.0).abs() < 1e-9);
    assert_eq!(ratings.expected_score("c", "a"), None);
    // The difference at which a score is expected is that of the players who score it.
    let difference = rated(&ratings, "a").elo - rated(&ratings, "b").elo;
    let (size, found) = (
        difference.abs(),
        ratings.difference_for(score.max(1.0 - score)).unwrap(),
    );
    assert!((found - size).abs() < 1e-6, "{found} {size}");
    let decisive = BradleyTerry {
        draw: 0.0,
        first_move: RatingEstimate {
            elo: 0.0,
            low: 0.0,
            high: 0.0,
        },
        ..ratings
    };
    assert!((decisive.difference_for(0.75).unwrap() - 190.85).abs() < 0.01);
    assert_eq!(
        [0.5, 1.0, f64::NAN].map(|score| decisive.difference_for(score)),
        [None; 3]
    );
}

/// The distance of such a score from one half is the greatest that its kinds of pairs have: the delta method gives no error.
#[test]
fn where_the_delta_method_fails_the_error_is_unknown() {
    let error = |wd, ww| {
        let pairs = PairCounts {
            wd,
            ww,
            ..PairCounts::default()
        };
        let score = ScoreEstimate::from_pairs(&pairs).unwrap();
        (score.normalised_elo.is_some(), score.normalised_elo_error.is_some())
    };
    assert_eq!(error(20, 10), (true, false));
    assert_eq!(error(15, 15), (true, true));
}
