package model_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"parcorels/examples"
	"parcorels/family"
	"parcorels/internal/testing/blocks"
	"parcorels/model"
)

// TestFiles runs the blocks of testdata, which are about the model that was learned last.
//
//	fit       a table, or the name of an example, and the options of reading and learning as JSON: the text of the model, with width=N
//	          on a narrow page
//	tamper    changes "from => to" of its file: what is said of each
//	predict   rows "column=cell,…": what is predicted
//
// Each model survives its file byte for byte.
func TestFiles(t *testing.T) {
	var file string
	var m *family.Model
	blocks.Replay(t, "testdata/*.txt", func(t *testing.T, command, input string) string {
		var o struct {
			family.Reading
			family.Options
		}
		var told []string
		switch words := blocks.Options(t, command, &o); words[0] {
		case "fit":
			m, file = fitted(t, input, o.Reading, o.Options)
			c, width := m.Certificate(), model.DefaultWidth
			if len(words) > 1 {
				_, _ = fmt.Sscanf(words[1], "width=%d", &width) // or the default
			}
			return fmt.Sprintf("%sobjective %.6g, %v, parts %d", m.Text(width), c.Objective.Value, c.Status, c.Size)
		case "tamper":
			for change := range strings.SplitSeq(input, "\n") {
				from, to, _ := strings.Cut(change, " => ")
				bad := strings.Replace(file, from, to, 1)
				if bad == file {
					t.Errorf("the file has no %s:\n%s", from, file)
				}
				_, err := family.Decode(strings.NewReader(bad), "m.json")
				told = append(told, fmt.Sprint(err))
			}
		case "predict":
			for line := range strings.SplitSeq(input, "\n") {
				row := map[string]string{}
				for cell := range strings.SplitSeq(line, ",") {
					column, text, _ := strings.Cut(cell, "=")
					row[column] = text
				}
				p, err := m.Predict(row)
				told = append(told, fmt.Sprintf("%s %.4g %v", p.Label, p.Probabilities, err))
			}
		}
		return strings.Join(told, "\n")
	})
}

// fitted learns a model, writes it to its file and reads that again.
func fitted(t *testing.T, text string, r family.Reading, o family.Options) (*family.Model, string) {
	if table, err := examples.Table(text); err == nil {
		text = string(table)
	}
	d, err := family.ReadFrom(strings.NewReader(text), "folder/t.csv", r)
	if err != nil {
		t.Fatal(err)
	}
	m, err := family.Fit(t.Context(), d, o)
	if err != nil {
		t.Fatal(err)
	}
	var file, again bytes.Buffer
	if err := m.Encode(&file); err != nil {
		t.Fatal(err)
	}
	back, err := family.Decode(bytes.NewReader(file.Bytes()), "m.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := back.Encode(&again); err != nil || file.String() != again.String() {
		t.Errorf("the file is another one after reading and writing it: %v", err)
	}
	return m, file.String()
}
