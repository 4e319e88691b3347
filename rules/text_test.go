package rules

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parcorels/dataset"
	"parcorels/internal/testing/blocks"
	"parcorels/internal/testing/must"
)

// TestTexts runs the blocks of testdata: tables, and what becomes of their features. Options are JSON behind the command.
//
//	mine     a table: its antecedents, with literals where these are not as many as conditions, and where they hold
//	given    a table: its features are the antecedents, as they are written to files
//	write    a table: its antecedents, as they are written to files
//
// With the word out the table is an .out file, and a line "labels" is before its labels.
func TestTexts(t *testing.T) {
	blocks.Replay(t, "testdata/*.txt", func(t *testing.T, command, input string) string {
		var o struct {
			Read   dataset.Options
			Mine   Options
			Chosen map[string][]float64
			Groups map[string][][]string
		}
		words := blocks.Options(t, command, &o)
		o.Read.Chosen, o.Read.ChosenGroups = o.Chosen, o.Groups
		path := filepath.Join(t.TempDir(), "t.csv")
		if len(words) > 1 && words[1] == "out" {
			path = filepath.Join(t.TempDir(), "t.out")
		}
		table, labels, _ := strings.Cut(input+"\n", "labels\n")
		for name, text := range map[string]string{path: table, path[:len(path)-4] + ".label": labels} {
			must.Do(t, os.WriteFile(name, []byte(text), 0o600))
		}
		d := must.Get(dataset.Read(path, o.Read))(t)
		s, err := Given(d)
		if words[0] != "given" {
			s, err = Mine(t.Context(), d, o.Mine)
		}
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		if words[0] == "mine" {
			tellMined(t, &b, s, path, o.Read)
			return b.String()
		}
		again := must.Get(Given(writeAndRead(t, s)))(t)
		compareSets(t, again, s)
		must.Do(t, s.WriteOut(&b))
		must.Do(t, s.WriteLabel(&b))
		return b.String()
	})
}

// tellMined tells the antecedents of a table. Their conditions must hold on its cells where they capture samples.
func tellMined(t *testing.T, b *strings.Builder, s *Set, path string, o dataset.Options) {
	rows := must.Get(dataset.OpenRows(path, o))(t)
	defer rows.Close()
	var table []map[string]string
	for range s.Data.N {
		cells := must.Get(rows.Next())(t)
		row := map[string]string{}
		for i, name := range rows.Header() {
			row[name] = cells[i]
		}
		table = append(table, row)
	}
	for _, a := range s.Antecedents {
		conditions := Conditions(s.Data, a.Literals)
		fmt.Fprintf(b, "%s", a.Name)
		if len(conditions) != len(a.Literals) {
			fmt.Fprintf(b, " (%d literals)", len(a.Literals))
		}
		b.WriteString(": ")
		for i, row := range table {
			all := true
			for _, c := range conditions {
				holds := must.Get(c.Test.Holds(row[s.Data.Features[c.Feature].Column]))(t)
				all = all && holds != c.Negated
			}
			if all != a.Captured().Test(uint(i)) {
				t.Errorf("%s of row %d is %v", a.Name, i, all)
			}
			fmt.Fprint(b, map[bool]int{true: 1}[all])
		}
		b.WriteString("\n")
	}
}
