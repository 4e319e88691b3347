package dataset

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestBadTables: each gives one line with file, line, value and expectation.
func TestBadTables(t *testing.T) {
	const good = "a,b,label\n1,x,0\n2,y,1\n"
	var amounts strings.Builder
	for i := range 128 {
		fmt.Fprintf(&amounts, "%s%d,%d\n", map[bool]string{true: "a,label\n"}[i == 0], i%7, i)
	}
	long := strings.Repeat("n", 2000)
	for _, c := range []struct {
		name, text string
		o          Options
		want       string
	}{
		{"empty", "", Options{}, "t.csv: the file is empty"},
		{"empty in gzip", compressed(t, ""), Options{}, "t.csv: the file is empty"},
		{"only a mark", "\ufeff", Options{}, "no lines but empty ones"},
		{"only line ends", "\n\n\r\n", Options{}, "no lines but empty ones"},
		{"header only", "a,b,label\n", Options{}, "t.csv: there is a header, but no row"},
		{"few fields", good + "\n3,z\n", Options{}, `t.csv:5: fields separated by ',': 2, expected 3 as in the header`},
		{"many fields", good + "3,z,1,1\n", Options{}, `t.csv:4: fields separated by ',': 4, expected 3`},
		{"many fields without a header", good + "3,z,1,1\n", Options{NoHeader: true},
			`t.csv:4: fields separated by ',': 4, expected 3 as in the first line`},
		{"quote inside", good + "3,z\"z,1\n", Options{}, `t.csv:4: a quote (") at byte 4 inside a field`},
		{"quote not closed", good + "3,\"z,1\n4,z,1\n", Options{}, "line 4 is not closed"},
		{"text after a quote", good + "3,\"z\" z,1\n", Options{}, "line 4 is not closed"},
		{"NUL byte", good + "3,z\x00,1\n", Options{}, "t.csv:4: a NUL byte"},
		{"long name", "a," + long + ",label\n1,x,0\n", Options{}, "the name of column 2 has 2000 bytes"},
		{"old line ends", "a,b,label\r1,x,0\r2,y,1\r", Options{}, "has a carriage return"},
		{"xlsx", "PK\x03\x04\x14\x00", Options{}, "this is a zip archive, or a damaged Excel file: unpack it"},
		{"bzip2", "BZh91AY", Options{}, "this is compressed by bzip2: unpack it first"},
		{"xz", "\xfd7zXZ\x00", Options{}, "this is compressed by xz: unpack it first"},
		{"zstd", "\x28\xb5\x2f\xfd\x00", Options{}, "this is compressed by zstd: unpack it first"},
		{"names of rows", "a,label\n\"1\",x,0\n", Options{}, "(if R wrote names of rows without a heading: use write.csv)"},
		{"no weight", "a,w,label\n1,nan,0\n2,1,1\n", Options{Weight: "w"}, `weight "nan" in column "w" is missing: give every row a weight`},
		{"records of JSON", "[{\"a\":1}]", Options{}, "this is JSON"},
		{"truncated gzip", compressed(t, good)[:20], Options{}, "the gzip stream is truncated"},
		{"very short gzip", compressed(t, good)[:5], Options{}, "the gzip stream is truncated"},
		{"damaged gzip", compressed(t, good)[:12] + "\xff\xff\xff\xff" + compressed(t, good)[16:], Options{}, "the gzip stream is damaged"},
		{"garbage after gzip", compressed(t, good) + "garbage garbage", Options{}, "something else follows the gzip stream (in line 4)"},
		{"one column", "label\n1\n0\n", Options{}, `only one column, "label"`},
		{"wrong separator", good, Options{Comma: ';'}, `only one column, "a,b,label"`},
		{"nothing but the target", good, Options{Ignore: []string{"a", "b"}}, "no column is left besides the target"},
		{"unknown target", good, Options{Target: "recid"}, `no column "recid" (the target); the columns are "a", "b", "label"`},
		{"other letters", good, Options{Target: "Label"}, `no column "Label" (the target); did you mean "label"?`},
		{"unknown weight", good, Options{Weight: "w"}, `no column "w" (the weights)`},
		{"unknown column to ignore", good, Options{Ignore: []string{"\x1b"}}, `no column "\x1b" (to ignore)`},
		{"unknown column with cuts", good, Options{Cuts: map[string][]float64{"age": {1}}}, `no column "age" (with cuts)`},
		{"ignored target", good, Options{Ignore: []string{"label"}}, `column "label" cannot be ignored`},
		{"label file", good, Options{Labels: "x.label"}, "t.csv: a label file, x.label, goes with an .out file only"},
		{"target as weight", good, Options{Weight: "label"}, `"label" cannot be both target and weight`},
		{"target with cuts", good, Options{Cuts: map[string][]float64{"label": {1}}}, `"label" cannot have cuts`},
		{"cuts of text", good, Options{Cuts: map[string][]float64{"b": {1}}},
			`t.csv:2: "x" in column "b" is not a number, and the column has cuts`},
		{"target twice", "label,a,label\n1,2,0\n", Options{Target: "label"}, `more than one column is called "label"`},
		{"three classes", good + "3,z,2\n", Options{}, `target "label" has 3 values, "0", "1", "2", expected two: name the one to tell from all others with option Positive`},
		{"amounts", amounts.String(), Options{Target: "label", Multiclass: true}, `target "label" has 128 different numbers, which are amounts rather ` +
			`than classes: name the one to tell from all others with option Positive, or a threshold such as "> 63"`},
		{"unknown class", good, Options{Positive: "yes"}, `target "label" has no value "yes" for class 1; its values are "0", "1"`},
		{"line for spreadsheets", "sep=;\na;b;label\n1;x;0\n2;y;1\n", Options{},
			`t.csv:1: the line "sep=" tells spreadsheets the separator and is no header: remove it`},
		{"separators at the end", "a,b,label,\n1,x,0,\n2,y,1,\n", Options{},
			`t.csv: every label in column "c4" is missing: name the column of the labels with option Target`},
		{"missing label", good + "3,z,?\n", Options{}, `t.csv:4: the label in column "label" is missing ("?")`},
		{"all rows dropped", "a,b,label\n1,?,0\n?,x,1\n2,y,\n", Options{DropMissing: true}, "every one of the 3 rows has a missing value"},
	} {
		_, err := ReadFrom(strings.NewReader(c.text), "t.csv", c.o)
		checkError(t, c.name, err, c.want)
	}
}

