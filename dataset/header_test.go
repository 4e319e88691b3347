package dataset

import (
	"slices"
	"strings"
	"testing"
)

// TestBeginsWithData: a first line that consists of values of the columns below is data, and
// what may be a header is one.
func TestBeginsWithData(t *testing.T) {
	lines := func(first, row string) string { return first + "\n" + strings.Repeat(row+"\n", 12) }
	for _, c := range []struct {
		about, table string
		data         bool
	}{
		{"names", lines("age,sex,label", "30,m,1"), false},
		{"texts that come again", lines("m,x,good", "m,y,bad\nf,x,good"), true},
		{"texts that come again, without a last line", lines("m,x,good", "m,y,bad\nf,x,good") + "m,x,bad", true},
		{"one text of two", lines("m,x,label", "m,y,bad\nf,z,good"), false},
		{"two texts of three", lines("m,x,label", "m,x,bad\nf,z,good"), true},
		{"copies of the header", lines("age,sex,label", "30,m,1\nage,sex,label"), false},
		{"numbers and a text that comes again", lines("5.1,3.5,good", "5.1,3.5,good\n4,5,good"), true},
		{"numbers and the name of the label", lines("0,1,2,label", "1,1,1,good\n0,0,0,bad"), false},
		{"numbers", lines("30,64,1,1", "31,60,2,2"), true},
		{"equal numbers", lines("1,1", "1,0"), true},
		{"numbers of columns", lines("0,1,2,3", "0,1,1,1\n1,0,0,0"), false},
		{"years", lines("2010,2011,2012", "5,4,1"), false},
		{"an index without a name", lines(",age,sex", "0,30,m"), false},
		{"too few rows", "m,x,good\nm,x,good\nf,y,bad\n", false},
	} {
		for _, comma := range []string{",", ";", "\t"} {
			text := strings.ReplaceAll(c.table, ",", comma)
			d, err := ReadFrom(strings.NewReader(text), "t.csv", Options{Comma: rune(comma[0]), Multiclass: true, Target: "c1"})
			if data := err == nil && d.NoHeader; data != c.data {
				t.Errorf("%s by %q: data %v, expected %v: %v", c.about, comma, data, c.data, err)
			}
			if err == nil && c.data && !slices.ContainsFunc(d.Notes, func(n string) bool {
				return strings.Contains(n,
					"the first line is data")
			}) {
				t.Errorf("%s: nobody is told: %q", c.about, d.Notes)
			}
		}
	}
}

// TestNoHeaderGiven: what option NoHeader says needs no note, and rows are read alike.
func TestNoHeaderGiven(t *testing.T) {
	table := "m,x,good\n" + strings.Repeat("m,y,bad\nf,x,good\n", 12)
	found, given := read(t, table, Options{}), read(t, table, Options{NoHeader: true})
	if given.N != 25 || found.N != given.N || !slices.Equal(describe(found), describe(given)) {
		t.Errorf("%d and %d samples, %q and %q", found.N, given.N, describe(found), describe(given))
	}
	if slices.ContainsFunc(given.Notes, func(n string) bool { return strings.Contains(n, "first line") }) {
		t.Errorf("notes %q", given.Notes)
	}
	if d := read(t, table, Options{Header: true}); d.N != 24 || d.Columns[0] != "m" {
		t.Errorf("with option Header %d samples, columns %q", d.N, d.Columns)
	}
	if err := (Options{Header: true, NoHeader: true}).Validate(); err == nil {
		t.Error("options Header and NoHeader go together")
	}
	rows, err := NewRows(strings.NewReader(table), "t.csv", Options{})
	if err != nil {
		t.Fatal(err)
	}
	if first, err := rows.Next(); err != nil || rows.Header()[0] != "c1" || first[2] != "good" {
		t.Errorf("header %q, first row %q: %v", rows.Header(), first, err)
	}
}
