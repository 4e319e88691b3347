package rulelist

import (
	"encoding/csv"
	"fmt"
	"io"
	"strings"
	"testing"

	"parcorels/dataset"
	"parcorels/model/predict"
	"parcorels/rules"
)

// FuzzPredict applies models to any table: what has every column gets a
// prediction for every row, with four cells more than it had, or one line that
// says where it does not fit.
func FuzzPredict(f *testing.F) {
	var models []*Model
	for _, o := range []dataset.Options{{}, {DropMissing: true}, {Missing: []string{"sun"}}} {
		s := read(f, table, o, rules.Options{Negations: true})
		models = append(models, modelOf(f, s, o, []Rule{{0, 1}, {len(s.Antecedents) - 1, 0}}, true))
	}
	f.Fuzz(func(t *testing.T, text string, which uint8, comma rune) {
		m := models[int(which)%len(models)]
		rows, err := dataset.NewRows(strings.NewReader(text), "n.csv", dataset.Options{Comma: comma})
		if err != nil {
			return // dataset fuzzes this
		}
		p, err := predict.Bind(m, rows.Header(), strict)
		if err != nil {
			checkLine(t, err)
			return
		}
		var out strings.Builder
		w := csv.NewWriter(&out)
		w.Comma = rows.Comma()
		sum, err := p.Stream("n.csv", rows, w)
		if err != nil {
			checkLine(t, err)
			return
		}
		for _, line := range append(sum.Warnings(), strings.Split(evaluated(sum), "\n")...) {
			if strings.ContainsFunc(line, func(r rune) bool { return r < ' ' }) {
				t.Fatalf("a warning with control characters: %q", line)
			}
		}
		back := csv.NewReader(strings.NewReader(out.String()))
		back.Comma = rows.Comma()
		n := int64(-1) // the header
		for {
			cells, err := back.Read()
			if err == io.EOF {
				break
			}
			if err != nil || len(cells) != len(rows.Header())+4 {
				t.Fatalf("row %d: %d cells under %d headings, %v", n, len(cells), len(rows.Header()), err)
			}
			n++
		}
		if n != sum.Rows {
			t.Fatalf("%d rows written of %d", n, sum.Rows)
		}
	})
}

func evaluated(s *predict.Summary) string {
	if s.Evaluation == nil {
		return ""
	}
	return fmt.Sprint(s.Evaluation.Counts)
}

// checkLine checks that an error is one line fit to print, whatever the table.
func checkLine(t *testing.T, err error) {
	t.Helper()
	if strings.ContainsAny(err.Error(), "\n\r\x1b\a\x00") {
		t.Fatalf("an error that is not one printable line: %q", err)
	}
}
