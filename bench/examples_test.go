package bench_test

import (
	"bytes"
	"encoding/csv"
	"slices"
	"strings"
	"testing"

	"parcorels/examples"
	"parcorels/internal/testing/testgen"
)

// rows returns header and rows of a table.
func rows(t *testing.T, name string) (header []string, data [][]string) {
	t.Helper()
	text, err := examples.Table(name)
	if err != nil {
		t.Fatal(err)
	}
	all, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return all[0], all[1:]
}

func TestCounts(t *testing.T) {
	for _, want := range []struct {
		name          string
		rows, ones    int
		columns       int
		one, zero     string
		first, ending string
	}{
		{"tictactoe", 958, 626, 10, "positive", "negative", "top_left", "class"},
		{"monk1", 432, 216, 7, "yes", "no", "head_shape", "class"},
		{"monk2", 432, 142, 7, "yes", "no", "head_shape", "class"},
		{"monk3", 432, 228, 7, "yes", "no", "head_shape", "class"},
	} {
		header, data := rows(t, want.name)
		if len(header) != want.columns || header[0] != want.first || header[len(header)-1] != want.ending {
			t.Errorf("%s: header %q", want.name, header)
		}
		ones := 0
		distinct := map[string]bool{}
		for _, r := range data {
			class := r[len(r)-1]
			if class == want.one {
				ones++
			} else if class != want.zero {
				t.Errorf("%s: class %q", want.name, class)
			}
			distinct[strings.Join(r[:len(r)-1], ",")] = true
		}
		if len(data) != want.rows || len(distinct) != want.rows || ones != want.ones {
			t.Errorf("%s: %d rows, %d distinct, %d of class %s; want %d and %d", want.name, len(data), len(distinct), ones, want.one,
				want.rows, want.ones)
		}
	}
}

// TestEndBoardsByPlaying plays all games: the boards that they end with are
// those of the table, with the same winners.
func TestEndBoardsByPlaying(t *testing.T) {
	ends := map[string]string{}
	winner := func(b string) bool {
		for _, l := range []string{"012", "345", "678", "036", "147", "258", "048", "246"} {
			if b[l[0]-'0'] != 'b' && b[l[0]-'0'] == b[l[1]-'0'] && b[l[1]-'0'] == b[l[2]-'0'] {
				return true
			}
		}
		return false
	}
	seen := map[string]bool{}
	var play func(b string, mark, other string)
	play = func(b, mark, other string) {
		if seen[b] {
			return
		}
		seen[b] = true
		switch {
		case winner(b) && other == "x":
			ends[b] = "positive"
		case winner(b), !strings.Contains(b, "b"):
			ends[b] = "negative"
		default:
			for i := range b {
				if b[i] == 'b' {
					play(b[:i]+mark+b[i+1:], other, mark)
				}
			}
		}
	}
	play("bbbbbbbbb", "x", "o")
	_, data := rows(t, "tictactoe")
	if len(data) != len(ends) {
		t.Errorf("%d boards, games end in %d", len(data), len(ends))
	}
	for _, r := range data {
		if b := strings.Join(r[:9], ""); ends[b] != r[9] {
			t.Errorf("board %s is %s, by playing %q", b, r[9], ends[b])
		}
	}
}

func TestUnknownName(t *testing.T) {
	_, err := examples.Table("monk\x1b4")
	if err == nil || !strings.Contains(err.Error(), `"monk\x1b4"`) || !strings.Contains(err.Error(), "monk1, monk2, monk3") {
		t.Errorf("error %v", err)
	}
}

// TestAgainstOriginals compares with the files of the UCI repository.
func TestAgainstOriginals(t *testing.T) {
	_, data := rows(t, "tictactoe")
	var lines []string
	for _, r := range data {
		lines = append(lines, strings.Join(r, ","))
	}
	if !slices.Equal(original(t, "tic-tac-toe.data.gz"), lines) {
		t.Error("tictactoe differs from the original")
	}
	for _, n := range []string{"1", "2", "3"} {
		_, data := rows(t, "monk"+n)
		original := original(t, "monks-"+n+".test.gz")
		if len(original) != len(data) {
			t.Fatalf("monk%s: %d rows, the original has %d", n, len(data), len(original))
		}
		for i, line := range original {
			// The original has the class first, and robots in the same order.
			if class := map[string]string{"1": "yes", "0": "no"}[strings.Fields(line)[0]]; class != data[i][6] {
				t.Errorf("monk%s: robot %d %q is %s in the original", n, i+1, data[i], class)
			}
		}
	}
}

// original returns the lines of a file of the papers' data.
func original(t *testing.T, file string) []string {
	t.Helper()
	return strings.Split(strings.TrimSpace(testgen.DataText(t, "tables", file)), "\n")
}
