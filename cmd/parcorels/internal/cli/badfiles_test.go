package cli

import (
	"bytes"
	"compress/gzip"
	"parcorels/internal/testing/testgen"
	"strings"
	"testing"
)

// malformed are files that no command can use, what is given besides, and the
// line that each gets. "F" stands for the file's name; beside x.out lies its
// label file, if any.
var malformed = []struct{ name, content, label, options, want string }{
	{"t.csv", "", "", "", `t.csv: the file is empty`},
	{"t.csv", "\ufeff", "", "", `t.csv: the file has no lines but empty ones`},
	{"t.csv", "\n\n\r\n", "", "", `t.csv: the file has no lines but empty ones`},
	{"t.csv", "a,b,label\n", "", "", `t.csv: there is a header, but no row of data`},
	{"t.csv", "a,b,label", "", "", `t.csv: there is a header, but no row of data`},
	{"t.csv", "\ufeffa,b,label\r\n", "", "", `t.csv: there is a header, but no row of data`},
	{"t.csv", "a,b,label\r1,x,0\r2,y,1\r", "", "", `t.csv:1: the name of column 3 has a carriage return, "label\r1": lines must end in \n or \r\n`},
	{"t.csv", "a,b,label\n1,x,0\n2,y,1\n\n3,z\n", "", "", `t.csv:5: fields separated by ',': 2, expected 3 as in the header`},
	{"t.csv", "a,b,label\n1,x,0\n2,y,1\n3,z,1,\n", "", "", `t.csv:4: fields separated by ',': 4, expected 3 as in the header`},
	{"t.csv", "a,b,label\n1,x,0\n2,y,1\n3,z,1,1\n", "", "--no-header --target c3",
		`t.csv:4: fields separated by ',': 4, expected 3 as in the first line`},
	{"t.csv", "a,b,label\n1,x,0\n2,y,1\n3,z\"z,1\n", "", "", `t.csv:4: a quote (") at byte 4 inside a field that does not begin with one: quote the field and double the quote`},
	{"t.csv", "a,b,label\n1,x,0\n2,y,1\n3,\"z,1\n4,z,1\n", "", "",
		`t.csv:5: the quoted field that begins in line 4 is not closed by a quote (") before a ',' or line end (if another sign separates fields, name it with --sep)`},
	{"t.csv", "a,b,label\n1,x,0\n2,y,1\n3,\"z\" z,1\n", "", "",
		`t.csv:4: the quoted field that begins in line 4 is not closed by a quote (") before a ',' or line end (if another sign separates fields, name it with --sep)`},
	{"t.csv", "a,b,label\n1,x,0\n2,y,1\n\"3\n3\",\"z\nz,1\n", "", "",
		`t.csv:6: the quoted field that begins in line 4 is not closed by a quote (") before a ',' or line end (if another sign separates fields, name it with --sep)`},
	{"t.csv", "a,b,label\n1,x,0\n2,y,1\n3,z\x00,1\n", "", "", `t.csv:4: a NUL byte: this is no text file, or not UTF-8`},
	{"t.csv", "\x00", "", "", `t.csv:1: a NUL byte: this is no text file, or not UTF-8`},
	{"t.csv", "a,b\n", "", "", `t.csv: there is a header, but no row of data`},
	{"t.csv", "label\n1\n0\n", "", "", `t.csv: only one column, "label", is found: expected at least two; if they are separated by another sign than , ; | or tab, name it with --sep`},
	{"t.csv", "a," + strings.Repeat("n", 2000) + ",label\n1,x,0\n", "", "",
		`t.csv:1: the name of column 2 has 2000 bytes, "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn"… (2000 bytes): is this a header?`},
	{"t.csv", "a,label\n\"1\",x,0\n", "", "", `t.csv:2: fields separated by ',': 3, expected 2 as in the header (if R wrote names of rows without a heading: use write.csv)`},
	{"t.csv", "a,label\n1,0\n2,1\n", "", "--target Label", `t.csv: no column "Label" (the target); did you mean "label"?`},
	{"t.csv", "a\x1b[31m,b\n1\n", "", "", `t.csv:2: fields separated by ',': 1, expected 2 as in the header`},
	{"t.csv", "=1+1,@x\n1\n", "", "", `t.csv:2: fields separated by ',': 1, expected 2 as in the header`},
	{"t.csv", "label,a,label\n1,2,0\n", "", "--target label", `t.csv: more than one column is called "label" (the target): rename one`},
	{"t.csv", "a,b,label\n1,x,0\n2,y,1\n", "", "--target b --ignore a,label",
		`t.csv: no column is left besides the target: nothing to learn from`},
	{"t.csv", "a,b,label\n1,x,0\n2,y,1\n3,z,?\n", "", "", `t.csv:4: the label in column "label" is missing ("?"): complete it, drop the rows without a label (--drop-unlabelled), or name another target with --target`},
	{"t.csv", strings.Repeat("c,", 1<<15) + "label\n" + strings.Repeat("1,", 1<<15) + "0\n", "", "--memory 1MiB",
		`t.csv: 32768 columns are too many for the memory, in which 16384 fit: give more by --memory, or leave columns out by --ignore`},
	{"t.csv", "a,b,label\n1,?,0\n?,x,1\n2,y,\n", "", "--drop-missing", `t.csv: every one of the 3 rows has a missing value: none is left`},
	{"t.csv", "a,w,label\n1,0x10,0\n2,1,1\n", "", "--weight w",
		`t.csv:2: weight "0x10" in column "w" is not a positive decimal number such as 2 or 0.75`},
	{"t.csv", "a,w,label\n1,nan,0\n2,1,1\n", "", "--weight w", `t.csv:2: weight "nan" in column "w" is missing: give every row a weight, or drop rows with missing values`},
	{"t.csv", "a,w,label\n1,,0\n2,1,1\n", "", "--weight w", `t.csv:2: weight "" in column "w" is missing: give every row a weight, or drop rows with missing values`},
	{"t.xlsx", "PK\x03\x04\x14\x00", "", "", `t.xlsx: this is a zip archive, or a damaged Excel file: unpack it (an Excel file, .xlsx, is read directly)`},
	{"t.csv.bz2", "BZh91AY", "", "", `t.csv.bz2: this is compressed by bzip2: unpack it first (gzip is read directly)`},
	{"t.csv.xz", "\xfd7zXZ\x00", "", "", `t.csv.xz: this is compressed by xz: unpack it first (gzip is read directly)`},
	{"t.csv.zst", "\x28\xb5\x2f\xfd\x00", "", "", `t.csv.zst: this is compressed by zstd: unpack it first (gzip is read directly)`},
	{"t.parquet", "PAR1\x00", "", "", `t.parquet: this file of Parquet is damaged: it ends too early`},
	{"t.csv.gz", packed(""), "", "", `t.csv.gz: the file is empty`},
	{"t.csv.gz", packed("a,b\n"), "", "", `t.csv.gz: there is a header, but no row of data`},
	{"t.csv.gz", packed("a,b,label\n1,x,0\n2,y,1\n")[:20], "", "", `t.csv.gz: the gzip stream is truncated (in line 1)`},
	{"t.csv.gz", packed("a,b,label\n1,x,0\n2,y,1\n")[:5], "", "", `t.csv.gz: the gzip stream is truncated (in line 1)`},
	{"t.csv.gz", packed("a,b,label\n1,x,0\n2,y,1\n")[:12] + "\xff\xff\xff\xff" + packed("a,b,label\n1,x,0\n2,y,1\n")[16:], "", "",
		`t.csv.gz: the gzip stream is damaged (in line 1)`},
	{"t.csv.gz", packed("a,b,label\n1,x,0\n2,y,1\n") + "garbage garbage", "", "",
		`t.csv.gz: something else follows the gzip stream (in line 4)`},
	{"t.csv.gz", "\x1f\x8b\x00", "", "", `t.csv.gz: the gzip stream is truncated (in line 1)`},
	{"x.out", "", "{l:0} 1 0\n{l:1} 0 1\n", "", `x.out: the file is empty`},
	{"x.out", " \n\t\n", "{l:0} 1 0\n{l:1} 0 1\n", "", `x.out: the file has no lines but empty ones`},
	{"x.out", "{f} 1 2\n", "{l:0} 1 0\n{l:1} 0 1\n", "", `x.out:1: "{f}": cell 2 is "2", expected 0 or 1`},
	{"x.out", "{f} 1 01\n", "{l:0} 1 0\n{l:1} 0 1\n", "", `x.out:1: "{f}": cell 2 is "01", expected 0 or 1`},
	{"x.out", "my name 0 1\n", "{l:0} 1 0\n{l:1} 0 1\n", "", `x.out:1: "my": cell 1 is "name", expected 0 or 1`},
	{"x.out", "{f} 1 0 {g} 0 0\n", "{l:0} 1 0\n{l:1} 0 1\n", "", `x.out:1: "{f}": cell 3 is "{g}", expected 0 or 1`},
	{"x.out", "a,b,label\n1,x,0\n", "{l:0} 1 0\n{l:1} 0 1\n", "",
		`x.out:1: "a,b,label" has no cells, expected a 0 or 1 for each sample behind the name`},
	{"x.out", "{f 1 0\n", "{l:0} 1 0\n{l:1} 0 1\n", "", `x.out:1: the name that begins "{f 1 0" has no closing brace`},
	{"x.out", "{f}1 0\n", "{l:0} 1 0\n{l:1} 0 1\n", "", `x.out:1: no blank is behind the name "{f}"`},
	{"x.out", "{f}\n", "{l:0} 1 0\n{l:1} 0 1\n", "", `x.out:1: "{f}" has no cells, expected a 0 or 1 for each sample behind the name`},
	{"x.out", "{f} 1 0\n\n{g} 1\n", "{l:0} 1 0\n{l:1} 0 1\n", "", `x.out:3: 1 cells, expected 2 as in line 1`},
	{"x.out", "{f} 1 0\n{g} 1 0\n{f} 0 1\n", "{l:0} 1 0\n{l:1} 0 1\n", "", `x.out:3: the name "{f}" was given in line 1 already`},
	{"x.out", "{f\a} 1 0\n", "{l:0} 1 0\n{l:1} 0 1\n", "", `x.out:1: the name "{f\a}" has the character '\a', which cannot be shown`},
	{"x.out", "{f\u202e} 1 0\n", "{l:0} 1 0\n{l:1} 0 1\n", "", `x.out:1: the name "{f\u202e}" has the character '\u202e', which cannot be shown`},
	{"x.out", "{\xe9} 1 0\n", "{l:0} 1 0\n{l:1} 0 1\n", "", `x.out:1: the name "{\xe9}" is not UTF-8 text`},
	{"x.out", "{" + strings.Repeat("n", 2000) + "} 1 0\n", "{l:0} 1 0\n{l:1} 0 1\n", "",
		`x.out:1: the name "{nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn"… (1025 bytes) is longer than 1024 bytes`},
	{"x.out", "{" + strings.Repeat("n", 70000) + "} 1 0\n", "{l:0} 1 0\n{l:1} 0 1\n", "",
		`x.out:1: the name "{nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn"… (1025 bytes) is longer than 1024 bytes`},
	{"x.out", "{f} 1 \x00\n", "{l:0} 1 0\n{l:1} 0 1\n", "", `x.out:1: a NUL byte: this is no text file, or not UTF-8`},
	{"x.out", "{f} 1 0\n", "", "", `x.out: no labels: neither x.label nor x.label.gz is there; name the file with --labels`},
	{"x.out", "{f} 1 0\n", "{l:0} 1 0\n", "", `x.label: lines of labels: 1, expected two: the samples of class 0 and those of class 1`},
	{"x.out", "{f} 1 0\n", "{l:0} 1 0\n{l:1} 0 1\n{l:2} 0 0\n", "",
		`x.label: lines of labels: 3, expected two: the samples of class 0 and those of class 1`},
	{"x.out", "{f} 1 0\n", "{l:0} 1\n{l:1} 0\n", "", `x.label:1: 1 labels, expected 2 as there are samples in x.out`},
	{"x.out", "{f} 1 0\n", "{l:0} 1 1\n{l:1} 0 1\n", "", `x.label: sample 2 has both labels, the two lines must complement each other`},
	{"x.out", "{f} 1 0\n", "{l:0} 1 0\n{l:1} 0 0\n", "", `x.label: sample 2 has neither label, the two lines must complement each other`},
	{"x.out", "{f} 1 0\n", "{l:0} 1 x\n{l:1} 0 1\n", "", `x.label:1: "{l:0}": cell 2 is "x", expected 0 or 1`},
	{"x.out", "{f} 1 0\n", "{l} 1 0\nl 0 1\n", "", `x.label: both lines are called "l", their names must tell the classes`},
	{"x.out", "{f} 1 0\n", "{l:0} 1 0\n{l:1} 0 1\n", "--positive yes", `x.label: no class "yes"; the classes are "0", "1"`},
	{"x.out", "{f} 1 0\n", "{l:0} 1 0\n{l:1} 0 1\n", "--weight w",
		`x.out: --weight is an option for tables, but an .out file holds conditions, which are taken as they are`},
}

// packed returns a text compressed.
func packed(text string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write([]byte(text)) // to memory
	_ = z.Close()
	return b.String()
}

// TestMalformedFiles holds the exact line that each malformed file gets.
func TestMalformedFiles(t *testing.T) {
	testgen.NotRaced(t)
	for _, c := range malformed {
		t.Chdir(t.TempDir())
		write(t, map[string]string{c.name: c.content})
		if c.label != "" {
			write(t, map[string]string{"x.label": c.label})
		}
		args := append([]string{"fit", c.name}, words(c.options)...)
		status, stdout, stderr := run(args...)
		if status != exitInput || stdout != "" || stderr != "parcorels: "+c.want+"\n" {
			t.Errorf("%s of %.60q\nstatus %d, stdout %q\ngot  %swant parcorels: %s", strings.Join(args, " "), c.content, status, stdout,
				stderr, c.want)
		}
	}
}
