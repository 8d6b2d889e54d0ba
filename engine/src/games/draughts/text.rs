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
use crate::text_error::{self, TextError};
use crate::{ByPlayer, Player};

/// The side's letter and name.
const SIDES: ByPlayer<(&str, &str)> = ByPlayer([("d", "Dark"), ("l", "Light")]);

impl<V: Variant> Position<V> {
    /// The position without its counters: what repetition looks at.
    pub fn short_text(&self) -> String {
        let mut text = String::with_capacity(64);
        for rank in (0..SIDE).rev() {
            let mut empty = 0;
            for file in 0..SIDE {
                let stack: String = self.stack(Cell::new(file, rank)).map(Piece::letter).collect();
                if stack.is_empty() {
                    empty += 1;
                    continue;
                }
                push_empty(&mut text, &mut empty);
                if stack.len() == 1 {
                    text += &stack;
                } else {
                    text += &format!("({stack})");
                }
            }
            push_empty(&mut text, &mut empty);
            text.push(if rank > 0 { '/' } else { ' ' });
        }
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
                format!("the piece on {jumper} must go on jumping: expected {legal}"),
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
            return (format!("{name} can jump, and so must: expected {legal}"), 2..3);
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

fn push_empty(text: &mut String, empty: &mut usize) {
    if *empty > 0 {
        *text += &empty.to_string();
        *empty = 0;
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
        let reader = Reader { text };
        let end = text.trim_ascii_end().len();
        let mut fields = text.split_ascii_whitespace().map(|word| reader.place(word));
        let mut field = || fields.next();
        let missing = end..end;
        let board = field().unwrap_or(missing.clone());
        let placed = reader.board::<V>(board.clone())?;
        let side = field().unwrap_or(missing.clone());
        let to_move = Player::BOTH
            .into_iter()
            .find(|&player| SIDES[player].0 == &text[side.clone()]);
        let to_move = to_move.ok_or_else(|| reader.expected("the player to move, `d` or `l`", side))?;
        let state = field().unwrap_or(missing);
        let quiet = field().map_or(Ok(0), |span| {
            text_error::number(
                reader.text,
                "the number of turns since the last jump or step of a man",
                span,
                0,
            )
        });
        // The counters are read when all that stands before them is known to be right.
        let turn = field().map_or(Ok(1), |span| {
            text_error::number(reader.text, "the number of the turn", span, 1)
        });
        let rest = field();

        let mut position = Self::empty(to_move, 0, 1);
        place::<V>(&mut position, &placed)
            .map_err(|(message, span)| TextError::new(message, text, span.unwrap_or(board)))?;
        reader.state(&mut position, state)?;
        (position.quiet_turns, position.turn) = (quiet?, turn?);
        match rest {
            Some(span) => Err(reader.expected("the end of the position", span.start..end)),
            None => Ok(position),
        }
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
                "{} has {count} pieces, expected {PIECES}: in {} none leaves the board",
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

/// Reads the parts of a text, which errors show as a whole.
struct Reader<'a> {
    text: &'a str,
}

impl Reader<'_> {
    fn expected(&self, what: impl fmt::Display, span: Range<usize>) -> TextError {
        TextError::expected(what, self.text, span)
    }

    /// The range of a part of the text in it.
    fn place(&self, part: &str) -> Range<usize> {
        let start = part.as_ptr() as usize - self.text.as_ptr() as usize;
        start..start + part.len()
    }

    fn board<V: Variant>(&self, board: Range<usize>) -> Result<Vec<Placed>, TextError> {
        let mut placed = Vec::new();
        let mut ranks = self.text[board.clone()].split('/');
        for rank in (0..SIDE).rev() {
            let Some(line) = ranks.next() else {
                let what = format!("rank {}: eight ranks from 8 to 1, separated by `/`", rank + 1);
                return Err(self.expected(what, board.end..board.end));
            };
            self.rank::<V>(line, rank, &mut placed)?;
        }
        match ranks.next() {
            Some(line) => {
                let start = self.place(line).start - 1;
                Err(self.expected("the player to move after the eight ranks from 8 to 1", start..board.end))
            }
            None => Ok(placed),
        }
    }

    fn rank<V: Variant>(&self, line: &str, rank: usize, placed: &mut Vec<Placed>) -> Result<(), TextError> {
        let all = self.place(line);
        let number = rank + 1;
        let mut file = 0;
        let mut after_digit = false;
        let mut characters = line.char_indices();
        while let Some((at, character)) = characters.next() {
            let span = |from: usize, to: usize| all.start + from..all.start + to;
            let here = span(at, at + character.len_utf8());
            let is_digit = matches!(character, '1'..='8');
            if is_digit && after_digit {
                return Err(self.expected("one digit for a run of empty cells", here));
            }
            after_digit = is_digit;
            let width = if is_digit { character as usize - '0' as usize } else { 1 };
            if file + width > SIDE {
                return Err(self.expected(format!("8 cells in rank {number}, not more"), all));
            }
            if !is_digit {
                let cell = Cell::new(file, rank);
                if V::BASE != Base::Queens && !cell.is_dark() {
                    let message = format!(
                        "{cell} is a light cell, and the pieces of {} stand on dark ones",
                        V::NAME
                    );
                    return Err(TextError::new(message, self.text, here));
                }
                if character == '(' {
                    let first = placed.len();
                    let close = loop {
                        match characters.next() {
                            Some((at, ')')) => break at,
                            Some((at, letter)) => {
                                placed.push(self.piece::<V>(letter, cell, span(at, at + letter.len_utf8()))?);
                            }
                            None => return Err(self.expected("`)` at the end of a stack", all.end..all.end)),
                        }
                    };
                    let stack = span(at, close + 1);
                    if !V::BASE.has_stacks() {
                        return Err(TextError::new(
                            format!("there are no stacks in {}", V::NAME),
                            self.text,
                            stack,
                        ));
                    }
                    if placed.len() < first + 2 {
                        return Err(self.expected("at least two pieces in a stack", stack));
                    }
                } else {
                    placed.push(self.piece::<V>(character, cell, here)?);
                }
            }
            file += width;
        }
        if file < SIDE {
            return Err(self.expected(format!("8 cells in rank {number}, found {file}"), all));
        }
        Ok(())
    }

    fn piece<V: Variant>(&self, letter: char, cell: Cell, span: Range<usize>) -> Result<Placed, TextError> {
        let men = if V::NUMBERS { "A to L or a to l" } else { "M or m" };
        let fits = |piece: &Piece| piece.rank == Rank::King || (piece.rank != Rank::Man(0)) == V::NUMBERS;
        match Piece::from_letter(letter).filter(fits) {
            Some(piece) => Ok(Placed { piece, cell, span }),
            None => Err(self.expected(
                format!("a man ({men}), a king (Q or q), a stack in parentheses or a run of empty cells (1 to 8)"),
                span,
            )),
        }
    }

    /// Reads where a turn of several jumps stands.
    fn state<V: Variant>(&self, position: &mut Position<V>, state: Range<usize>) -> Result<(), TextError> {
        let text = &self.text[state.clone()];
        if text == "-" {
            return Ok(());
        }
        let form = |span| {
            let what = "`-` at the start of a turn, or the cell of the piece that goes on jumping and the cells jumped before that still show an enemy, like `c4` or `e5:d4f6`";
            self.expected(what, span)
        };
        let (jumper, jumped) = match text.split_once(':') {
            Some((jumper, jumped)) => (jumper, Some(jumped)),
            None => (text, None),
        };
        let cell = Cell::from_text(jumper).ok_or_else(|| form(state.clone()))?;
        let at = self.place(jumper);
        if position.own(position.to_move) & cell.bit() == 0 {
            let message = format!(
                "there is no piece of {} on {cell} that could go on jumping",
                SIDES[position.to_move].1
            );
            return Err(TextError::new(message, self.text, at));
        }
        if let Some(jumped) = jumped {
            let span = self.place(jumped);
            if !V::BASE.has_stacks() {
                let message = format!(
                    "what is jumped in {} is gone: expected the cell of the jumping piece alone",
                    V::NAME
                );
                return Err(TextError::new(message, self.text, span));
            }
            if jumped.is_empty() || !jumped.is_ascii() || jumped.len() % 2 != 0 {
                return Err(form(span));
            }
            let mut last = None;
            for start in (0..jumped.len()).step_by(2) {
                let part = span.start + start..span.start + start + 2;
                let cell = Cell::from_text(&jumped[start..start + 2]).ok_or_else(|| form(part.clone()))?;
                if last >= Some(cell) {
                    return Err(self.expected("cells in the order a1, b1, … h1, a2, …, each once", part));
                }
                if position.own(!position.to_move) & cell.bit() == 0 {
                    return Err(TextError::new(
                        format!("{cell} does not show an enemy"),
                        self.text,
                        part,
                    ));
                }
                last = Some(cell);
                position.jumped |= cell.bit();
            }
        }
        position.jumper = Some(cell);
        if !position.must_jump() {
            return Err(TextError::new(
                format!("the piece on {cell} cannot go on jumping"),
                self.text,
                at,
            ));
        }
        Ok(())
    }
}
