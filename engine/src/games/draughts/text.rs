//! Positions and actions as text; [the module](super) says how they look.
//!
//! The reader accepts exactly what is written, except that the two counters may be missing.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use super::action::Action;
use super::apply::king_row;
use super::cell::{Cell, SIDE};
use super::piece::{PIECES, Piece, Rank};
use super::position::Position;
use super::variant::{Base, Variant};
use crate::games::board_text::{self, Reader, Rows};
use crate::text_error::TextError;
use crate::{ByPlayer, Player};

/// The side's letter and name.
const SIDES: ByPlayer<(&str, &str)> = ByPlayer([("d", "Dark"), ("l", "Light")]);

impl<V: Variant> Position<V> {
    /// The position without its counters: what repetition looks at.
    pub fn short_text(&self) -> String {
        let rank = |rank| (0..SIDE).map(move |file| self.cell_text(Cell::new(file, rank)));
        let mut text = String::with_capacity(64);
        board_text::write(&mut text, (0..SIDE).rev().map(rank)).expect("a text takes what is written");
        text.push(' ');
        text += SIDES[self.to_move].0;
        text.push(' ');
        match self.jumper {
            None => text.push('-'),
            Some(cell) => text += &cell.to_string(),
        }
        if self.jumped != 0 {
            text.push(':');
            text.extend(self.jumped().map(|cell| cell.to_string()));
        }
        text
    }

    /// The pieces of a cell, from the lowest; `None` if it is empty.
    fn cell_text(&self, cell: Cell) -> Option<String> {
        let stack: String = self.stack(cell).map(Piece::letter).collect();
        match stack.len() {
            0 => None,
            1 => Some(stack),
            _ => Some(format!("({stack})")),
        }
    }

    /// An action of this game as text.
    pub(super) fn action_text(&self, action: Action) -> String {
        let sign = if action.jump { 'x' } else { '-' };
        match action.way(V::BOARD) {
            Some((_, to)) => format!("{}{sign}{to}", action.from),
            None => format!("{}{sign}", action.from),
        }
    }

    /// The legal action that a text names here.
    pub(super) fn parse_action(&self, text: &str) -> Result<Action, TextError> {
        let form = || TextError::expected("a step like `c3-d4` or a jump like `c3xe5`", text, 0..text.len());
        if !text.is_ascii() || text.len() != 5 {
            return Err(form());
        }
        let from = Cell::from_text(&text[..2]).ok_or_else(form)?;
        let to = Cell::from_text(&text[3..]).ok_or_else(form)?;
        let jump = match &text[2..3] {
            "x" => true,
            "-" => false,
            _ => return Err(form()),
        };
        let mut named = None;
        self.for_each_action(|action| {
            let leads = action.way(V::BOARD).is_some_and(|(_, end)| end == to);
            if action.from == from && action.jump == jump && leads {
                named = Some(action);
            }
        });
        named.ok_or_else(|| {
            let (reason, span) = self.why_illegal(from, to, jump);
            TextError::illegal(reason, text, span)
        })
    }

    /// The reason that there is no such action here, and the part of its text that is at fault.
    fn why_illegal(&self, from: Cell, to: Cell, jump: bool) -> (String, Range<usize>) {
        let (player, name) = (self.to_move, SIDES[self.to_move].1);
        let legal: Vec<_> = self
            .legal_actions()
            .into_iter()
            .map(|action| self.action_text(action))
            .collect();
        let legal = legal.join(" or ");
        if let Some(jumper) = self.jumper.filter(|&jumper| jumper != from) {
            return (
                format!("the piece on {jumper} must continue jumping: expected {legal}"),
                0..2,
            );
        }
        match self.top(from) {
            None => return (format!("there is no piece on {from}, and {name} is to move"), 0..2),
            Some(piece) if piece.player != player => {
                return (format!("the piece on {from} is not {name}'s, who is to move"), 0..2);
            }
            Some(_) => {}
        }
        if !jump && self.must_jump() {
            return (format!("{name} can jump, and must: expected {legal}"), 2..3);
        }
        if self.top(to).is_some() && to != from {
            return (format!("{to} is not empty"), 3..5);
        }
        let directions = V::BASE.directions().iter();
        let way = directions.map(|&direction| Action { from, direction, jump });
        let way = way
            .filter_map(|action| action.way(V::BOARD))
            .find(|&(_, end)| end == to);
        let what = if jump { "jump" } else { "step" };
        let Some((over, _)) = way else {
            return (format!("no {what} leads from {from} to {to}"), 0..5);
        };
        match over.map(|cell| (cell, self.top(cell))) {
            Some((cell, None)) => (format!("there is no piece on {cell} to jump"), 0..5),
            Some((cell, Some(piece))) if piece.player == player => {
                (format!("the piece on {cell} is {name}'s own"), 0..5)
            }
            Some((cell, _)) if self.jumped & cell.bit() != 0 => {
                (format!("{cell} has been jumped in this turn already"), 0..5)
            }
            Some((cell, Some(piece))) if self.top(from).is_some_and(|own| !own.may_jump(piece)) => (
                format!("the man on {from} may not jump the piece on {cell}: its number is too low for that"),
                0..5,
            ),
            _ => (format!("the man on {from} does not {what} that way"), 0..5),
        }
    }
}

