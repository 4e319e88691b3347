package dataset

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"parcorels/internal/testing/blocks"
	"parcorels/internal/testing/must"
	"parcorels/optionerr"
)

// TestData runs the blocks of testdata: tables, and the data sets that they are read as. Options are JSON behind the command.
//
//	read           a table; with the word quoted each line is a Go string; with times=N what is behind the first line comes N
//	               times; with gzip compressed, and then cut=N, damaged at damage=N, or with then=TEXT behind it
//	columns        a table by its columns: "NAME: cells in turn", _ for an empty one, a..b numbers, a..b+T with T behind them,
//	               a..b/d parts of them, v*n one n times; words are rows=N and by=SEPARATOR
//	out            an .out file, a line "labels", and its labels
//	holds          a test, and cells: where it holds (1), does not (0), and cannot be told (-)
//	scale          how dates are written, and texts: their numbers
//	numbers        texts: the numbers that they are, as they are written
//	rows           a table: its header and separator, its rows and the lines on which they begin; with out an .out file and its labels
//	alike          Go strings, each a table: the first, and which of the others are read as something else; behind each | a part of
//	               a table is compressed
//
// The tests of features of each table must agree with their samples. The word quantiles cuts at quantiles, the word negated tells the
// negations of features, the words hash and unhashed the hash, and that there is none.
func TestData(t *testing.T) {
	blocks.Replay(t, "testdata/*.txt", func(t *testing.T, command, input string) string {
		var o Options
		var test Test
		to := any(&o)
		if strings.HasPrefix(command, "holds") {
			to = &test
		}
		is := map[string]string{}
		words := blocks.Options(t, command, to)
		for _, word := range words[1:] {
			name, value, _ := strings.Cut(word, "=")
			is[name] = value
		}
		_, o.atQuantiles = is["quantiles"]
		_, o.NoHash = is["unhashed"]
		switch words[0] {
		case "read":
			return told(t, readText(t, input, is), o, is)
		case "columns":
			return told(t, inColumns(input, is), o, is)
		case "out":
			d, err := Read(pairOf(t, input), o)
			return regexp.MustCompile(`[^ ]*/x\.`).ReplaceAllString(toldOf(t, d, err, is), "x.")
		case "holds":
			return toldHolds(t, test, strings.Split(input, "\n"))
		case "rows":
			if _, ok := is["out"]; ok {
				rows, err := OpenRows(pairOf(t, input), o)
				return toldRows(rows, err)
			}
			rows, err := NewRows(strings.NewReader(readText(t, input, is)), "t.csv", o)
			return toldRows(rows, err)
		case "alike":
			return toldAlike(t, input, o, is)
		case "numbers":
			words = append(words, "")
		}
		s := Scale{Time: Time(words[1])}
		var all []string
		for text := range strings.SplitSeq(input, "\n") {
			v, ok := s.Parse(text)
			if again, _ := s.Parse(s.Format(v)); ok && again == v {
				all = append(all, fmt.Sprintf("%v, %s", v, s.Format(v)))
			} else {
				all = append(all, fmt.Sprint("none, reads back ", !ok))
			}
		}
		return strings.Join(all, "\n")
	})
}

// toldAlike tells the first of several tables, and which others are read as something else.
func toldAlike(t *testing.T, input string, o Options, is map[string]string) (first string) {
	all := first
	for i, form := range strings.Split(input, "\n") {
		parts := strings.Split(form, "|")
		text := unquoted(t, parts[0])
		for _, part := range parts[1:] {
			text += compressed(t, unquoted(t, part))
		}
		now := told(t, text, o, is)
		if i == 0 {
			first, all = now, now
		} else if now != first {
			all += "form " + form + "\n" + now
		}
	}
	return all
}

// pairOf writes an .out file and its labels, which stand behind a line "labels", as Go strings, and returns the path.
func pairOf(t *testing.T, input string) string {
	out, labels, _ := strings.Cut(input+"\n", "labels\n")
	return writePair(t, unquoted(t, out), unquoted(t, labels))
}

// toldRows tells the rows of a table.
func toldRows(rows *Rows, err error) string {
	if err != nil {
		return err.Error()
	}
	defer rows.Close()
	told := fmt.Sprintf("%q by %q", rows.Header(), rows.Comma())
	for {
		cells, err := rows.Next()
		if err != nil {
			return told + "\n" + err.Error()
		}
		told += fmt.Sprintf("\n%d: %q", rows.Line(), cells)
	}
}

// readText returns the table of a command.
func readText(t *testing.T, input string, is map[string]string) string {
	if _, ok := is["quoted"]; ok {
		return unquoted(t, input)
	}
	if _, ok := is["gzip"]; ok {
		return damaged(t, input, is)
	}
	first, rest, _ := strings.Cut(input+"\n", "\n")
	if n, err := strconv.Atoi(is["times"]); err == nil {
		return first + "\n" + strings.Repeat(rest, n)
	}
	return input + "\n"
}

// damaged returns a table as a gzip stream that was damaged.
func damaged(t *testing.T, input string, is map[string]string) string {
	if input != "" {
		input += "\n"
	}
	text := compressed(t, input)
	if at, err := strconv.Atoi(is["cut"]); err == nil && at > 0 {
		text = text[:at]
	}
	if at, err := strconv.Atoi(is["damage"]); err == nil {
		text = text[:at] + "\xff\xff\xff\xff" + text[at+4:]
	}
	return text + is["then"]
}

