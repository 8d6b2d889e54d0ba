//! The known word that was probably meant by another.

/// The most similar of the known words, if at least two thirds of `word` are right; of equally similar ones the first
/// by the alphabet.
pub fn nearest<T: AsRef<str> + Ord>(word: &str, known: impl IntoIterator<Item = T>) -> Option<T> {
    let distances = known
        .into_iter()
        .map(|known| (strsim::damerau_levenshtein(known.as_ref(), word), known));
    let nearest = distances.min().filter(|(distance, _)| 3 * distance <= word.len());
    nearest.map(|(_, known)| known)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn similar_words_are_found_and_others_are_not() {
        let known = ["random", "greedy", "net", "nnue"];
        assert_eq!(nearest("rnadom", known), Some("random"));
        assert_eq!(nearest("gredy", known), Some("greedy"));
        assert_eq!(nearest("ne", known), None);
        assert_eq!(nearest("stockfish", known), None);
        // Both are one letter away.
        assert_eq!(nearest("cat", ["cut", "car"]), Some("car"));
    }
}
