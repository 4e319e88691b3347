package dataset

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"
	"unicode"
)

// sizes are those of chunks.
var sizes = []int{1, 2, 7, 64, 1000, chunkSize}

// referenceRows reads lines as the format is described, one after the other.
func referenceRows(text string) (rows []string, err error) {
	width := 0
	for i, line := range strings.Split(strings.TrimPrefix(text, "\ufeff"), "\n") {
		line = strings.TrimFunc(line, unicode.IsSpace)
		if line == "" {
			continue
		}
		name, cells, err := cutName([]byte(line), false)
		if err != nil {
			return nil, fmt.Errorf("t.out:%d: %w", i+1, err)
		}
		var bits []byte
		for _, cell := range strings.FieldsFunc(string(cells), func(r rune) bool { return r == ' ' || r == '\t' }) {
			if cell != "0" && cell != "1" {
				return nil, fmt.Errorf("t.out:%d: %s: cell %d is %s, expected 0 or 1", i+1, quote(name), len(bits)+1, quote(cell[:min(len(cell), maxName)]))
			}
			bits = append(bits, cell...)
		}
		if rows == nil {
			width = len(bits)
		}
		if len(bits) != width {
			return nil, fmt.Errorf("t.out:%d: %d cells, expected %d as in line %s", i+1, len(bits), width, strings.SplitN(rows[0], " ", 2)[0])
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

// planRows reads the same text in chunks.
func planRows(in io.Reader, size int) (rows []string, err error) {
	rows, _, err = hashedRows(in, size)
	return rows, err
}

// hashedRows is planRows with the hash of the text.
func hashedRows(in io.Reader, size int) (rows []string, hash string, err error) {
	d := newTextHash(Options{})
	all, _, err := readBitRows(in, "t.out", d, 0, size)
	for _, r := range all {
		bits := make([]byte, r.bits.Len())
		for i := range bits {
			bits[i] = '0'
			if r.bits.Test(uint(i)) {
				bits[i] = '1'
			}
		}
		rows = append(rows, fmt.Sprintf("%d %s %s", r.line, r.name, bits))
	}
	return rows, d.end(), err
}

// checkPlans reads text by all plans and compares it with the reference.
func checkPlans(t *testing.T, text string) {
	t.Helper()
	want, wantErr := referenceRows(text)
	for _, size := range sizes {
		for _, in := range bothWays(text) {
			got, hash, err := hashedRows(in, size)
			if sum := referenceHash(text); err == nil && hash != sum {
				t.Fatalf("%+v of %q: hash %s, want %s", size, text, hash, sum)
			}
			if fmt.Sprint(err) != fmt.Sprint(wantErr) {
				t.Fatalf("%+v of %q: error %v, want %v", size, text, err, wantErr)
			}
			if fmt.Sprint(got) != fmt.Sprint(want) {
				t.Fatalf("%+v of %q: rows %q, want %q", size, text, got, want)
			}
		}
	}
}

// TestBitRowsInChunks: rows, and errors with their lines and cells, are the
// same however the text is cut.
func TestBitRowsInChunks(t *testing.T) {
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
					b.WriteString([]string{"2", " ", "\t", " x", " 01", " \u00a0", "\r"}[rng.IntN(7)])
				}
			}
			b.WriteString([]string{"\n", "\r\n", " \n", "\n\n", "\n \t\n", "\f\n"}[rng.IntN(6)])
		}
		text := b.String()
		if rng.IntN(3) == 0 {
			text = strings.TrimRight(text, "\n")
		}
		if strings.TrimSpace(text) == "" || strings.HasPrefix(text, "\ufeff") {
			continue
		}
		checkPlans(t, text)
	}
}

// TestCellsOfLongRows has rows of many chunks, with a fault far behind.
func TestCellsOfLongRows(t *testing.T) {
	for _, fault := range []string{"", " 2", " 11", " x" + strings.Repeat("y", 3000), strings.Repeat(" ", 100_000)} {
		row := strings.Repeat(" 1 0 0", 50_000)
		text := "{f}" + row + fault + row + "\n{g}" + row + row + fault + "\n"
		if strings.HasPrefix(fault, " xy") {
			fault = fault[:1+maxName]
			if _, err := planRows(strings.NewReader(text), chunkSize); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("cell 150001 is %s,", quote(fault[1:]))) {
				t.Errorf("long fault: %v", err)
			}
			continue
		}
		want, wantErr := referenceRows(text)
		for _, size := range []int{5000, 1 << 16} {
			got, err := planRows(strings.NewReader(text), size)
			if fmt.Sprint(err) != fmt.Sprint(wantErr) || fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("fault %.9q, %+v: error %v, want %v", fault, size, err, wantErr)
			}
		}
	}
}