func TestBadOptions(t *testing.T) {
	for _, c := range []struct {
		o    Options
		want string
	}{
		{Options{Comma: '"'}, `'"' cannot separate fields`},
		{Options{Comma: '\n'}, `'\n' cannot separate fields`},
		{Options{Bins: 1}, "1 intervals per numeric column"},
		{Options{Bins: -3}, "expected at least 2"},
		{Options{Weight: "w", Target: "w"}, "both target and weight"},
		{Options{Cuts: map[string][]float64{"a": nil}}, `no cuts for column "a"`},
		{Options{Cuts: map[string][]float64{"a": {math.Inf(1)}}}, "+Inf cannot be a cut"},
		{Options{ClassWeights: "x"}, "class weights"},
	} {
		checkError(t, "Validate", c.o.Validate(), c.want)
		_, err := ReadFrom(strings.NewReader("a,b\n"), "t.csv", c.o)
		checkError(t, "ReadFrom", err, c.want)
		_, err = NewRows(strings.NewReader("a,b\n"), "t.csv", c.o)
		checkError(t, "NewRows", err, c.want)
	}
}

func TestBadFiles(t *testing.T) {
	dir := t.TempDir()
	damaged := filepath.Join(dir, "t.parquet")
	write(t, damaged, "PAR1\x00")
	for _, c := range []struct{ path, want string }{
		{filepath.Join(dir, "none.csv"), "none.csv: no such file or directory"},
		{dir, "is a directory"},
		{damaged, "t.parquet: this file of Parquet is damaged: it ends too early"},
	} {
		_, err := Read(c.path, Options{})
		checkError(t, "Read", err, c.want)
		_, err = OpenRows(c.path, Options{})
		checkError(t, "OpenRows", err, c.want)
	}
	if os.Getuid() == 0 {
		return // who may read everything
	}
	path := filepath.Join(dir, "secret.csv")
	write(t, path, "a,b\n")
	if err := os.Chmod(path, 0); err != nil {
		t.Fatal(err)
	}
	_, err := Read(path, Options{})
	checkError(t, "Read", err, "secret.csv: permission denied")
}
