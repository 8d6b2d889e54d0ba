//! The page that lists the games.

use chase_engine::GameName;

const PAGE: &str = include_str!("../../docs/src/games/games.md");

#[test]
fn every_game_is_listed_with_a_page_of_the_book() {
    let contents = include_str!("../../docs/src/SUMMARY.md");
    let rows = PAGE.lines().filter(|line| line.starts_with("| `"));
    assert_eq!(rows.count(), GameName::ALL.len());
    for &game in GameName::ALL {
        let words = game.words();
        let row = PAGE.lines().find(|line| line.starts_with(&format!("| `{game}` |")));
        let row = row.unwrap_or_else(|| panic!("{game} is not listed"));
        let ends = format!(") | {} |", words.summary);
        let link = row
            .strip_prefix(&format!("| `{game}` | [{}](", words.title))
            .and_then(|rest| rest.strip_suffix(&ends));
        let link = link.unwrap_or_else(|| panic!("{row}: expected {} and {}", words.title, words.summary));
        let page = link
            .strip_prefix("../")
            .map_or_else(|| format!("games/{link}"), str::to_owned);
        assert!(contents.contains(&format!("({page})")), "{page} is no page of the book");
    }
}