/// The position with all fields.
impl<V: Variant> fmt::Display for Position<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.short_text(), self.quiet_turns, self.turn)
    }
}

impl<V: Variant> FromStr for Position<V> {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Self, TextError> {
        let mut reader = Reader::new(text);
        let (board, side, state) = (reader.field(), reader.field(), reader.field());
        let placed = read_board::<V>(&reader, board.clone())?;
        let to_move = reader.player(side, ByPlayer(SIDES.0.map(|(letter, _)| letter)))?;
        let mut position = Self::empty(to_move, 0, 1);
        place::<V>(&mut position, &placed)
            .map_err(|(message, span)| TextError::new(message, text, span.unwrap_or(board)))?;
        read_state(&reader, &mut position, state)?;
        let what = "the number of turns since the last jump or step of a man";
        position.quiet_turns = reader.number(what, 0)?;
        position.turn = reader.number("the number of the turn", 1)?;
        reader.end()?;
        Ok(position)
    }
}

/// A piece as it stands in a text: where, and on which cell.
struct Placed {
    piece: Piece,
    cell: Cell,
    span: Range<usize>,
}

/// Puts pieces on a board without any, each under those of its cell before it, or says what is wrong and where.
fn place<V: Variant>(position: &mut Position<V>, placed: &[Placed]) -> Result<(), (String, Option<Range<usize>>)> {
    let mut used = ByPlayer([[false; PIECES]; 2]);
    let name = |player: Player| SIDES[player].1;
    for player in Player::BOTH {
        let count = placed.iter().filter(|placed| placed.piece.player == player).count();
        if count > PIECES {
            return Err((format!("{} has {count} pieces, more than {PIECES}", name(player)), None));
        }
        if V::BASE.has_stacks() && count < PIECES {
            let reason = format!(
                "{} has {count} pieces, expected {PIECES}: in {} no piece leaves the board",
                name(player),
                V::NAME
            );
            return Err((reason, None));
        }
    }
    // Men with numbers have their places; the others take those that are left.
    let mut indices = vec![0; placed.len()];
    for (index, Placed { piece, span, .. }) in indices.iter_mut().zip(placed) {
        if let Piece {
            player,
            rank: Rank::Man(number @ 1..),
        } = *piece
        {
            *index = usize::from(number) - 1;
            if std::mem::replace(&mut used[player][*index], true) {
                return Err((
                    format!("{} has two men with the number {number}", name(player)),
                    Some(span.clone()),
                ));
            }
        }
    }
    for (index, Placed { piece, .. }) in indices.iter_mut().zip(placed) {
        if matches!(piece.rank, Rank::King | Rank::Man(0)) {
            let used = &mut used[piece.player];
            let free = used.iter().position(|used| !used);
            *index = free.expect("a player has no more pieces than places for them");
            used[*index] = true;
        }
    }
    for (index, Placed { piece, cell, .. }) in indices.into_iter().zip(placed) {
        position.add(piece.player, index, piece.rank == Rank::King, *cell);
    }
    position.refresh();
    for Placed { piece, cell, span } in placed {
        let is_top = position.top(*cell) == Some(*piece);
        let waits = cell.rank() == king_row(piece.player) && piece.rank != Rank::King && is_top;
        // Sideways jumps, and those over the ends, uncover men there that have not arrived.
        if waits && !(V::BASE == Base::Queens || V::BASE == Base::Stax && V::BOARD.joins_ranks_for_kings()) {
            let reason = format!(
                "a man of {} stands on {cell}, where it becomes a king",
                name(piece.player)
            );
            return Err((reason, Some(span.clone())));
        }
    }
    Ok(())
}

