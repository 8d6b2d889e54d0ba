//! `chase show`

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::str::FromStr;

use anyhow::{Context, anyhow, bail, ensure};
use chase_engine::chase::notation::{Arrow, AsciiOptions, Course, Heat, Labels, SvgOptions, Theme, value_color};
use chase_engine::chase::{Action, Cell, Position, Rules};
use chase_engine::{Chase, Depict, Game, GameName, Player, with_game};
use serde::Serialize;

use crate::cli;
use crate::destination::Destination;

/// Draw a position, as text or as SVG
///
/// Chase: White's dice are plain digits, Black's are in parentheses, # is the Chamber. The board is a cylinder: column
/// 9 is next to column 1. Other games: letters as in the text of a position, upper case for the first player; a stack
/// is the letter of its top piece and its height.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  chase show
  chase show --last 1A6A7 --attacks white
  chase show --svg board.svg --arrow A4NW,value=0.53,label=53% --arrow A1E,color=crimson
  chase show 'abcdedcba/9/9/9/9/9/9/7D1/ABCDEBCA1 b' --flip
  chase show --game queens-cyl --last a3-b4 --svg board.svg")]
pub struct Args {
    /// The position (for Chase in CFEN, see chase --help), as one argument [default: the initial position]
    position: Option<String>,
    /// The position as an option, as in other commands
    #[arg(long = "position", value_name = "POSITION", conflicts_with = "position")]
    option: Option<String>,
    /// The game. Games other than Chase support only --last, --flip, --svg, --width and --json
    #[arg(long, value_name = "NAME", default_value_t = GameName::Chase)]
    game: GameName,
    /// Play this action first, in exact (A3NW) or article form (A3D2), and mark where it went
    #[arg(long, value_name = "ACTION")]
    last: Option<String>,
    /// Mark the cells that this player's dice reach by exact count
    #[arg(long, value_name = "SIDE", value_parser = cli::choice(cli::SIDES))]
    attacks: Option<Player>,
    /// Turn the board, so that Black sits at the bottom
    #[arg(long)]
    flip: bool,
    /// Paint text with colours
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    color: cli::When,
    /// Write an SVG picture to this file instead of text; - for standard output
    #[arg(long, value_name = "FILE", conflicts_with = "json")]
    svg: Option<PathBuf>,
    /// Print JSON instead of text
    #[arg(long)]
    json: bool,
    /// Width of the SVG picture in pixels
    #[arg(long, value_name = "PIXELS", default_value_t = 640, requires = "svg", value_parser = cli::whole::<u32>(16..=16384))]
    width: u32,
    /// Colours of the SVG picture; auto follows the reader's system
    #[arg(long, default_value = "auto", requires = "svg", value_parser = cli::choice(THEMES))]
    theme: Theme,
    /// Names of cells in the SVG picture
    #[arg(long, value_name = "WHICH", default_value = "cells", requires = "svg", value_parser = cli::choice(LABELS))]
    labels: Labels,
    /// Draw an arrow in the SVG picture along a legal action (A3NW, 1A6A7), or straight between cells (A3-E5); may be
    /// repeated
    ///
    /// After commas follow any of value=0..1 (a colour from dark violet to yellow), color=CSS, width=0.02..0.4 cells,
    /// label=TEXT.
    #[arg(long, value_name = "SPEC", requires = "svg")]
    arrow: Vec<ArrowSpec>,
    /// Colour a cell of the SVG picture by a value from 0 to 1: E4=0.7 or E4=0.7,TEXT. May be repeated
    #[arg(long, value_name = "SPEC", requires = "svg")]
    heat: Vec<HeatSpec>,
}

/// Output of --json.
#[derive(Serialize)]
struct Shown<'a> {
    game: String,
    position: String,
    to_move: &'static str,
    outcome: Option<&'static str>,
    legal_actions: usize,
    picture: Vec<&'a str>,
}

const THEMES: &[(&str, Theme)] = &[("auto", Theme::Auto), ("light", Theme::Light), ("dark", Theme::Dark)];

const LABELS: &[(&str, Labels)] = &[("none", Labels::None), ("edge", Labels::Edge), ("cells", Labels::Cells)];

#[derive(Clone, Debug)]
enum Way {
    Action(String),
    Cells(Cell, Cell),
}

/// An arrow as typed on the command line; the path of an action depends on the position.
#[derive(Clone, Debug)]
struct ArrowSpec {
    way: Way,
    width: Option<f64>,
    color: Option<String>,
    label: Option<String>,
}

impl FromStr for ArrowSpec {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<Self> {
        let mut parts = text.split(',');
        let way = parts.next().unwrap_or_default();
        let way = match way.split_once('-') {
            Some((from, to)) => Way::Cells(from.parse()?, to.parse()?),
            None => Way::Action(way.to_owned()),
        };
        let mut spec = Self {
            way,
            width: None,
            color: None,
            label: None,
        };
        for part in parts {
            let (key, value) = part
                .split_once('=')
                .with_context(|| format!("expected KEY=VALUE, found `{part}`"))?;
            match key {
                "value" => spec.color = Some(value_color(number(value, 0.0, 1.0)?)),
                "color" => spec.color = Some(value.to_owned()),
                "width" => spec.width = Some(number(value, 0.02, 0.4)?),
                "label" => spec.label = Some(value.to_owned()),
                _ => bail!("expected value, color, width or label, found `{key}`"),
            }
        }
        Ok(spec)
    }
}