// TestCutIsRead: what cannot be read on is an error behind the rows before it.
func TestCutIsRead(t *testing.T) {
	for _, size := range sizes {
		_, err := planRows(io.MultiReader(strings.NewReader("{f} 1 0\n{g} 1 1\n{h} 0"), failing{}), size)
		checkError(t, "broken stream", err, "t.out: broken")
		_, err = planRows(io.MultiReader(strings.NewReader("{f} 1 0\n{g} 1\n{h} 0"), failing{}), size)
		checkError(t, "short row before", err, "t.out:2: 1 cells, expected 2 as in line 1")
		for _, in := range bothWays("{f} 1 0\n{g} 1 1\n{h} 0\x00") {
			_, err = planRows(in, size)
			checkError(t, "NUL byte", err, "t.out:3: a NUL byte")
		}
		for _, in := range bothWays("{f}" + strings.Repeat(" 1", peekSize) + "\n{g} 1\x00 1") {
			_, err = planRows(in, size)
			checkError(t, "NUL byte far behind", err, "t.out:2: a NUL byte")
		}
	}
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, errors.New("broken") }

// TestPlainCells compares cells of one blank each with cells one by one, at all
// lengths and with an odd byte anywhere.
func TestPlainCells(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for n := range 300 {
		for _, separator := range []string{" ", "\t"} {
			var text bytes.Buffer
			var want cellBits
			for range n {
				bit := rng.Uint64N(2)
				want.add(bit)
				fmt.Fprintf(&text, "%s%d", separator, bit)
			}
			var got cellBits
			if err := got.parse(text.Bytes()); err != nil || got.n != want.n || fmt.Sprint(got.words) != fmt.Sprint(want.words) && n > 0 {
				t.Fatalf("%d cells: %d %x, want %x (%v)", n, got.n, got.words, want.words, err)
			}
			if n == 0 {
				continue
			}
			at := rng.IntN(text.Len())
			odd := text.Bytes()
			odd[at] ^= 1 << rng.IntN(8)
			err := new(cellBits).parse(odd)
			_, wantErr := referenceRows("{f}" + strings.ReplaceAll(string(odd), "\n", "\r"))
			if valid := wantErr == nil; valid != (err == nil) && !bytes.ContainsAny(odd, "\n\r\v\f") {
				t.Fatalf("%q: error %v, want %v", odd, err, wantErr)
			}
		}
	}
}

// FuzzBitRowsInChunks compares any text, cut anywhere, with the reference.
func FuzzBitRowsInChunks(f *testing.F) {
	f.Add("{f} 1 0\n{g h} 0\t1\r\n", uint16(3))
	f.Add("\x80  ", uint16(2))
	f.Add("{f} 1 \f  \n:\f  ", uint16(3))
	f.Add("{f}"+strings.Repeat(" 1 0", 100)+"\n\n{g}"+strings.Repeat(" 0 1", 100), uint16(50))
	f.Fuzz(func(t *testing.T, text string, size uint16) {
		if text == "" || strings.IndexByte(text, 0) >= 0 || len(text) > 2*maxName {
			return
		}
		for _, magic := range foreign {
			if strings.HasPrefix(text, magic.magic) {
				return
			}
		}
		if strings.HasPrefix(text, gzipMagic) || text == "\ufeff" {
			return
		}
		want, wantErr := referenceRows(text)
		for _, in := range bothWays(text) {
			got, err := planRows(in, 1+int(size))
			if fmt.Sprint(err) != fmt.Sprint(wantErr) || fmt.Sprint(got) != fmt.Sprint(want) {
				t.Fatalf("%q in chunks of %d: %q, %v; want %q, %v", text, 1+int(size), got, err, want, wantErr)
			}
		}
	})
}
