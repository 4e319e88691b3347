package search_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"testing"
	"time"
)

// soakBatch is how many runs one process makes.
const soakBatch = 500

// soakInProcesses runs the soak in one process after the other for so long. A
// worker that panics ends its process, whose output ends with the seed.
func soakInProcesses(t *testing.T, d time.Duration) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	total := 0
	for start, first := time.Now(), *seed; time.Since(start) < d; first += soakBatch {
		cmd := exec.CommandContext(t.Context(), self, "-test.run=^TestSoak$", "-test.v", "-test.timeout=0",
			fmt.Sprintf("-seed=%d", first), fmt.Sprintf("-runs=%d", soakBatch))
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("after %d runs: %v\n%s", total, err, withoutPassed(out))
		}
		total += soakBatch
		if line := lastLine(out, []byte("runs from seed")); testing.Verbose() {
			t.Logf("%v: %s", time.Since(start).Round(time.Second), line)
		}
	}
	t.Logf("%d runs from seed %d on", total, *seed)
}

// withoutPassed leaves out the runs that ended well: all but the last of those
// that began.
func withoutPassed(out []byte) []byte {
	const began = "run of seed"
	if i := bytes.LastIndex(out, []byte(began)); i >= 0 {
		return out[i:]
	}
	return out
}

// lastLine returns the last line that has the text in it.
func lastLine(out, text []byte) []byte {
	var found []byte
	for line := range bytes.Lines(out) {
		if bytes.Contains(line, text) {
			found = bytes.TrimSpace(line)
		}
	}
	return found
}