// unquoted returns the Go strings that lines are.
func unquoted(t *testing.T, text string) string {
	var all strings.Builder
	for line := range strings.Lines(text) {
		part, err := strconv.Unquote(`"` + strings.TrimSuffix(line, "\n") + `"`)
		if err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		all.WriteString(part)
	}
	return all.String()
}

// inColumns returns a table by its columns.
func inColumns(input string, is map[string]string) string {
	by, header, columns, rows := ",", []string{}, [][]string{}, 0
	if is["by"] != "" {
		by = strings.ReplaceAll(is["by"], `\t`, "\t")
	}
	for line := range strings.SplitSeq(input, "\n") {
		name, cells, _ := strings.Cut(line, ": ")
		var column []string
		for token := range strings.FieldsSeq(cells) {
			column = append(column, cellsOf(token)...)
		}
		header, columns, rows = append(header, name), append(columns, column), max(rows, len(column))
	}
	if n, err := strconv.Atoi(is["rows"]); err == nil {
		rows = n
	}
	return rowsOf(strings.Join(header, by), rows, func(i int) string {
		var row []string
		for _, column := range columns {
			cell := strings.ReplaceAll(column[i%len(column)], "~", " ")
			if strings.Contains(cell, by) {
				cell = `"` + cell + `"`
			}
			row = append(row, cell)
		}
		return strings.Join(row, by)
	})
}

// cellsOf returns the cells that a word stands for.
func cellsOf(token string) (cells []string) {
	cell, times, _ := strings.Cut(token, "*")
	if n, err := strconv.Atoi(times); err == nil {
		for range n {
			cells = append(cells, cell)
		}
		return cells
	}
	first, rest, isRange := strings.Cut(token, "..")
	last, divisor, isDivided := strings.Cut(rest, "/")
	last, behind, _ := strings.Cut(last, "+")
	a, err1 := strconv.Atoi(first)
	b, err2 := strconv.Atoi(last)
	switch {
	case token == "_":
		return []string{""}
	case !isRange || err1 != nil || err2 != nil:
		return []string{token}
	}
	d := 1
	if isDivided {
		d, _ = strconv.Atoi(divisor)
	}
	for i := a; i <= b; i++ {
		cells = append(cells, fmt.Sprint(float64(i)/float64(d))+behind)
	}
	return cells
}

// told reads a table and tells what it is read as.
func told(t *testing.T, text string, o Options, is map[string]string) string {
	d, err := ReadFrom(strings.NewReader(text), "t.csv", o)
	if err == nil && d.Dropped == 0 {
		checkTests(t, text, d, o)
	}
	return toldOf(t, d, err, is)
}

func toldOf(t *testing.T, d *Dataset, err error, is map[string]string) string {
	if err != nil {
		checkError(t, "read", err, "")
		if of, ok := errors.AsType[*optionerr.Error](err); ok {
			return "error of " + of.Field + ": " + err.Error()
		}
		return "error: " + err.Error()
	}
	checkInvariants(t, d)
	const shown = 60 // samples
	var b strings.Builder
	for _, f := range d.Features {
		if _, ok := is["negated"]; ok {
			f.Name += " (" + f.NegatedName() + ")"
		}
		if d.N > shown {
			fmt.Fprintf(&b, "%s: %d of %d\n", f.Name, f.Bits.Count(), d.N)
		} else {
			fmt.Fprintf(&b, "%s: %s\n", f.Name, bitText(d, f))
		}
	}
	fmt.Fprintf(&b, "%s:", d.Target)
	for c := range d.ClassCount() {
		fmt.Fprintf(&b, " %q", d.ClassName(c))
	}
	if d.N <= shown {
		b.WriteString(" ")
		for i := range d.N {
			fmt.Fprint(&b, d.Class(i))
		}
	}
	b.WriteString("\n")
	if d.Weights != nil && d.N <= shown {
		fmt.Fprintf(&b, "weights %v in units of %v\n", d.Weights, d.WeightUnit)
	}
	if d.Dropped > 0 {
		fmt.Fprintf(&b, "dropped %d, kept %v\n", d.Dropped, d.FileRows()[:min(d.N, 20)])
	}
	for _, note := range d.Notes {
		fmt.Fprintf(&b, "note: %s\n", note)
	}
	if _, ok := is["hash"]; ok {
		fmt.Fprintf(&b, "hash %q\n", d.Hash)
	}
	if d.MaybeMissing != nil || d.MaybeCommas {
		fmt.Fprintf(&b, "maybe missing %q, maybe commas %v\n", d.MaybeMissing, d.MaybeCommas)
	}
	return b.String()
}

// toldHolds tells where a test holds, also when it was written to a file.
func toldHolds(t *testing.T, test Test, cells []string) string {
	text := must.Get(json.Marshal(test))(t)
	var back Test
	must.Do(t, json.Unmarshal(text, &back))
	var all strings.Builder
	for _, cell := range cells {
		holds, err := test.Holds(cell)
		if again, err2 := back.Holds(cell); again != holds || (err == nil) != (err2 == nil) {
			t.Errorf("%s of %q: %v, %v; read back %v, %v", text, cell, holds, err, again, err2)
		}
		switch {
		case err != nil:
			all.WriteString("-")
		case holds:
			all.WriteString("1")
		default:
			all.WriteString("0")
		}
	}
	return all.String()
}
