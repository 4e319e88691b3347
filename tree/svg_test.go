package tree

import (
	"encoding/xml"
	"testing"
)

// TestEscaped reads back as XML what names of columns and classes may hold.
func TestEscaped(t *testing.T) {
	for text, want := range map[string]string{
		`a < b & "c" > 'd'`:  `a < b & "c" > 'd'`,
		"\x00\x1b[1m \uffff": "��[1m �",
		"\xff é":             "� é",
	} {
		var got string
		if err := xml.Unmarshal([]byte("<t>"+escaped(text)+"</t>"), &got); err != nil || got != want {
			t.Errorf("%q: %q, error %v, want %q", text, got, err, want)
		}
	}
}
