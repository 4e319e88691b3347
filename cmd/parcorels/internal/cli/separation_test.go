package cli

import (
	"encoding/json"
	"os"
	"testing"

	"parcorels/internal/testing/testgen"
)

// noisyOut writes a table of 1,200 samples whose labels are wrong in a fifth: x.out, x.label.
func noisyOut(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	in := testgen.Noisy(1)
	for seed := range uint64(2) {
		more := testgen.Noisy(seed + 2)
		in.Labels = append(in.Labels, more.Labels...)
		for k := range in.Columns {
			in.Columns[k] = append(in.Columns[k], more.Columns[k]...)
		}
	}
	writeOut(t, in)
}

// ranTo runs a command that writes a JSON object to out.json, and reads that.
func ranTo(t *testing.T, object any, command string) {
	t.Helper()
	if status, stdout, stderr := run(words(command + " --json out.json")...); status != exitDone {
		t.Fatalf("%s: status %d, stderr %q\n%s", command, status, stderr, stdout)
	}
	text, err := os.ReadFile("out.json")
	if err == nil {
		err = json.Unmarshal(text, object)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestStoppedEarlyWithASmallGap: who stops a search of a noisy table early is told of a
// small gap, as the separation bound comes before the first prefix.
func TestStoppedEarlyWithASmallGap(t *testing.T) {
	noisyOut(t)
	type stopped struct {
		Objective float64 `json:"objective"`
		Bound     float64 `json:"lower_bound"`
	}
	gap := func(options string) float64 {
		var r stopped
		ranTo(t, &r, "fit x.out --lambda 0.01 --workers 1 --time 5m --nodes 1"+options)
		return 1 - r.Bound/r.Objective
	}
	with, without := gap(""), gap(" --test-without separation")
	if !(with >= 0 && with < 0.2) || !(without > 0.6 && without < 1) {
		t.Errorf("gaps after one prefix: %v with the separation bound, %v without", with, without)
	}
}
