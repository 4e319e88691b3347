package nypd_test

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"io"
	"maps"
	"strings"
	"testing"

	"parcorels/cmd/parcorels-bench/internal/nypd"
	"parcorels/internal/generate"
	"parcorels/internal/testing/testgen"
)

// order is the columns of the file that file makes, in the case and with the
// spaces that a year may have; some mean nothing to the problem.
var order = []string{
	"Inout", "YEAR", " SER_NUM", "trhsloc", "crimsusp", "frisked", "searched", "CONTRABN",
	"pistol", "riflshot", "asltweap", "knifcuti", "machgun", "othrweap",
	"ac_rept", "ac_inves", "rf_vcrim", "ac_proxm", "cs_objcs", "CS_DESCR", "cs_casng", "cs_lkout", "cs_cloth", "cs_drgtr",
	"ac_evasv", "ac_assoc", "cs_furtv", "ac_cgdir", "cs_vcrim", "cs_bulge", "ac_incid", "ac_time", "ac_stsnd",
	"sex", "race", "age", "build", "city", "stname",
}

// usual is a stop with a frisk that is kept: no flag, no weapon.
var usual = map[string]string{
	"year": "2014", "inout": "O", "trhsloc": "P", "frisked": "Y", "sex": "M", "race": "B", "age": " 20", "build": "U",
	"city": "BROOKLYN", "stname": "CHURCH AVENUE", "cs_casng": "N", "cs_lkout": " ", "cs_cloth": "0",
}

// file is a file of stops, each given by what differs from the usual one.
func file(stops ...map[string]string) string {
	var b strings.Builder
	b.WriteString(strings.Join(order, ",") + "\r\n")
	for _, s := range stops {
		cells := maps.Clone(usual)
		maps.Copy(cells, s)
		for i, name := range order {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(cells[strings.ToLower(strings.TrimSpace(name))])
		}
		b.WriteString("\r\n")
	}
	return b.String()
}

type row = map[string]string

// quirks are stops with all that the files have, and the lines of the table
// that they become; "" for those that are left out.
var quirks = []struct {
	stop row
	want string
}{
	{row{}, "0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,Brooklyn,neither,outside,0"},
	{row{"cs_objcs": "Y", "ac_stsnd": "1", "pistol": "1", "inout": "I", "trhsloc": "T", "city": "staten island"},
		"1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1,Staten-Island,transit-authority,inside,1"},
	{row{"frisked": "N", "searched": "1", "othrweap": "Y", "trhsloc": "H", "city": "STATEN IS  ", "ac_rept": "1", "cs_bulge": "y"},
		"0,0,0,0,0,0,0,0,1,1,0,0,0,0,0,0,0,0,Staten-Island,housing-authority,outside,1"},
	{row{"trhsloc": " ", "city": "QUEENS", "age": "12"}, "0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,Queens,neither,outside,0"},
	// Code page 437, windows-1252 and UTF-8 in columns that do not matter, a
	// comma and a line end in quotes, a quote that begins nothing.
	{row{"stname": "\xa5 \xd1 \u00b0", "crimsusp": "\"FEL, \r\nMISD\"", "city": "BRONX", "age": "89"},
		"0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,Bronx,neither,outside,0"},
	{row{"stname": "125\" STREET", "city": "MANHATTAN", "knifcuti": "Y"},
		"0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,Manhattan,neither,outside,1"},
	{row{"city": " ", "machgun": "Y"}, ""},
	{row{"sex": "Z"}, ""},
	{row{"sex": " "}, ""},
	{row{"race": "U"}, ""},
	{row{"race": "X"}, ""},
	{row{"race": "z"}, ""},
	{row{"build": "Z"}, ""},
	{row{"inout": " "}, ""},
	{row{"age": "**"}, ""},
	{row{"age": " "}, ""},
	{row{"age": "99", "riflshot": "Y"}, ""},
	{row{"age": "999"}, ""},
	{row{"age": " 11"}, ""},
	{row{"age": "90", "asltweap": "1"}, ""},
	{row{"age": "366"}, ""},
	{row{"age": "-1"}, ""},
	{row{"frisked": "N", "searched": " "}, ""},
	{row{"frisked": " ", "pistol": "Y"}, ""},
}

// quirky returns the file of quirks and what is to come of it.
func quirky() (text, want string) {
	var stops []map[string]string
	lines := []string{strings.Join(nypd.Header, ",")}
	for _, q := range quirks {
		stops = append(stops, q.stop)
		if q.want != "" {
			lines = append(lines, q.want)
		}
	}
	return file(stops...), strings.Join(lines, "\n") + "\n"
}

