//! Work of a study that other machines do: files of games, forks and searches, each a kind of work of `chase-cluster`.

use chase_cluster::{Job, Task};

use crate::evidence::forks::ForksFile;
use crate::evidence::games::job::GamesFile;
use crate::evidence::search::job::SearchFile;

/// Makes a file on the machine of a worker; `None` if it was given up.
///
/// # Errors
/// If the unit is of no kind that is known here, or cannot be done.
pub fn run(task: &Task<'_>) -> Result<Option<Vec<u8>>, String> {
    match task.unit().kind.as_str() {
        GamesFile::KIND => task.run::<GamesFile>(),
        ForksFile::KIND => task.run::<ForksFile>(),
        SearchFile::KIND => task.run::<SearchFile>(),
        kind => Err(format!("this program has no units of kind `{kind}`")),
    }
}
