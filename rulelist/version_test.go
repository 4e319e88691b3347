package rulelist

import (
	"bytes"
	"os"
	"testing"

	"parcorels/internal/status"
	"parcorels/internal/testing/given"
	"parcorels/internal/testing/must"
)

// TestVersion1 reads a file of the first version of the format, and writes it
// back byte for byte.
func TestVersion1(t *testing.T) {
	const path = "testdata/version1.json"
	written := must.Get(os.ReadFile(path))(t)
	m := must.Get(given.Model(Codec, bytes.NewReader(written), path))(t)
	if again := encoded(t, m); !bytes.Equal(again, written) {
		t.Errorf("the file\n%sis written as\n%s", written, again)
	}
	if c := m.Certificate(); c.Size != 4 || c.Errors != 0 || c.Status != status.Optimal || c.Objective.Value != .04 || c.Lambda != "0.01" {
		t.Errorf("certificate %+v", c)
	}
}
