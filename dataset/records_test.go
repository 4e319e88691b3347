package dataset

import (
	"bufio"
	"encoding/csv"
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

// checkRecords holds records against encoding/csv alone: the same cells, lines
// and errors for the same text.
func checkRecords(t *testing.T, text string, comma rune) {
	t.Helper()
	got := newRecords(bufio.NewReaderSize(iotest.HalfReader(strings.NewReader(text)), 4096), comma)
	want := csv.NewReader(strings.NewReader(text))
	want.Comma, want.FieldsPerRecord = comma, -1
	want.TrimLeadingSpace = comma != '\t' && comma != ' '
	for n := 1; ; n++ {
		cells, err := got.read()
		wantCells, wantErr := want.Read()
		var parse, wantParse *csv.ParseError
		if errors.As(err, &parse) && errors.As(wantErr, &wantParse) {
			parse.Line += got.cut
			parse.StartLine += got.cut
			if *parse != *wantParse {
				t.Fatalf("%q by %q: record %d: error %v, want %v", text, comma, n, parse, wantParse)
			}
			return
		}
		if err != wantErr {
			t.Fatalf("%q by %q: record %d: error %v, want %v", text, comma, n, err, wantErr)
		}
		if err == io.EOF {
			return
		}
		if line, _ := want.FieldPos(0); !slices.Equal(cells, wantCells) || got.begin != line {
			t.Fatalf("%q by %q: record %d: line %d %q, want line %d %q", text, comma, n, got.begin, cells, line, wantCells)
		}
	}
}

// TestRecords parses random texts of what matters to a parser, now and then
// longer than the buffer.
func TestRecords(t *testing.T) {
	parts := []string{",", ",", ",", "\n", "\n", "\r\n", "\r", " ", "\t", "a", "bc", "0.25", "\"x\"", "\"x,\n\"\"y\"", "\"\r\n\"", "\u00a0", "\xff", ";", "é", "\v"}
	for seed := range seeds(4000) {
		rng := rand.New(rand.NewPCG(seed, 11))
		usual := parts
		if rng.IntN(4) == 0 {
			usual = append(slices.Clone(parts), "\"", "x\"")
		}
		var b strings.Builder
		for range 1 + rng.IntN(60) {
			b.WriteString(usual[rng.IntN(len(usual))])
			if rng.IntN(200) == 0 {
				b.WriteString(strings.Repeat("long,", rng.IntN(2000)))
			}
		}
		checkRecords(t, b.String(), []rune{',', ',', ';', '\t', ' ', '|', '\v', 'é', '\u00a0'}[rng.IntN(9)])
	}
}

// TestManyRecords crosses the ends of buffers at all places.
func TestManyRecords(t *testing.T) {
	var b strings.Builder
	for i := range 6000 {
		b.WriteString(strings.Repeat("x", i%7))
		b.WriteString(", y,\"quoted\n twice\"\n"[:5+14*(i%97/96)])
		if i%97 < 96 {
			b.WriteString("\n")
		}
	}
	checkRecords(t, b.String(), ',')
}

func FuzzRecords(f *testing.F) {
	for _, text := range []string{"", "a,b\n1,2\n", "a,\"b\n\"\r\n\n x,y", "\"", "a\"b\n", "\r\n\r"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		checkRecords(t, text, ',')
		checkRecords(t, text, '\t')
	})
}
