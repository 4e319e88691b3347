package table

import (
	"bytes"
	"encoding/binary"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf16"

	"parcorels/internal/testing/must"

	"golang.org/x/text/transform"
)

// everything returns the header and all rows of a table, one after the other, and its notes.
func everything(t *testing.T, in io.Reader) (lines, notes string) {
	t.Helper()
	rows := must.Get(New(in, "t.csv", Options{}))(t)
	defer rows.Close()
	lines = strings.Join(rows.Header(), "|")
	for {
		cells, err := rows.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		lines += "\n" + strings.Join(cells, "|")
	}
	return lines, strings.Join(rows.Notes, "\n")
}

// utf16Of returns a text in UTF-16 with a byte order mark.
func utf16Of(text string, order binary.ByteOrder) []byte {
	var b bytes.Buffer
	for _, unit := range utf16.Encode([]rune("\ufeff" + text)) {
		_ = binary.Write(&b, order, unit) // a buffer takes all
	}
	return b.Bytes()
}

// TestLetters reads one table in five encodings, whole and byte by byte.
func TestLetters(t *testing.T) {
	t.Parallel()
	const text = "größe;straße;y\n1,5;Œuvre “a” 5 €;0\n2,5;x𝄞;1\n"
	old := "gr\xf6\xdfe;stra\xdfe;y\n1,5;\x8cuvre \x93a\x94 5 \x80;0\n2,5;x𝄞;1\n"
	const want = "größe|straße|y\n1.5|Œuvre “a” 5 €|0\n2.5|x𝄞|1"
	for name, data := range map[string][]byte{
		"UTF-8": []byte(text), "with a mark": []byte("\ufeff" + text), "Windows-1252": []byte(old),
		"UTF-16, low first": utf16Of(text, binary.LittleEndian), "UTF-16, high first": utf16Of(text, binary.BigEndian),
	} {
		for _, in := range []io.Reader{bytes.NewReader(data), iotest.OneByteReader(bytes.NewReader(data)),
			iotest.DataErrReader(bytes.NewReader(data))} {
			if got, _ := everything(t, in); got != want {
				t.Errorf("%s: %q, want %q", name, got, want)
			}
		}
	}
	rows := must.Get(New(strings.NewReader(old), "t.csv", Options{}))(t)
	if table, err := rows.ReadAll(allOf(3)); err != nil || len(rows.Notes) != 1 || !strings.Contains(rows.Notes[0], `"größe"`) ||
		table.Hash != referenceHash(old) {
		t.Errorf("notes %q of %v, %v", rows.Notes, table, err)
	}
}

// FuzzLetters compares a text of any bytes, cut anywhere, with what it is as a whole.
func FuzzLetters(f *testing.F) {
	f.Add([]byte("a\xc3\xa4\xe2\x82\xac\xf0\x9d\x84\x9e\xf0\x9d\xe2\x82"))
	f.Add([]byte("\xe2\xe2\x82\x80\x9f"))
	f.Add([]byte("plain"))
	f.Fuzz(func(t *testing.T, text []byte) {
		whole, _, err := transform.Bytes(&letters{}, text)
		got, failed := io.ReadAll(transform.NewReader(iotest.OneByteReader(bytes.NewReader(text)), &letters{}))
		if err != nil || failed != nil || !bytes.Equal(got, whole) {
			t.Errorf("%q, want %q: %v, %v", got, whole, failed, err)
		}
	})
}
