//! Bad positions and actions of any game: what the error says, and where it points.

use chase_engine::{Game, GameName, TextError, with_game};

/// A game, a text that is no position of it, what the error says, and the place that it points at.
const POSITIONS: &str = "\
chase||row I|
chase|abcdedcba/9/9/9/9/9/9/9 w|row A|
chase|abcdedcba/9/9/9/9/9/9/9/ABCDEDCBA|`w` or `b`|
chase|abcdedcba/9/9/9/9/9/9/9/ABCDEDCBA white|`w` or `b`|white
chase|abcdedcba/9/9/9/9/9/9/9/ABCDEDCBA/9 w|after the nine rows|/9
chase|abcdedcba/9/9/9/9/9/9/8/ABCDEDCBA w|9 cells in row B, found 8|8
chase|abcdedcba/9/9/9/9/9/9/9/ABCDEDCBAA w|9 cells in row A, not more|ABCDEDCBAA
chase|abcdedcga/9/9/9/9/9/9/9/ABCDEDCBA w|a die|g
chase|abcdedcba/9/9/9/9/9/9/9/ABCDEDCBA w x|turns since|x
chase|abcdedcba/9/9/9/9/9/9/9/ABCDEDCBA w 0 +1|number of the turn|+1
chase|abcdedcba/9/9/9/9/9/9/9/ABCDEDCBA w 0 99999999999|number of the turn|99999999999
chase|abcdedcba/9/9/9/9/9/9/9/ABCDEDCBA w 0 1 end here|the end of the position|end here
chess||rank 8|
chess|8/8 w - -|rank 6|
chess|8/8/8/8/8/8/8/7 w - -|8 cells in rank 1, found 7|7
chess|8/8/8/8/8/8/8/K8 w - -|8 cells in rank 1, not more|K8
chess|8/8/8/8/8/8/8/X7 w - -|a piece (P, N|X
chess|4k3/8/8/8/8/8/8/4K3|`w` or `b`|
chess|4k3/8/8/8/8/8/8/4K3 d - -|`w` or `b`|d
chess|4k3/8/8/8/8/8/8/4K3 w|some of `KQkq`|
chess|r3k2r/8/8/8/8/8/8/R3K2R w kK -|some of `KQkq` in this order|K
chess|4k3/8/8/8/8/8/8/4K3 w -|the cell behind a pawn|
chess|4k3/8/8/8/8/8/8/4K3 w - e9|the cell behind a pawn|e9
chess|4k3/8/8/8/8/8/8/4K3 w - - -1|plies since the last capture|-1
chess|4k3/8/8/8/8/8/8/4K3 w - - 0 1 more of it|end of the position|more of it
chess|8/8/8/8/8/8/8/4K3 w - -|one king of Black, found 0|8/8/8/8/8/8/8/4K3
chess|4k3/8/8/8/8/8/8/4K2K w - -|one king of White, found 2|4k3/8/8/8/8/8/8/4K2K
chess|4k2P/8/8/8/8/8/8/4K3 w - -|no pawn on h8|P
chess|4k3/8/8/8/8/8/8/p3K3 w - -|no pawn on a1|p
chess|4k3/8/8/8/8/8/8/4RK2 w - -|attacks the king on e8: Black has left it in check|w
chess|8/8/8/4k3/4K3/8/8/8 b - -|White has left it in check|b
chess|4k3/8/8/8/8/8/8/4K3 w Q -|`Q` needs the rook of White on a1|Q
chess|4k3/8/8/8/8/8/8/R2K4 w Q -|`Q` needs the king of White on e1|Q
chess|4k2r/8/8/8/8/8/8/R3K3 w Qkq -|`q` needs the rook of Black on a8|q
chess|4k3/8/8/8/8/8/8/4K3 w - e6|no pawn of Black can have passed e6|e6
chess|4k3/8/8/4p3/8/8/8/4K3 b - e6|no pawn of White can have passed e6|e6
chess|4k3/4n3/8/4pP2/8/8/8/4K3 w - e6|no pawn of Black can have passed e6|e6
chess-cyl|8/8/8/k6R/8/8/8/4K3 w - - 0 1|left it in check|w
checkers||rank 8|
checkers|8/8 d -|rank 6|
checkers|8/8/8/8/8/8/8/7 d -|8 cells in rank 1, found 7|7
checkers|8/8/8/8/8/8/8/M8 d -|8 cells in rank 1, not more|M8
checkers|8/8/8/8/8/8/8/X7 d -|a man (M or m)|X
checkers|8/8/8/8/8/8/8/M7|`d` or `l`|
checkers|8/8/8/8/8/8/8/M7 w -|`d` or `l`|w
checkers|8/8/8/8/8/8/8/M7 d|`-` at the start|
checkers|8/8/8/8/8/8/8/M7 d x|`-` at the start|x
checkers|8/8/8/8/8/8/8/M7 d - -1|turns since the last jump|-1
checkers|8/8/8/8/8/8/8/M7 d - 0 1 more of it|end of the position|more of it
queens|(M/8/8/8/8/8/8/8 d -|`)` at the end|
queens|(M)7/8/8/8/8/8/8/8 d -|at least two pieces|(M)
checkers|8/8/8/8/8/8/8/1M6 d -|b1 is a light cell|M
checkers|8/8/8/8/8/8/8/(Mm)7 d -|no stacks in checkers|(Mm)
checkers|M1M1M1M1/8/8/8/8/8/8/8 d -|light cell|M
checkers|8/8/8/M7/1M1M1M1M/M1M1M1M1/1M1M1M1M/8 d -|Dark has 13 pieces, more than 12|8/8/8/M7/1M1M1M1M/M1M1M1M1/1M1M1M1M/8
stax|8/8/8/8/8/8/8/M7 d -|Dark has 1 pieces, expected 12: in stax|8/8/8/8/8/8/8/M7
checkers-num|8/8/8/8/8/8/8/M7 d -|A to L|M
checkers-cyl|8/8/8/8/8/8/8/A7 d -|M or m|A
checkers-num|8/8/8/8/8/8/8/C1C5 d -|two men with the number 3|C
checkers|1M6/8/8/8/8/8/8/8 d -|where it becomes a king|M
checkers|8/8/8/8/8/8/8/M7 d a3|no piece of Dark on a3|a3
checkers|8/8/8/8/8/8/8/M7 d a1|cannot continue jumping|a1
checkers|8/8/8/8/8/8/1m6/M7 d a1:b2|have left the board|b2
stax|8/8/8/8/8/8/1(mmmmmmmmmmmm)6/(MMMMMMMMMMMM)7 d a1:|`-` at the start|
stax|8/8/8/8/8/8/1(mmmmmmmmmmmm)6/(MMMMMMMMMMMM)7 d a1:b|`-` at the start|b
stax|8/8/8/8/8/8/1(mmmmmmmmmmmm)6/(MMMMMMMMMMMM)7 d a1:c3|c3 does not show an enemy|c3
stax|8/8/8/8/8/8/1(mmmmmmmmmmmm)6/(MMMMMMMMMMMM)7 d a1:b2b2|each once|b2
stax|8/8/8/8/8/8/1(mmmmmmmmmmmm)6/(MMMMMMMMMMMM)7 d a1:b2|cannot continue jumping|a1
stax-uni|(MMMMMMMMMMMM)7/8/8/8/8/8/8/(mmmmmmmmmmmm)7 d -|light cell|(
stax|1(MMMMMMMMMMMM)6/8/8/8/8/8/8/(qmmmmmmmmmmm)7 d -|where it becomes a king|M
lines9||9 cells in row 1, found 0|
lines9|9/9 o 1|row 3 of 9 from the top|
lines9|9/9/9/9/9/9/9/9/8 o 1|9 cells in row 9, found 8|8
lines9|9/9/9/9/9/9/9/9/10 o 1|9 cells in row 9, not more|10
lines9|z8/9/9/9/9/9/9/9/9 o 1|`o`, `x` or a run|z
moves23|6/7/8/9/10/11/10/9/8/7/7 o 2 -|6 cells in row 11, not more|7
lines9|9/9/9/9/9/9/9/9/9|`o` or `x` as the player to move|
lines9|9/9/9/9/9/9/9/9/9 w 1|`o` or `x` as the player to move|w
lines9|9/9/9/9/9/9/9/9/9 o 1 and more|end of the position| and more
moves23|6/7/8/9/10/oo9/10/9/8/7/6 o|from 1 to 3|
moves23|6/7/8/9/10/oo9/10/9/8/7/6 o 3|stones placed in this turn, like `f1h1`, or `-`|
moves23|6/7/8/9/10/oo9/10/9/8/7/6 o 2 z9|stones placed in this turn|z9
moves23|6/7/8/9/10/oo9/10/9/8/7/6 o 1 c6a6|in the order of rows and letters|a6
moves23|6/7/8/9/10/oo9/10/9/8/7/6 x 2 a6|no stone of x on a6|a6
moves23|6/7/8/9/10/oo9/10/9/8/7/6 o 1 a6c6|a6 and c6 are in one row line|a6c6
moves23|6/7/8/9/10/oo9/10/9/8/7/6 o 3 a6|this turn has 4|3 a6
moves23|6/7/8/9/10/oo9/10/9/8/7/6 o 2 -|but there are stones of other turns|2 -
moves23|6/7/8/9/10/11/10/9/8/7/6 o 2 - -|end of the position| -
moves23|oxxxoo/oxxoxox/oxoxxxxx/oxxxoxoxo/oxoxoxxoxx/oxxxxxxxxox/oxoxxxxxxx/oxoxxoxxo/oxxoxxxx/oxxxooo/oxxxox o 1 -|no stones can complete this turn|-
tetra24|7/8/9/10/11/12/oooo9/12/11/10/9/8/7 o 4 - 0 -|there are shapes on the board|-
tetra24|7/8/9/10/11/12/oooo9/12/11/10/9/8/7 o 4 - 3 o|from 0 to 2|3
tetra24|7/8/9/10/11/12/oooo9/12/11/10/9/8/7 o 4 -|turns in a row without a stone|
tetra24|7/8/9/10/11/12/oooo9/12/11/10/9/8/7 o 2 a7c7 0 o|a7 and c7 are in one group|a7c7
tetra24|7/8/9/10/11/12/oooo9/12/11/10/9/8/7 o 3 a7 2 o|the game is over|2
lines9|oo7/9/9/9/9/9/9/9/9 o|the stones that must still be placed|
lines9|oo7/9/9/9/9/9/9/9/9 o 2+|`2`: o is not behind|2+
lines9|oo7/9/9/9/9/9/9/9/9 x 2|`2+`: x is behind|2
lines9|9/9/9/9/9/9/9/9/9 o 2|the first turn is one stone|2
tricolour|5/6/7/8/3o5/8/7/6/5 o|first stone, swap or not|
tricolour|5/6/7/8/3o5/8/7/6/5 o m|everything was passed, from 0 to 2|
tricolour|5/6/7/8/3o5/8/7/6/5 o s 0|expected `x` in this phase|o
tricolour|5/6/7/8/3o5/8/7/6/5 x s 1|no turn has been passed|1
tricolour|5/6/7/8/9/8/7/6/5 o m 0|there are no stones|m
tricolour|5/6/7/8/9/8/7/6/5 x s 0|one stone, of o|5/6/7/8/9/8/7/6/5";

/// A game, a position, a text that is no action there, what the error says, and the place that it points at.
const ACTIONS: &str = "\
chase|abcdedcba/9/9/9/9/9/9/9/ABCDEDCBA w||an action|
chase|abcdedcba/9/9/9/9/9/9/9/ABCDEDCBA w|hello|an action|hello
chase|abcdedcba/9/9/9/9/9/9/9/ABCDEDCBA w|A|a cell|A
chase|abcdedcba/9/9/9/9/9/9/9/ABCDEDCBA w|A3|a direction|
chase|abcdedcba/9/9/9/9/9/9/9/ABCDEDCBA w|A3NWW|a direction|NWW
chase|abcdedcba/9/9/9/9/9/9/9/ABCDEDCBA w|=|a cell|
chase|abcdedcba/9/9/9/9/9/9/9/ABCDEDCBA w|1A6|a cell|
chase|abcdedcba/9/9/9/9/9/9/9/ABCDEDCBA w|6A6A7|1 to 5 points|6
chase|abcdedcba/9/9/9/9/9/9/9/ABCDEDCBA w|1A6A8|a neighbour of A6|A8
chase|abcdedcba/9/9/9/9/9/9/9/ABCDEDCBA w|B1E|there is no die on B1, and white is to move|B1E
chase|abcdedcba/9/9/9/9/9/9/9/ABCDEDCBA w|I1SE|the die on I1 is not white's, who is to move|I1SE
chase|abcdedcba/9/9/9/9/9/9/9/ABCDEDCBA w|A3SW|expected A3NW, which is the same move|A3SW
chase|abcdedcba/9/9/9/9/9/9/9/ABCDEDCBA w|2A4A5|the 5 on A5 cannot take 2: no die goes above 6|2A4A5
chase|abcdedcba/9/9/9/9/9/9/9/ABCDEDCBA w|1A3B3|an exchange needs an own die on B3|1A3B3
chase|abcdedcba/9/9/9/2AF5/9/9/9/ABC1ED2C w|E4E|the Chamber is in the way of the die on E4|E4E
chase|abcdedcba/9/9/9/2AF5/9/9/9/ABC1ED2C w|E3E|the move from E3 would bump a die into the Chamber|E3E
chase|b7b/9/9/2f6/9/2f6/9/F5f2/F1F1E3B b|I1E|black has 3 points to absorb first: expected =I1 or =I9|I1E
chase|b7b/9/9/2f6/9/2f6/9/F5f2/F1F1E3B b|=F3|F3 cannot take the 3 points: expected a die of lowest speed, =I1 or =I9|=F3
chase|abcdedcba/9/9/9/9/9/9/9/ABCDEDCBA w 100 80|A1E|illegal: the game is over: quiet turns|A1E
chase|abcdedcba/9/9/9/9/9/9/9/ABCDEDCBA b 0 400|I1E|illegal: the game is over: length limit|I1E
chase|f1f1f3e/9/9/9/5D3/9/9/9/ABC1EDCBA b|I1E|illegal: the game is over: four dice|I1E
chase|2d1E1c2/4cc3/9/9/9/8c/1c7/4cc3/E1E1E1E2 w|A1E|illegal: the game is over: no action|A1E
chess|rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1||a move like `e2e4`|
chess|rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1|e2|a move like `e2e4`|e2
chess|rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1|e2-e4|a move like `e2e4`|e2-e4
chess|rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1|e2e9|a move like `e2e4`|e2e9
chess|rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1|i2i4|a move like `e2e4`|i2i4
chess|rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1|E2E4|a move like `e2e4`|E2E4
chess|rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1|e2e4x|a move like `e2e4`|e2e4x
chess|rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1|e2e4qq|a move like `e2e4`|e2e4qq
chess|rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1|e2äx|a move like `e2e4`|e2äx
chess|rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1|e4e5|no piece on e4, and White is to move|e4
chess|rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1|e7e5|the pawn on e7 is not White's|e7
chess|rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1|a1a2|White's own pawn is on a2|a2
chess|rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1|e2d3|the pawn on e2 does not go to d3|e2d3
chess|3r3k/4P3/8/8/8/8/8/4K3 w - - 0 1|e7d8|is promoted: expected q, r, b or n|
chess|3r3k/4P3/8/8/8/8/8/4K3 w - - 0 1|e7d8k|expected q, r, b or n|k
checkers|1m1m1m1m/m1m1m1m1/1m1m1m1m/8/8/M1M1M1M1/1M1M1M1M/M1M1M1M1 d - 0 1||a step like `c3-d4`|
checkers|1m1m1m1m/m1m1m1m1/1m1m1m1m/8/8/M1M1M1M1/1M1M1M1M/M1M1M1M1 d - 0 1|c3|a step like `c3-d4`|c3
checkers|1m1m1m1m/m1m1m1m1/1m1m1m1m/8/8/M1M1M1M1/1M1M1M1M/M1M1M1M1 d - 0 1|c3d4|a step like `c3-d4`|c3d4
checkers|1m1m1m1m/m1m1m1m1/1m1m1m1m/8/8/M1M1M1M1/1M1M1M1M/M1M1M1M1 d - 0 1|c3-d9|a step like `c3-d4`|c3-d9
checkers|1m1m1m1m/m1m1m1m1/1m1m1m1m/8/8/M1M1M1M1/1M1M1M1M/M1M1M1M1 d - 0 1|c3:d4|a step like `c3-d4`|c3:d4
checkers|1m1m1m1m/m1m1m1m1/1m1m1m1m/8/8/M1M1M1M1/1M1M1M1M/M1M1M1M1 d - 0 1|C3-D4|a step like `c3-d4`|C3-D4
checkers|1m1m1m1m/m1m1m1m1/1m1m1m1m/8/8/M1M1M1M1/1M1M1M1M/M1M1M1M1 d - 0 1|c3-d4x|a step like `c3-d4`|c3-d4x
checkers|1m1m1m1m/m1m1m1m1/1m1m1m1m/8/8/M1M1M1M1/1M1M1M1M/M1M1M1M1 d - 0 1|c3äd|a step like `c3-d4`|c3äd
checkers|1m1m1m1m/m1m1m1m1/1m1m1m1m/8/8/M1M1M1M1/1M1M1M1M/M1M1M1M1 d - 0 1|c4-d5|no piece on c4|c4
checkers|1m1m1m1m/m1m1m1m1/1m1m1m1m/8/8/M1M1M1M1/1M1M1M1M/M1M1M1M1 d - 0 1|d6-e5|not Dark's|d6
checkers|1m1m1m1m/m1m1m1m1/1m1m1m1m/8/8/M1M1M1M1/1M1M1M1M/M1M1M1M1 d - 0 1|c3xe5|no piece on d4 to jump|c3xe5
checkers|1m1m1m1m/m1m1m1m1/1m1m1m1m/8/8/M1M1M1M1/1M1M1M1M/M1M1M1M1 d - 0 1|b2xd4|the piece on c3 is Dark's own|b2xd4
checkers|8/8/8/8/3m4/2M3M1/8/8 d -|g3-h4|can jump, and must: expected c3xe5|-
checkers|8/8/8/8/8/2M3M1/8/8 d -|c3-b2|does not step that way|c3-b2
checkers-num|8/8/8/8/1e1f4/2E5/8/8 d -|c3xe5|number is too low|c3xe5
queens|6m1/4(mm)3/(mQ)m2(mM)1m1/1(MMMMM)(Qmmmq)5/2m5/5MM1/5M2/M7 d c5:b6|c5xa7|b6 has been jumped in this turn already|c5xa7
checkers|8/8/5m2/8/3m4/M1M5/8/8 d c3|a3-b4|the piece on c3 must continue jumping: expected c3xe5|a3
moves23|6/7/8/9/10/ooox7/10/9/8/7/6 o 3 -||expected a cell like `h7`, or a line move|
moves23|6/7/8/9/10/ooox7/10/9/8/7/6 o 3 -|f|expected a cell like `h7`, or a line move|f
moves23|6/7/8/9/10/ooox7/10/9/8/7/6 o 3 -|f1:|expected a cell like `h7`, or a line move|f1:
moves23|6/7/8/9/10/ooox7/10/9/8/7/6 o 3 -|F1|expected a cell like `h7`, or a line move|F1
moves23|6/7/8/9/10/ooox7/10/9/8/7/6 o 3 -|a6-c6|expected a cell like `h7`, or a line move|a6-c6
moves23|6/7/8/9/10/ooox7/10/9/8/7/6 o 3 -|pass|expected a cell like `h7`, or a line move|pass
moves23|6/7/8/9/10/ooox7/10/9/8/7/6 o 3 -|f1:h1:j1|expected a cell like `h7`, or a line move|f1:h1:j1
moves23|6/7/8/9/10/ooox7/10/9/8/7/6 o 3 -|ä6|expected a cell like `h7`, or a line move|ä6
moves23|6/7/8/9/10/ooox7/10/9/8/7/6 o 3 -|a6:k6|cannot reach k6: expected a6:g6|a6:k6
moves23|o5/7/8/9/10/ooox7/10/9/8/7/6 o 2 f1|p1|p1 is in one row line with f1|p1
tetra24|7/8/9/10/11/12/oo11/12/11/10/9/8/7 o 3 a7 0 -|e7|a stone on e7 would join the group of a7|e7
lines9|oo7/9/9/9/9/9/9/9/9 x 1+|end|stones still to place in this turn: 1; expected a cell|end
tricolour|5/6/7/8/2ox4o/8/7/6/5 o m 0||expected a cell like `i5`, a move like `m5k3`|
tricolour|5/6/7/8/2ox4o/8/7/6/5 o m 0|-|expected a cell like `i5`, a move like `m5k3`|-
tricolour|5/6/7/8/2ox4o/8/7/6/5 o m 0|Swap|expected a cell like `i5`, a move like `m5k3`|Swap
tricolour|5/6/7/8/2ox4o/8/7/6/5 o m 0|e5e|expected a cell like `i5`, a move like `m5k3`|e5e
tricolour|5/6/7/8/2ox4o/8/7/6/5 o m 0|e5e5e5|expected a cell like `i5`, a move like `m5k3`|e5e5e5
tricolour|5/6/7/8/2ox4o/8/7/6/5 o m 0|e5ä5|expected a cell like `i5`, a move like `m5k3`|e5ä5
tricolour|5/6/7/8/2ox4o/8/7/6/5 o m 0|e5i5|a stone of x on g5 is in the way|e5i5";

/// Positions that look as if they were none.
const READ: &str = "\
chess|4k3/8/8/8/8/8/8/4K3 w - -
stax|8/8/8/8/8/8/1(mmmmmmmmmmmm)6/(MMMMMMMMMMMM)7 d a1
queens|(MMMMMMMMMMMM)7/8/8/8/8/8/8/(mmmmmmmmmmmm)7 d -
stax-uni|1(MMMMMMMMMMMM)6/8/8/8/8/8/8/(mmmmmmmmmmmm)7 d -";

fn fields<const N: usize>(case: &str) -> [&str; N] {
    let fields: Vec<&str> = case.split('|').collect();
    fields.try_into().unwrap_or_else(|_| panic!("{case}"))
}

#[track_caller]
fn check(case: &str, error: Option<TextError>, message: &str, place: &str) {
    let error = error.unwrap_or_else(|| panic!("{case}: it is read"));
    assert!(error.message.contains(message), "{case}: {error}");
    assert_eq!(&error.input[error.span.clone()], place, "{case}: {error}");
}

#[test]
fn bad_positions_are_refused_with_the_reason_and_its_place() {
    for case in POSITIONS.lines() {
        let [game, text, message, place] = fields(case);
        let name: GameName = game.parse().unwrap();
        let error = with_game!(name, G => G::from_position_text(text, &name.rules::<G>()).err());
        check(case, error, message, place);
    }
    for case in READ.lines() {
        let [game, text] = fields(case);
        let name: GameName = game.parse().unwrap();
        let error = with_game!(name, G => G::from_position_text(text, &name.rules::<G>()).err());
        assert_eq!(error, None, "{case}");
    }
}

#[test]
fn bad_actions_are_refused_with_the_reason_and_its_place() {
    for case in ACTIONS.lines() {
        let [game, position, action, message, place] = fields(case);
        let name: GameName = game.parse().unwrap();
        let error = with_game!(name, G => {
            let game = G::from_position_text(position, &name.rules::<G>()).unwrap();
            game.parse_action(action).err()
        });
        check(case, error, message, place);
    }
}
