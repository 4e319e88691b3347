package dataset

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
)

// TestDecimalComma: a table with decimal commas is read as the one with points,
// in training and for prediction, and nothing else changes.
func TestDecimalComma(t *testing.T) {
	const commas = "size;text;w;y\n1,5;a,b;0,75;0\n 2,25 ;1,2,3;1;1\n-3,5e1;1.000,5;2,5;1\n4;,;1;0\n2.5;1,;1;1\n\"7,5\";x;1;0\n"
	points := strings.NewReplacer("1,5;", "1.5;", "0,75;", "0.75;", "2,25", "2.25", "-3,5e1", "-3.5e1", "2,5;1", "2.5;1", "7,5",
		"7.5").Replace(commas)
	o := Options{Weight: "w", Cuts: map[string][]float64{"size": {1.6, 3}}}
	got, want := read(t, commas, o), read(t, points, o)
	if len(got.Features) != len(want.Features) || !slices.Equal(got.Weights, want.Weights) {
		t.Fatalf("%s\nwant\n%s", describe(got), describe(want))
	}
	for i, f := range got.Features {
		if f.Name != want.Features[i].Name || !f.Bits.Equal(want.Features[i].Bits) {
			t.Errorf("feature %q, want %q", f.Name, want.Features[i].Name)
		}
	}
	if !slices.ContainsFunc(got.Notes, func(n string) bool {
		return strings.Contains(n, `decimal point of numbers`) && strings.Contains(n, `"size"`)
	}) {
		t.Errorf("notes %q say nothing of commas", got.Notes)
	}
	rows, err := NewRows(strings.NewReader(commas), "t.csv", Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"1.5 a,b 0.75 0", "2.25 1,2,3 1 1", "-3.5e1 1.000,5 2.5 1", "4 , 1 0", "2.5 1, 1 1", "7.5 x 1 0"} {
		cells, err := rows.Next()
		if err != nil || strings.Join(cells, " ") != want {
			t.Errorf("row %q (%v), want %q", cells, err, want)
		}
	}
	if raw := rows.Raw(); raw[0] != "7,5" {
		t.Errorf("raw cells %q", raw)
	}
	if _, err := rows.Next(); err != io.EOF {
		t.Error(err)
	}
	d := read(t, "size,y\n\"1,5\",0\n\"2,5\",1\n\"1,5\",0\n", Options{})
	if len(d.Features) == 0 || d.Features[0].Name != "size = 1,5" {
		t.Errorf("a comma is a decimal point between commas: %s", describe(d))
	}
}

// TestMaybeCommas: numbers with a comma between tabs are texts, which a note says, unless the option reads them as numbers.
func TestMaybeCommas(t *testing.T) {
	const note = "texts may be numbers with a decimal comma"
	for text, asked := range map[string]bool{"1,5": true, "1,234": true, "1,234,567": false, "1,5 kg": false, "15": false} {
		table := "size\ty\n"
		for i := range 40 {
			table += fmt.Sprintf("%d%s\t%d\n", i%6+1, text, i%6/3)
		}
		d, with := read(t, table, Options{}), read(t, table, Options{DecimalComma: true})
		has := slices.ContainsFunc(d.Notes, func(n string) bool { return strings.HasPrefix(n, note) })
		if has != asked || d.MaybeCommas != asked || with.MaybeCommas {
			t.Errorf("%s: asked %v, with the option %v, notes %q", text, d.MaybeCommas, with.MaybeCommas, d.Notes)
		}
		if number := with.Features[0].Test.Kind == Threshold || with.Features[0].Test.Kind == Number; number == (text == "1,5 kg" || text ==
			"1,234,567") {
			t.Errorf("%s is a number: %v", text, number)
		}
	}
}

// TestDecimalCommaSeparates: a decimal comma separates no fields, in the header neither, unless nothing else does.
func TestDecimalCommaSeparates(t *testing.T) {
	for table, comma := range map[string]rune{
		"1,2\t0\n6,3\t1\n":                      '\t',
		"price,EUR\ty\n1,2\t0\n6,3\t1\n":        '\t',
		"4,6\t3,5\t1\n1,2\t2,1\t0\n":            '\t',
		"price,EUR|b,c|y\n4,6|3,5|1\n1,2|2|0\n": '|',
		"x,y\n\"4,6\",1\n\"1,2\",0\n":           ',',
	} {
		got := read(t, table, Options{DecimalComma: true, NoHeader: table[0] < 'a'})
		want := read(t, table, Options{DecimalComma: true, NoHeader: table[0] < 'a', Comma: comma})
		if !slices.Equal(got.Columns, want.Columns) || !slices.Equal(describe(got), describe(want)) {
			t.Errorf("%q: columns %q\n%s\nwant %q\n%s", table, got.Columns, describe(got), want.Columns, describe(want))
		}
	}
}

func TestThresholdTarget(t *testing.T) {
	const table = "x,age\na,41\nb,40\na,39.5\nc,80\n"
	for _, c := range []struct {
		positive string
		classes  [2]string
		bits     string
	}{
		{"> 40", [2]string{"≤ 40", "> 40"}, "1001"},
		{">=40", [2]string{"< 40", "≥ 40"}, "1101"},
		{"≥ 40.0", [2]string{"< 40", "≥ 40"}, "1101"},
		{"< 40", [2]string{"≥ 40", "< 40"}, "0010"},
		{" <= 40 ", [2]string{"> 40", "≤ 40"}, "0110"},
		{"> 100", [2]string{"≤ 100", ""}, "0000"},
	} {
		d := read(t, table, Options{Positive: c.positive})
		if d.Classes != c.classes || bitText(d, Feature{Bits: d.Labels}) != c.bits || d.OneVsRest {
			t.Errorf("%q: classes %q, labels %s", c.positive, d.Classes, bitText(d, Feature{Bits: d.Labels}))
		}
		if holds, ok := ClassHolds(c.positive, "41"); !ok || holds != (c.bits[0] == '1') {
			t.Errorf("%q of 41: %v, %v", c.positive, holds, ok)
		}
	}
	if d := read(t, "x,y\na,> 40\nb,<= 40\n", Options{Positive: "<= 40"}); d.Classes[1] != "<= 40" {
		t.Errorf("a label that looks like a threshold: %q", d.Classes)
	}
	for _, c := range []struct{ table, positive, want string }{
		{table + "d,old\n", "> 40", `t.csv:6: label "old" in column "age" is not a number, and class 1 is to be "> 40"`},
		{table + "d,?\n", "> 40", `t.csv:6: the label in column "age" is missing`},
		{table, "> forty", `has no value "> forty" for class 1`},
	} {
		_, err := ReadFrom(strings.NewReader(c.table), "t.csv", Options{Positive: c.positive})
		checkError(t, c.positive, err, c.want)
	}
}
