package rulelist

import (
	"bytes"
	"os"
	"testing"

	"parcorels/internal/status"
	"parcorels/internal/testing/given"
)

// TestVersion1 reads a file of the first version of the format, and writes it
// back byte for byte.
func TestVersion1(t *testing.T) {
	const path = "testdata/version1.json"
	written, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	m, err := given.Model(Codec, bytes.NewReader(written), path)
	if err != nil {
		t.Fatal(err)
	}
	if again := encoded(t, m); !bytes.Equal(again, written) {
		t.Errorf("the file\n%sis written as\n%s", written, again)
	}
	if c := m.Certificate(); c.Size != 4 || c.Errors != 0 || c.Status != status.Optimal || c.Objective.Value != .04 || c.Lambda != "0.01" {
		t.Errorf("certificate %+v", c)
	}
}