impl ArrowSpec {
    fn arrow(&self, position: &Position) -> anyhow::Result<Arrow> {
        let course = match &self.way {
            Way::Cells(from, to) => Course::between(*from, *to),
            Way::Action(text) => position.course(action(position, text).context("cannot draw an arrow")?)?,
        };
        let plain = Arrow::new(course);
        Ok(Arrow {
            width: self.width.unwrap_or(plain.width),
            color: self.color.clone(),
            label: self.label.clone(),
            ..plain
        })
    }
}

#[derive(Clone, Debug)]
struct HeatSpec(Heat);

impl FromStr for HeatSpec {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<Self> {
        let (cell, rest) = text.split_once('=').context("expected CELL=VALUE or CELL=VALUE,TEXT")?;
        let (value, label) = rest
            .split_once(',')
            .map_or((rest, None), |(value, label)| (value, Some(label)));
        Ok(Self(Heat {
            cell: cell.parse()?,
            value: number(value, 0.0, 1.0)?,
            text: label.map(str::to_owned),
        }))
    }
}

fn number(text: &str, least: f64, most: f64) -> anyhow::Result<f64> {
    let number: f64 = text
        .parse()
        .with_context(|| format!("expected a number, found `{text}`"))?;
    ensure!(
        (least..=most).contains(&number),
        "expected a number from {least} to {most}, found {text}"
    );
    Ok(number)
}

/// The legal action with this text, in either form.
fn action(position: &Position, text: &str) -> anyhow::Result<Action> {
    let turn = position.parse_article(text);
    let turn = turn.with_context(|| format!("no legal action in {position}"))?;
    turn.into_iter().next().context("expected an action")
}

impl Args {
    /// Prints the text picture of a position, or all about it as JSON.
    fn print<G: Game>(&self, game: &G, picture: &str) -> anyhow::Result<ExitCode> {
        if !self.json {
            cli::print(picture.trim_end())?;
            return Ok(ExitCode::SUCCESS);
        }
        let mut legal = Vec::new();
        game.legal_actions(&mut legal);
        let shown = Shown {
            game: self.game.to_string(),
            position: game.position_text(),
            to_move: G::PLAYERS[game.to_move()],
            outcome: game.outcome().map(G::outcome_name),
            legal_actions: legal.len(),
            picture: picture.lines().collect(),
        };
        cli::print_json(&shown)?;
        Ok(ExitCode::SUCCESS)
    }

    /// Writes an SVG picture where `--svg` says.
    fn write(file: &Path, picture: &str) -> anyhow::Result<ExitCode> {
        if file.as_os_str() == "-" {
            io::stdout().lock().write_all(picture.as_bytes())?;
        } else {
            Destination::open(file)?.write_whole(picture.as_bytes())?;
            cli::note(format_args!("wrote {}", file.display()));
        }
        Ok(ExitCode::SUCCESS)
    }

    /// The given position, or the initial one.
    fn game<G: Game>(&self, rules: &G::Rules) -> anyhow::Result<G> {
        match &self.option {
            None => cli::position("[POSITION]", self.position.as_deref(), rules),
            option => cli::position("--position <POSITION>", option.as_deref(), rules),
        }
    }
}

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    match args.game {
        GameName::Chase => show_chase(args),
        game => with_game!(game, G => show::<G>(args)),
    }
}

/// Draws a position of any game.
fn show<G: Depict>(args: &Args) -> anyhow::Result<ExitCode> {
    for (option, given) in [
        ("--attacks", args.attacks.is_some()),
        ("--arrow", !args.arrow.is_empty()),
        ("--heat", !args.heat.is_empty()),
        ("--theme", !matches!(args.theme, Theme::Auto)),
        ("--labels", !matches!(args.labels, Labels::Cells)),
    ] {
        ensure!(!given, "{option} is for pictures of chase only, not of {}", args.game);
    }
    let mut game: G = args.game(&args.game.rules::<G>())?;
    let mut marked = Vec::new();
    if let Some(text) = &args.last {
        let action = game.parse_action(text);
        let action = action.map_err(|error| anyhow!("invalid value '{text}' for '--last <ACTION>': {error}"))?;
        marked = game.way(action);
        game.apply(action);
    }
    let mut scene = game.scene();
    scene.mark(marked);
    if args.flip {
        scene.flip();
    }
    match &args.svg {
        None => args.print(&game, &scene.to_text()),
        Some(file) => Args::write(file, &scene.to_svg(args.width)),
    }
}

fn show_chase(args: &Args) -> anyhow::Result<ExitCode> {
    let mut game = args.game::<Chase>(&Rules::default())?;
    let mut last = None;
    if let Some(text) = &args.last {
        let before = *game.position();
        let action = action(&before, text)?;
        last = Some(before.course(action)?);
        game.apply(action);
    }
    let position = *game.position();
    let attacks = args.attacks;
    let Some(file) = &args.svg else {
        let text = position.to_ascii(&AsciiOptions {
            color: args.color.paints() && !args.json,
            flip: args.flip,
            attacks,
            last,
        });
        return args.print(&game, &text);
    };
    let picture = position.to_svg(&SvgOptions {
        width: args.width,
        flip: args.flip,
        theme: args.theme,
        labels: args.labels,
        heat: args.heat.iter().map(|spec| spec.0.clone()).collect(),
        last,
        attacks,
        arrows: args
            .arrow
            .iter()
            .map(|spec| spec.arrow(&position))
            .collect::<Result<_, _>>()?,
        ..SvgOptions::default()
    });
    Args::write(file, &picture)
}
