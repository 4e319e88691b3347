package table

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"
)

// spaces are those of ASCII, which part cells.
const spaces = " \t\v\f\r"

// referenceRows reads lines as the format is described, one after the other.
func referenceRows(text string) (rows []string, err error) {
	width := 0
	for i, line := range strings.Split(text, "\n") {
		line = strings.Trim(line, spaces)
		if line == "" {
			continue
		}
		name, cells := line, ""
		if end := strings.LastIndexByte(line, '}'); line[0] == '{' {
			name, cells = line[:end+1], line[end+1:]
		} else if end := strings.IndexAny(line, " \t"); end >= 0 {
			name, cells = line[:end], line[end:]
		}
		var bits []byte
		for _, cell := range strings.FieldsFunc(cells, func(r rune) bool { return strings.ContainsRune(spaces, r) }) {
			if cell != "0" && cell != "1" {
				return nil, fmt.Errorf("t.out:%d: %s: cell %d is %s, expected 0 or 1", i+1, Quote(name), len(bits)+1,
					Quote(cell[:min(len(cell), maxName)]))
			}
			bits = append(bits, cell...)
		}
		if len(bits) == 0 {
			return nil, fmt.Errorf("t.out:%d: %s has no cells, expected a 0 or 1 for each sample behind the name", i+1, Quote(name))
		}
		if rows == nil {
			width = len(bits)
		}
		if len(bits) != width {
			return nil, fmt.Errorf("t.out:%d: %d cells, expected %d as in line %s", i+1, len(bits), width,
				strings.SplitN(rows[0], " ", 2)[0])
		}
		rows = append(rows, fmt.Sprintf("%d %s %s", i+1, name, bits))
	}
	if rows == nil {
		return nil, errors.New("t.out: the file has no lines but empty ones")
	}
	return rows, nil
}

// bothWays returns streams that give much and little at a time.
func bothWays(text string) []io.Reader {
	return []io.Reader{strings.NewReader(text), iotest.HalfReader(strings.NewReader(text))}
}

// hashedRows reads rows with the hash of the text.
func hashedRows(in io.Reader) (rows []string, hash string, err error) {
	h := sha256.New()
	all, err := ReadBits(in, "t.out", h, 0)
	for _, r := range all {
		bits := make([]byte, r.Bits.Len())
		for i := range bits {
			bits[i] = '0'
			if r.Bits.Test(uint(i)) {
				bits[i] = '1'
			}
		}
		rows = append(rows, fmt.Sprintf("%d %s %s", r.Line, r.Name, bits))
	}
	return rows, HashText(h), err
}

// TestBits compares rows, and errors with their lines and cells, with the reference.
func TestBits(t *testing.T) {
	for seed := range seeds(1500) {
		rng := rand.New(rand.NewPCG(seed, 4))
		var b strings.Builder
		width := 1 + rng.IntN(1+rng.IntN(400))
		for range rng.IntN(6) {
			b.WriteString([]string{"{a b}", "x", "{}", " \t{f}", "{a{b}}", "\n{c}"}[rng.IntN(6)])
			separator := []string{" ", "\t", "  ", " \t"}[max(0, rng.IntN(9)-5)]
			for range width {
				b.WriteString(separator)
				b.WriteByte('0' + byte(rng.IntN(2)))
				if rng.IntN(2000) == 0 {
					b.WriteString([]string{"2", " ", "\t", " x", " 01", " \u00a0", "\r", " x" + strings.Repeat("y", 3000)}[rng.IntN(8)])
				}
			}
			b.WriteString([]string{"\n", "\r\n", " \n", "\n\n", "\n \t\n", "\f\n"}[rng.IntN(6)])
		}
		text := b.String()
		if rng.IntN(3) == 0 {
			text = strings.TrimRight(text, "\n")
		}
		if text == "" {
			continue
		}
		want, wantErr := referenceRows(text)
		for _, in := range bothWays(text) {
			got, hash, err := hashedRows(in)
			if fmt.Sprint(err) != fmt.Sprint(wantErr) || err == nil && (fmt.Sprint(got) != fmt.Sprint(want) ||
				hash != referenceHash(text)) {
				t.Fatalf("%.3000q: %q, %v; want %q, %v", text, got, err, want, wantErr)
			}
		}
	}
}

// TestBitsCutOff: what cannot be read on is an error behind the rows before it.
func TestBitsCutOff(t *testing.T) {
	for _, c := range []struct {
		in   io.Reader
		want string
	}{
		{io.MultiReader(strings.NewReader("{f} 1 0\n{g} 1 1\n{h} 0"), failing{}), "t.out: broken"},
		{io.MultiReader(strings.NewReader("{f} 1 0\n{g} 1\n{h} 0"), failing{}), "t.out:2: 1 cells, expected 2 as in line 1"},
		{strings.NewReader("{f} 1 0\n{g} 1 1\n{h} 0\x00"), "t.out:3: a NUL byte"},
		{strings.NewReader("{f}" + strings.Repeat(" 1", peekSize) + "\n{g} 1\x00 1"), "t.out:2: a NUL byte"},
	} {
		if _, _, err := hashedRows(c.in); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, errors.New("broken") }
