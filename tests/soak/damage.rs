//! Files with a hash that change between two processes: what goes on must refuse them, warn of them, or come to the
//! same end.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus;

use crate::tally::Tally;
use crate::works::{PATIENCE, RUN, Work, files};

pub(crate) fn attack(work: &Work, home: &Path, rng: &mut Xoshiro256PlusPlus, tally: &mut Tally) -> Result<()> {
    let run = home.join(RUN);
    if rng.random_bool(0.5) {
        // Half done.
        let mut running = work.start(home)?;
        let patience = work.time.mul_f64(rng.random_range(0.2..0.9));
        if running.wait(patience)?.is_none() {
            running.child.kill()?;
            tally.kills += 1;
        }
        running.wait(PATIENCE)?;
    }
    let has_hash = |path: &PathBuf| {
        let extension = path.extension().and_then(|extension| extension.to_str());
        extension.is_some_and(|extension| ["parquet", "unfinished", "safetensors"].contains(&extension))
    };
    let begun = || Ok::<_, anyhow::Error>(files(&run)?.into_iter().filter(has_hash).collect());
    let mut files: Vec<PathBuf> = if run.join("meta.json").exists() {
        begun()?
    } else {
        Vec::new()
    };
    if files.is_empty() {
        let _ = fs::remove_dir_all(&run);
        copy(&work.home.join(RUN), &run)?;
        files = begun()?;
    }
    if files.is_empty() {
        // Work of another kind than training.
        return Ok(());
    }
    files.sort();
    let file = &files[rng.random_range(0..files.len())];
    let name = file.strip_prefix(&run)?.to_string_lossy().into_owned();
    let whole = fs::read(file)?;
    let damage = damage(file, &whole, rng)?;
    tally.flips += 1;
    let ended = work.start(home)?.end()?;
    if ended.is_refusal() {
        // Put back, it goes on: nothing else was touched.
        fs::write(file, whole)?;
        work.finish(home)
            .with_context(|| format!("{name} was put back after {damage}"))?;
        tally.compared += 1;
        return work
            .must_be_done(home, None)
            .with_context(|| format!("{name} was put back after {damage}"));
    }
    ensure!(
        ended.status.success(),
        "{name}: after {damage} it ends with {}: {}",
        ended.status,
        ended.told
    );
    tally.compared += 1;
    let same = work.must_be_done(home, Some(&name));
    if let Err(error) = same
        && !["warning", "note: "].iter().any(|word| ended.told.contains(word))
    {
        bail!(
            "{name}: after {damage} without a word {error:#}; it told {}",
            ended.told
        );
    }
    Ok(())
}

/// Changes a file, and says how.
fn damage(file: &Path, whole: &[u8], rng: &mut Xoshiro256PlusPlus) -> Result<String> {
    let mut content = whole.to_vec();
    let digits: Vec<usize> = (0..content.len())
        .filter(|&place| content[place].is_ascii_digit())
        .collect();
    let told = match rng.random_range(0..6) {
        0 => {
            fs::remove_file(file)?;
            return Ok("its removal".into());
        }
        1 if !content.is_empty() => {
            content.truncate(rng.random_range(0..content.len()));
            format!("its end at byte {}", content.len())
        }
        2 | 3 if !digits.is_empty() => {
            let place = digits[rng.random_range(0..digits.len())];
            content[place] = b'0' + (content[place] - b'0' + rng.random_range(1..10)) % 10;
            format!("another digit at byte {place}")
        }
        _ if !content.is_empty() => {
            let (place, bit) = (rng.random_range(0..content.len()), rng.random_range(0..8));
            content[place] ^= 1 << bit;
            format!("a flip of bit {bit} of byte {place}")
        }
        _ => {
            content = b"0".to_vec();
            "a digit in it".into()
        }
    };
    fs::write(file, content)?;
    Ok(told)
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir(to)?;
    for entry in fs::read_dir(from)? {
        let path = entry?.path();
        let copied = to.join(path.file_name().context("a name")?);
        if path.is_dir() {
            copy(&path, &copied)?;
        } else {
            fs::copy(&path, copied)?;
        }
    }
    Ok(())
}