fn read_board<V: Variant>(reader: &Reader<'_>, board: Range<usize>) -> Result<Vec<Placed>, TextError> {
    let mut placed = Vec::new();
    reader.board(board, &Rows::RANKS, |first, characters| {
        let cell = Cell::new(first.column, first.row);
        if V::BASE != Base::Queens && !cell.is_dark() {
            let message = format!(
                "{cell} is a light cell, and the pieces of {} stand on dark cells",
                V::NAME
            );
            return Err(reader.fault(message, first.place));
        }
        if first.letter != '(' {
            placed.push(read_piece::<V>(reader, first.letter, cell, first.place)?);
            return Ok(());
        }
        let (start, count) = (first.place.start, placed.len());
        let mut end = first.place.end;
        loop {
            let Some((place, letter)) = characters.next() else {
                return Err(reader.expected("`)` at the end of a stack", end..end));
            };
            end = place.end;
            match letter {
                ')' => break,
                _ => placed.push(read_piece::<V>(reader, letter, cell, place)?),
            }
        }
        if !V::BASE.has_stacks() {
            return Err(reader.fault(format!("there are no stacks in {}", V::NAME), start..end));
        }
        if placed.len() < count + 2 {
            return Err(reader.expected("at least two pieces in a stack", start..end));
        }
        Ok(())
    })?;
    Ok(placed)
}

fn read_piece<V: Variant>(
    reader: &Reader<'_>,
    letter: char,
    cell: Cell,
    span: Range<usize>,
) -> Result<Placed, TextError> {
    let men = if V::NUMBERS { "A to L or a to l" } else { "M or m" };
    let fits = |piece: &Piece| piece.rank == Rank::King || (piece.rank != Rank::Man(0)) == V::NUMBERS;
    match Piece::from_letter(letter).filter(fits) {
        Some(piece) => Ok(Placed { piece, cell, span }),
        None => Err(reader.expected(
            format!("a man ({men}), a king (Q or q), a stack in parentheses or a run of empty cells (1 to 8)"),
            span,
        )),
    }
}

/// Reads where a turn of several jumps stands.
fn read_state<V: Variant>(
    reader: &Reader<'_>,
    position: &mut Position<V>,
    state: Range<usize>,
) -> Result<(), TextError> {
    let text = reader.word(&state);
    if text == "-" {
        return Ok(());
    }
    let form = |span| {
        let what = "`-` at the start of a turn, or the cell of the piece that continues jumping and the cells \
                    jumped so far that still show an enemy, like `c4` or `e5:d4f6`";
        reader.expected(what, span)
    };
    let (jumper, jumped) = match text.split_once(':') {
        Some((jumper, jumped)) => (jumper, Some(jumped)),
        None => (text, None),
    };
    let cell = Cell::from_text(jumper).ok_or_else(|| form(state.clone()))?;
    let at = reader.place(jumper);
    if position.own(position.to_move) & cell.bit() == 0 {
        let message = format!(
            "there is no piece of {} on {cell} that could continue jumping",
            SIDES[position.to_move].1
        );
        return Err(reader.fault(message, at));
    }
    if let Some(jumped) = jumped {
        let span = reader.place(jumped);
        if !V::BASE.has_stacks() {
            let message = format!(
                "jumped pieces have left the board in {}: expected only the cell of the jumping piece",
                V::NAME
            );
            return Err(reader.fault(message, span));
        }
        if jumped.is_empty() || !jumped.is_ascii() || jumped.len() % 2 != 0 {
            return Err(form(span));
        }
        let mut last = None;
        for start in (0..jumped.len()).step_by(2) {
            let part = span.start + start..span.start + start + 2;
            let cell = Cell::from_text(&jumped[start..start + 2]).ok_or_else(|| form(part.clone()))?;
            if last >= Some(cell) {
                return Err(reader.expected("cells in the order a1, b1, … h1, a2, …, each once", part));
            }
            if position.own(!position.to_move) & cell.bit() == 0 {
                return Err(reader.fault(format!("{cell} does not show an enemy"), part));
            }
            last = Some(cell);
            position.jumped |= cell.bit();
        }
    }
    position.jumper = Some(cell);
    if !position.must_jump() {
        return Err(reader.fault(format!("the piece on {cell} cannot continue jumping"), at));
    }
    Ok(())
}
