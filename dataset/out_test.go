package dataset

import (
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// readPair reads an .out file with its labels from a folder of their own.
func readPair(t *testing.T, out, labels string, o Options) (*Dataset, error) {
	t.Helper()
	dir := t.TempDir()
	if labels != "" {
		write(t, filepath.Join(dir, "x.label"), labels)
	}
	write(t, filepath.Join(dir, "x.out"), out)
	return Read(filepath.Join(dir, "x.out"), o)
}

// TestOutForms writes one file in all ways that are read.
func TestOutForms(t *testing.T) {
	const out = "{sex:Male} 0 0 0 1\n{age:18-20,sex:Male} 0 0 0 0\nplain 1 1 0 1\n"
	const labels = "{recid:No} 0 0 1 0\n{recid:Yes} 1 1 0 1\n"
	for name, text := range map[string]string{
		"plain":            out,
		"\\r\\n":           strings.ReplaceAll(out, "\n", "\r\n"),
		"tabs":             strings.ReplaceAll(out, " ", "\t"),
		"several blanks":   strings.ReplaceAll(out, " ", " \t  "),
		"blanks at ends":   "  " + strings.ReplaceAll(out, "\n", "  \n\t"),
		"no last line end": strings.TrimSuffix(out, "\n"),
		"empty lines":      "\n" + strings.ReplaceAll(out, "\n", "\n\n \n"),
		"byte order mark":  "\ufeff" + out,
		"gzip":             compressed(t, out),
	} {
		d, err := readPair(t, text, labels, Options{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		checkInvariants(t, d)
		want := []string{"{sex:Male}: 0001", "{age:18-20,sex:Male}: 0000", "plain: 1101"}
		if got := describe(d); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
		if d.Target != "recid" || d.Classes != [2]string{"No", "Yes"} || bitText(d, Feature{Bits: d.Labels}) != "1101" {
			t.Errorf("%s: target %q, classes %q, labels %s", name, d.Target, d.Classes, bitText(d, Feature{Bits: d.Labels}))
		}
	}
	// Thousands of leading zeros are zeros like all others.
	zeros := strings.Repeat(" 0", 3000)
	d, err := readPair(t, "{a b}"+zeros+" 1\n", "{l:0}"+zeros+" 1\n{l:1}"+strings.ReplaceAll(zeros, "0", "1")+" 0\n", Options{})
	if err != nil || d.N != 3001 || d.Features[0].Name != "{a b}" || d.Features[0].Bits.Count() != 1 || d.Labels.Count() != 3000 {
		t.Errorf("leading zeros: %v, %v", d, err)
	}
}

func TestOutClasses(t *testing.T) {
	for _, c := range []struct {
		zero, one, positive string
		target              string
		classes             [2]string
		bits                string // labels 0 1 1 of the second line
	}{
		{"{recid:No}", "{recid:Yes}", "", "recid", [2]string{"No", "Yes"}, "011"},
		{"{recid:Yes}", "{recid:No}", "", "recid", [2]string{"No", "Yes"}, "100"},
		{"{label=0}", "{label=1}", "", "label", [2]string{"0", "1"}, "011"},
		{"{label=0}", "{label=1}", "0", "label", [2]string{"1", "0"}, "100"},
		{"{good}", "{bad}", "", "label", [2]string{"good", "bad"}, "011"},
		{"{good}", "{bad}", "good", "label", [2]string{"bad", "good"}, "100"},
		{"{risk level: low}", "{risk level: high}", "", "risk level", [2]string{"low", "high"}, "011"},
		{"a:b", "a:", "", "label", [2]string{"a:b", "a:"}, "011"},
		{"{x:1}", "{y:0}", "", "label", [2]string{"x:1", "y:0"}, "011"},
	} {
		d, err := readPair(t, "{f} 1 0 1\n", c.zero+" 1 0 0\n"+c.one+" 0 1 1\n", Options{Positive: c.positive})
		if err != nil {
			t.Error(err)
			continue
		}
		if got := bitText(d, Feature{Bits: d.Labels}); d.Target != c.target || d.Classes != c.classes || got != c.bits {
			t.Errorf("%s, %s, positive %q: target %q, classes %q, labels %s", c.zero, c.one, c.positive, d.Target, d.Classes, got)
		}
	}
	for _, c := range []struct {
		labels  string
		classes [2]string
	}{
		{"{l:0} 1 1\n{l:1} 0 0\n", [2]string{"0", ""}},
		{"{l:0} 0 0\n{l:1} 1 1\n", [2]string{"", "1"}},
	} {
		d, err := readPair(t, "{f} 1 0\n", c.labels, Options{})
		if err != nil || d.Classes != c.classes || !strings.Contains(strings.Join(d.Notes, "\n"), "without rules is optimal") {
			t.Errorf("%q: %v, %v", c.labels, d, err)
			continue
		}
		checkInvariants(t, d)
	}
}

func TestOutWeights(t *testing.T) {
	d, err := readPair(t, "{f} 1 0 1 1\n", "{l:0} 1 0 0 0\n{l:1} 0 1 1 1\n", Options{ClassWeights: "balanced"})
	if err != nil || !slices.Equal(d.Weights, []int64{3, 1, 1, 1}) {
		t.Errorf("%v, %v", d, err)
	}
}

func TestOutLabelFiles(t *testing.T) {
	dir := t.TempDir()
	const out, labels = "{f} 1 0\n", "{l:0} 1 0\n{l:1} 0 1\n"
	path := filepath.Join(dir, "x.OUT.gz")
	write(t, path, compressed(t, out))
	_, err := Read(path, Options{})
	checkError(t, "no labels", err, "x.label.gz is there; name the file with option Labels")
	rows, err := OpenRows(path, Options{})
	if err != nil || !slices.Equal(rows.Header(), []string{"{f}"}) {
		t.Errorf("rows without labels: %v", err)
	}
	write(t, filepath.Join(dir, "x.label.gz"), compressed(t, labels))
	for _, o := range []Options{{}, {Labels: filepath.Join(dir, "x.label.gz")}} {
		if d, err := Read(path, o); err != nil || d.Classes[1] != "1" {
			t.Errorf("%+v: %v", o, err)
		}
	}
	_, err = Read(path, Options{Labels: filepath.Join(dir, "y.label")})
	checkError(t, "labels that are not there", err, "y.label: no such file")
}

func TestOutRows(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "x.out"), "{f} 1 0\n{g} 1 1\n")
	write(t, filepath.Join(dir, "x.label"), "{l:no} 1 0\n{l:yes} 0 1\n")
	rows, err := OpenRows(filepath.Join(dir, "x.out"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	all := []string{strings.Join(rows.Header(), " ")}
	for {
		cells, err := rows.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, strings.Join(cells, " "))
	}
	if want := []string{"{f} {g} l", "1 1 no", "0 1 yes"}; !slices.Equal(all, want) || rows.Line() != 2 {
		t.Errorf("rows %q, want %q; the last is %d", all, want, rows.Line())
	}
}

func TestBadOut(t *testing.T) {
	const out, labels = "{f} 1 0 0\n", "{l:0} 1 0 0\n{l:1} 0 1 1\n"
	for _, c := range []struct {
		name, out, labels string
		o                 Options
		want              string
	}{
		{"empty", "", labels, Options{}, "x.out: the file is empty"},
		{"blank", " \n\t\n", labels, Options{}, "x.out: the file has no lines but empty ones"},
		{"cell 2", out + "{g} 0 2 1\n", labels, Options{}, `x.out:2: "{g}": cell 2 is "2", expected 0 or 1`},
		{"cell text", out + "{g} 0 0 \x1b[31m\n", labels, Options{}, `cell 3 is "\x1b[31m"`},
		{"cells run together", "{g} 0 01\n", labels, Options{}, `cell 2 is "01", expected 0 or 1`},
		{"a blank in a bare name", "my name 0 1 1\n", labels, Options{}, `x.out:1: "my": cell 1 is "name"`},
		{"two lines in one", "{f} 1 0 0 {g} 0 0 1\n", labels, Options{}, `cell 4 is "{g}"`},
		{"table", "a,b,label\n1,x,0\n", labels, Options{}, `x.out:1: "a,b,label" has no cells`},
		{"brace not closed", "{f 1 0 0\n", labels, Options{}, `begins "{f 1 0 0" has no closing brace`},
		{"no blank behind the name", "{f}1 0 0\n", labels, Options{}, `no blank is behind the name "{f}"`},
		{"no cells", "{f}\n", labels, Options{}, `x.out:1: "{f}" has no cells`},
		{"short line", out + "\n{g} 1 0\n", labels, Options{}, "x.out:3: 2 cells, expected 3 as in line 1"},
		{"name twice", out + "{g} 1 0 0\n" + out, labels, Options{}, `x.out:3: the name "{f}" was given in line 1`},
		{"name with control", "{f\x07} 1 0 0\n", labels, Options{}, `the character '\a'`},
		{"name that turns the text", "{f\u202e} 1 0 0\n", labels, Options{}, `the character '\u202e', which cannot be shown`},
		{"name not UTF-8", "{\xe9} 1 0 0\n", labels, Options{}, `the name "{\xe9}" is not UTF-8`},
		{"long name", "{" + strings.Repeat("n", 2000) + "} 1 0 0\n", labels, Options{}, "is longer than 1024 bytes"},
		{"NUL byte", "{f} 1 0 \x00\n", labels, Options{}, "x.out:1: a NUL byte"},
		{"truncated", compressed(t, out)[:20], labels, Options{}, "truncated"},
		{"no labels", out, "", Options{}, "no labels: neither"},
		{"one line of labels", out, "{l:0} 1 0 0\n", Options{}, "x.label: lines of labels: 1, expected two"},
		{"three lines of labels", out, labels + "{l:2} 0 0 0\n", Options{}, "x.label: lines of labels: 3, expected two"},
		{"few labels", out, "{l:0} 1 0\n{l:1} 0 1\n", Options{}, "x.label:1: 2 labels, expected 3 as there are samples in"},
		{"both labels", out, "{l:0} 1 0 1\n{l:1} 0 1 1\n", Options{}, "sample 3 has both labels"},
		{"neither label", out, "{l:0} 1 0 0\n{l:1} 0 0 1\n", Options{}, "sample 2 has neither label"},
		{"bad label", out, "{l:0} 1 0 x\n{l:1} 0 1 1\n", Options{}, `x.label:1: "{l:0}": cell 3 is "x"`},
		{"equal names of labels", out, "{l} 1 0 0\nl 0 1 1\n", Options{}, `both lines are called "l"`},
		{"unknown class", out, labels, Options{Positive: "yes"}, `x.label: no class "yes"; the classes are "0", "1"`},
		{"target", out, labels, Options{Target: "l"}, "a target column is an option for tables"},
		{"weight", out, labels, Options{Weight: "w"}, "a weight column is an option for tables"},
		{"bins", out, labels, Options{Bins: 3}, "intervals of numbers is an option for tables"},
	} {
		_, err := readPair(t, c.out, c.labels, c.o)
		checkError(t, c.name, err, c.want)
	}
}
