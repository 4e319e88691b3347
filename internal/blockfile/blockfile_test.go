package blockfile

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"parcorels/internal/testing/must"
	"parcorels/verify/framing"
)

var errCause = errors.New("unusable")

// written returns a file of three blocks.
func written(t *testing.T) []byte {
	t.Helper()
	var file bytes.Buffer
	w := NewWriter(&file)
	w.Begin("MAGICTXT", 7)
	w.Block('A', []byte("first"))
	w.Block('B', nil)
	w.Sealed('Z', []byte("last"))
	if w.Err() != nil || w.Bytes() != int64(file.Len()) {
		t.Fatalf("%d bytes of %d, %v", w.Bytes(), file.Len(), w.Err())
	}
	return file.Bytes()
}

// magic is the kind of these files.
func magic(version uint32) framing.File {
	return framing.File{Magic: "MAGICTXT", Version: version, Format: errCause, Refused: errCause}
}

// read returns the types and payloads of a file.
func read(file []byte) (all []string, err error) {
	r, err := magic(7).Open(bytes.NewReader(file))
	if err != nil {
		return nil, err
	}
	for {
		kind, payload, err := r.Next()
		if err != nil {
			return all, err
		}
		if kind == 'Z' {
			n := min(len("last"), len(payload))
			if !bytes.Equal(payload[n:], r.Sum()) {
				return all, errCause
			}
			return append(all, "Z"+string(payload[:n])), r.End()
		}
		all = append(all, string(kind)+string(payload))
	}
}

// TestRoundTrip reads what was written.
func TestRoundTrip(t *testing.T) {
	t.Parallel()
	all, err := read(written(t))
	if want := []string{"Afirst", "B", "Zlast"}; err != nil || !slices.Equal(all, want) {
		t.Errorf("%q, %v; want %q", all, err, want)
	}
}

// TestDamage: a file of which any byte differs, that is cut off anywhere, or that goes on
// is refused with the cause.
func TestDamage(t *testing.T) {
	t.Parallel()
	file := written(t)
	refused := func(what string, at int, damaged []byte) {
		if _, err := read(damaged); !errors.Is(err, errCause) {
			t.Errorf("%s %d: %v", what, at, err)
		}
	}
	for i := range file {
		for bit := range 8 {
			damaged := slices.Clone(file)
			damaged[i] ^= 1 << bit
			refused("a bit in byte", i, damaged)
		}
		if i > 0 {
			refused("cut off at", i, file[:i])
		}
	}
	refused("a byte behind", len(file), append(slices.Clone(file), 0))
}

// TestVersion: another version is refused with one line that names both.
func TestVersion(t *testing.T) {
	t.Parallel()
	_, err := magic(8).Open(bytes.NewReader(written(t)))
	if !errors.Is(err, errCause) || !strings.Contains(err.Error(), "version 8, which this program reads: it has version 7") {
		t.Error(err)
	}
}

// TestProofWriter asks for the blocks and counts of a proof, and for an error where the
// settings are too long.
func TestProofWriter(t *testing.T) {
	t.Parallel()
	var file bytes.Buffer
	p := &Proof{To: &file, Settings: []byte("read so")}
	w := NewProofWriter(p.Writer())
	w.Header(p, "MAGICTXT", 7, 1, 300)
	w.Buffer = append(w.Buffer, 1, 2, 3)
	w.Recorded()
	w.Flush()
	w.WriteRecords([]byte{4, 5}, 2)
	if err := w.Claim([]byte{9}); err != nil || w.Records != 3 || w.Blocks != 2 {
		t.Fatalf("%d records in %d blocks, %v", w.Records, w.Blocks, err)
	}
	r := must.Get(magic(7).Open(&file))(t)
	for _, want := range []string{"H" + strings.Repeat("\x00", 32) + "\x01\xac\x02\x07read so", "R\x01\x02\x03", "R\x04\x05",
		"Z\x09\x02\x03"} {
		kind, payload, err := r.Next()
		if got := string(kind) + string(payload); err != nil || !strings.HasPrefix(got, want) {
			t.Errorf("%q, %v; want %q", got, err, want)
		}
	}
	long := &Proof{To: io.Discard, Settings: make([]byte, MaxBlock)}
	w = NewProofWriter(long.Writer())
	if w.Header(long, "MAGICTXT", 7); !errors.Is(w.Err(), ErrSettings) {
		t.Errorf("settings of %d bytes: %v", len(long.Settings), w.Err())
	}
}
