package generate

import (
	"bytes"
	"slices"
)

// Tic-tac-toe end boards: all 958 boards at which a game can end, x having
// begun, and whether x has won, as in the data set of D. W. Aha (UCI Machine
// Learning Repository, 1991), in the same columns, values and order: first the
// boards that x has won, then those that o has won, then draws, and each part
// in the order of squares, x before o before b for blank.

// squares are the columns, row by row.
var squares = []string{
	"top_left", "top_middle", "top_right",
	"middle_left", "middle_middle", "middle_right",
	"bottom_left", "bottom_middle", "bottom_right",
}

// board is the marks on the squares: 'x', 'o' or 'b'.
type board [9]byte

// lines are the squares that win together.
var lines = [][3]int{
	{0, 1, 2}, {3, 4, 5}, {6, 7, 8},
	{0, 3, 6}, {1, 4, 7}, {2, 5, 8},
	{0, 4, 8}, {2, 4, 6},
}

func (b *board) won(mark byte) bool {
	return slices.ContainsFunc(lines, func(l [3]int) bool { return b[l[0]] == mark && b[l[1]] == mark && b[l[2]] == mark })
}

// outcome returns who has won if a game can end with this board: x, o, or b
// for a draw; 0 if none can end so. One wins with the last mark, which may
// complete two lines.
func (b *board) outcome() byte {
	x, o := bytes.Count(b[:], []byte("x")), bytes.Count(b[:], []byte("o"))
	switch xWon, oWon := b.won('x'), b.won('o'); {
	case xWon && !oWon && x == o+1:
		return 'x'
	case oWon && !xWon && x == o:
		return 'o'
	case !xWon && !oWon && x == 5 && o == 4:
		return 'b'
	}
	return 0
}

// endBoards is the table of all end boards.
func endBoards() table {
	return table{append(slices.Clone(squares), "class"), func(yield func([]string) bool) {
		for _, outcome := range []byte("xob") {
			for code := range 19683 { // 3^9 boards
				b := decode(code)
				if b.outcome() == outcome && !yield(b.row(outcome)) {
					return
				}
			}
		}
	}}
}

// decode returns the board of a number of nine ternary digits, the first square
// in the highest.
func decode(code int) (b board) {
	for i := len(b) - 1; i >= 0; i-- {
		b[i] = "xob"[code%3]
		code /= 3
	}
	return b
}

func (b *board) row(outcome byte) []string {
	row := make([]string, 0, len(b)+1)
	for _, m := range b {
		row = append(row, string(m))
	}
	return append(row, either(outcome == 'x', "positive", "negative"))
}