var quirkyCounts = nypd.Counts{
	{24, 7}, {22, 6}, {12, 6}, {8, 3}, {6, 3}, {1, 0},
}

func TestQuirks(t *testing.T) {
	text, want := quirky()
	for name, text := range map[string]string{"plain": text, "byte order mark": "\ufeff" + text,
		"bare line ends": strings.ReplaceAll(text, "\r\n", "\n")} {
		var b strings.Builder
		got, err := nypd.Convert(t.Context(), strings.NewReader(text), "stops.csv", &b)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if b.String() != want {
			t.Errorf("%s: got\n%s\nwant\n%s", name, b.String(), want)
		}
		if got.String() != quirkyCounts.String() {
			t.Errorf("%s: counts %+v, want %+v", name, got, quirkyCounts)
		}
	}
}

// TestColumnsOfTheGenerator: what is generated can stand for what is converted.
func TestColumnsOfTheGenerator(t *testing.T) {
	var b bytes.Buffer
	if err := (generate.StopFrisk{Rows: 1}).Write(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	if header, _, _ := strings.Cut(b.String(), "\n"); header != strings.Join(nypd.Header, ",") {
		t.Errorf("the generator has the columns %s", header)
	}
}

func TestBadStops(t *testing.T) {
	good := file(row{})
	for _, c := range []struct{ text, want string }{
		{"", "f.csv: the file is empty"},
		{"a,b\n1,2\n", "f.csv:1: the header has no column, or more than one, of the names ac_assoc, ac_cgdir,"},
		{strings.Replace(good, "rf_vcrim", "city", 1), "f.csv:1: the header has no column, or more than one, of the names city: " +
			"expected a file of stops as the NYPD published them"},
		{strings.Replace(good, "stname", "name", 1) + "1,2\n", "f.csv:3: wrong number of fields"},
		{file(row{}, row{"cs_objcs": "maybe"}), `f.csv:3: column cs_objcs: "maybe", expected Y, 1, N, 0 or blank`},
		{file(row{"pistol": "2"}), `f.csv:2: column pistol: "2", expected Y, 1, N, 0 or blank`},
		{file(row{"searched": "\xd1"}), `f.csv:2: column searched: "\xd1", expected Y, 1, N, 0 or blank`},
		{file(row{"inout": "X"}), `f.csv:2: column Inout: "X", expected I, O or blank`},
		{file(row{"trhsloc": "Q"}), `f.csv:2: column trhsloc: "Q", expected H, T, P or blank`},
		{file(row{"city": "PARIS"}), `f.csv:2: column city: "PARIS", expected one of the five boroughs or blank`},
		{file(row{"age": "2x"}), `f.csv:2: column age: "2x", expected a number of years, asterisks or blank`},
		{file(row{"crimsusp": "\"two\r\nlines\""}, row{"age": "x"}), `f.csv:4: column age: "x"`},
	} {
		_, err := nypd.Convert(t.Context(), strings.NewReader(c.text), "f.csv", io.Discard)
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("got  %v\nwant %s", err, c.want)
		}
	}
}

var errFull = errors.New("disk full")

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }

func TestNoPlaceAndNoTime(t *testing.T) {
	if _, err := nypd.Convert(t.Context(), strings.NewReader(file(row{})), "f.csv", full{}); !errors.Is(err, errFull) {
		t.Errorf("a full disk: error %v", err)
	}
	stopped := errors.New("stopped")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(stopped)
	if _, err := nypd.Convert(ctx, strings.NewReader(file(row{})), "f.csv", io.Discard); err != stopped {
		t.Errorf("a cancelled context: error %v", err)
	}
}

// TestPublishedFile holds the counts of the NYPD's file for 2014. The paper's
// appendix gives stops, frisked or searched stops and the weapons found at
// these, and those in the table; 48 of the 1,445 weapons are not in the table,
// as something about these stops is unknown or the age is out of range.
func TestPublishedFile(t *testing.T) {
	archive, err := zip.OpenReader(testgen.Data(t, "tables", "sqf-2014-csv.zip"))
	if err != nil {
		t.Fatal(err)
	}
	defer archive.Close()
	in, err := archive.File[0].Open()
	if err != nil {
		t.Fatal(err)
	}
	got, err := nypd.Convert(t.Context(), in, "stops", io.Discard)
	want := nypd.Counts{
		{45_787, 1_520}, {30_961, 1_445}, {43_858, 0}, {43_747, 0}, {29_595, 1_397},
	}
	if err != nil || got.String() != want.String() {
		t.Errorf("counts %+v, error %v, want %+v", got, err, want)
	}
}
