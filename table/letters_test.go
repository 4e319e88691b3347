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

	"github.com/xuri/excelize/v2"
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

// workbook returns an Excel file with these cells.
func workbook(t *testing.T, cells map[string]any) []byte {
	t.Helper()
	f := excelize.NewFile()
	format := "dd.mm.yyyy"
	style := must.Get(f.NewStyle(&excelize.Style{CustomNumFmt: &format}))(t)
	for at, v := range cells {
		must.Do(t, f.SetCellValue("Sheet1", at, v))
		if at[0] == 'B' {
			_ = f.SetCellStyle("Sheet1", at, at, style) // the cell is there
		}
	}
	var b bytes.Buffer
	must.Do(t, f.Write(&b))
	return b.Bytes()
}

// TestSpreadsheet reads numbers as they are, dates as dates, and rows that end early.
func TestSpreadsheet(t *testing.T) {
	t.Parallel()
	data := workbook(t, map[string]any{"A1": "größe", "B1": "day", "C1": "note", "D1": "y",
		"A2": 1.25, "B2": 45292, "C2": "a,\"b\"", "D2": "yes", "A4": 1e-7, "B4": 45293.5, "D4": "no", "A5": 3, "B5": "never"})
	want := "größe|day|note|y\n1.25|2024-01-01|a,\"b\"|yes\n0.0000001|2024-01-02 12:00:00||no\n3|never||"
	if got, _ := everything(t, bytes.NewReader(data)); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	for i := 0; i < len(data); i += 1 + len(data)/200 { // damage is told, or changes nothing that is read
		bad := bytes.Clone(data)
		bad[i] ^= 0x55
		if rows, err := New(bytes.NewReader(bad), "t.xlsx", Options{}); err == nil {
			_ = rows.Close()
		}
		if rows, err := New(bytes.NewReader(data[:i]), "t.xlsx", Options{}); err == nil {
			t.Errorf("the first %d bytes are read", i)
			_ = rows.Close()
		}
	}
}
