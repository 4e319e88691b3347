//go:build linux && !race

package cli

import (
	"encoding/json"
	"os"
	"testing"
)

// TestResident: the memory that a whole process has resident stays within a tenth
// and 33 MiB of its budget when the search fills most of that. 8 MiB of them are the code of this test's program.
func TestResident(t *testing.T) {
	t.Chdir(t.TempDir())
	hard(t)
	const budget = 64 << 20
	cmd := program("main", "fit", "t.csv", "--lambda", "0.001", "--workers", "2", "--memory", "64MiB", "--nodes", "50000",
		"--test-without", "incumbent,lookahead,separation", "--json", "r.json")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	var r struct {
		Stats struct {
			SearchBytes int64 `json:"search_bytes"`
			PeakBytes   int64 `json:"peak_bytes"` // the parent's, too, would count in what the kernel tells of a child
		} `json:"stats"`
	}
	text, err := os.ReadFile("r.json")
	if err == nil {
		err = json.Unmarshal(text, &r)
	}
	if err != nil {
		t.Fatal(err)
	}
	resident := r.Stats.PeakBytes
	if most := int64(budget + budget/10 + 33<<20); resident > most || r.Stats.SearchBytes < budget/2 {
		t.Errorf("%d bytes are resident, at most %d may be; the search took %d of %d", resident, most, r.Stats.SearchBytes, budget)
	}
	t.Logf("%d bytes resident, %d of the search", resident, r.Stats.SearchBytes)
}
