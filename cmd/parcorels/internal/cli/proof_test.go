package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"parcorels/internal/testing/must"
	"parcorels/internal/wording"
	"runtime"
	"slices"
	"strings"
	"testing"

	"parcorels/dataset"
	"parcorels/instance"
	"parcorels/ratio"
	"parcorels/rulelist/search"
	"parcorels/rules"
)

// bikes is a table for most options of reading.
const bikes = `day;weather;hills;wind;age;w;skip;bike
1;sun;no;3;23;1;x;yes
2;sun;no;5;31;2;y;yes
3;sun;yes;8;44;1;z;yes
4;rain;no;2;25;0.5;x;yes
5;rain;yes;9;61;1;y;no
6;rain;yes;-;38;1;z;no
7;rain;no;7;none;3;x;no
8;snow;no;1;29;1;y;no
9;snow;yes;6;52;1;z;no
10;sun;yes;4;70;1;x;no
11;sun;no;2;66;1.5;y;yes
12;sun;no;3;48;1;z;yes
`

var bikeOptions = []string{
	"--sep", ";", "--target", "bike", "--positive", "no", "--ignore", "skip", "--ignore", "day", "--missing", "-,none",
	"--bins", "3", "--cuts", "age=30,50", "--weight", "w", "--class-weights", "1,2", "--max-card", "3", "--negations", "--min-support",
	"0.05",
}

// proveBikes writes bikes.csv and a proof about it.
func proveBikes(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	write(t, map[string]string{"bikes.csv": bikes})
	args := append([]string{"fit", "bikes.csv", "--lambda", "0.03", "--proof", "bikes.proof"}, bikeOptions...)
	if status, _, stderr := run(args...); status != exitDone {
		t.Fatalf("status %d: %s", status, stderr)
	}
}

// TestAnyCellIsRefused changes every byte of the data in turn.
func TestAnyCellIsRefused(t *testing.T) {
	proveBikes(t)
	for i := range bikes {
		changed := []byte(bikes)
		changed[i] = 'q'
		if string(changed) == bikes {
			continue
		}
		write(t, map[string]string{"bikes.csv": string(changed)})
		status, stdout, stderr := run("verify", "bikes.proof", "bikes.csv")
		if status != exitOutput && status != exitInput || stdout != "" || stderr == "" {
			t.Fatalf("byte %d: status %d, %s%s", i, status, stdout, stderr)
		}
		if status == exitOutput && !strings.Contains(stderr, "bikes.csv: the proof is refused: this is not the file that it was made for") {
			t.Fatalf("byte %d: %s", i, stderr)
		}
	}
}

func TestDamagedProof(t *testing.T) {
	proveBikes(t)
	proof := must.Get(os.ReadFile("bikes.proof"))(t)
	for i := range proof {
		damaged := slices.Clone(proof)
		damaged[i]++
		write(t, map[string]string{"bikes.proof": string(damaged)})
		want := exitOutput
		if i < 12 {
			want = exitInput // another kind of file, or another version
		}
		if status, stdout, stderr := run("verify", "bikes.proof", "bikes.csv"); status != want || stdout != "" ||
			strings.Count(stderr, "\n") != 1 {
			t.Fatalf("byte %d: status %d, %s%s", i, status, stdout, stderr)
		}
	}
}

// TestForeignProof has settings that fit would not write.
func TestForeignProof(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, map[string]string{"a.csv": "a,b\n" + strings.Repeat("1,1\n0,0\n", 1<<14)}) // of several blocks
	d := must.Get(dataset.Read("a.csv", dataset.Options{}))(t)
	set := must.Get(rules.Mine(t.Context(), d, rules.Options{}))(t)
	for settings, want := range map[string]string{
		`a.csv`:                              "it does not say how the data were read, as a proof of parcorels fit does",
		`{}`:                                 "it does not say how",
		`{"hash":"sha256:0"}`:                "this is not the file that it was made for",
		`{"hash":"sha256:0","format":"csv"}`: "this is not the file that it was made for",
		`{"hash":"sha256:0","format":"csv","options":[{"name":"labels","value":"/etc/passwd"}]}`:                                                                 `with an option "labels", which is not known here`,
		`{"hash":"sha256:0","format":"csv","options":[{"name":"bins","value":"1"}]}`:                                                                             `how the data were read: --bins is "1": expected`,
		`{"hash":"sha256:0","format":"csv","options":[{"name":"target","value":"a"},{"name":"target","value":"b"}]}`:                                             `--target is given twice`,
		`{"hash":"` + d.Hash + `","format":"csv","options":[{"name":"bins","value":"5"},{"name":"max-card","value":"2"},{"name":"min-support","value":"0.01"}]}`: "",
	} {
		var file bytes.Buffer
		o := search.Options{Lambda: ratio.New(1, 100), Workers: 1, Proof: &search.Proof{To: &file, Digest: set.Digest(),
			Settings: []byte(settings)}}
		in := must.Get(instance.FromSet(set))(t)
		must.Get(search.Solve(context.Background(), in, o))(t)
		write(t, map[string]string{"a.proof": file.String()})
		status, stdout, stderr := run("verify", "a.proof", "a.csv")
		if want == "" && status != exitDone || want != "" && (status == exitDone || stdout != "") || !strings.Contains(stderr, want) {
			t.Errorf("%s: status %d, %s%s", settings, status, stdout, stderr)
		}
	}
}

// TestProofThatCannotBeWritten: the list is printed all the same.
func TestProofThatCannotBeWritten(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, map[string]string{"bikes.csv": bikes})
	if runtime.GOOS == "linux" {
		status, stdout, stderr := run("fit", "bikes.csv", "--sep", ";", "--proof", "/dev/full", "-o", "model.json")
		if status != exitOutput || !strings.Contains(stdout, "optimal:") ||
			stderr != "parcorels: /dev/full: cannot be written: no space left on device\n" {
			t.Errorf("status %d, %s%s", status, stdout, stderr)
		}
		if _, err := os.Stat("model.json"); err != nil {
			t.Error(err)
		}
	}
}

// TestNoProofWithinLimits: a search within limits that ends without a proof leaves none.
func TestNoProofWithinLimits(t *testing.T) {
	t.Chdir(t.TempDir())
	exampleTable(t, "compas-like", "t.csv")
	status, _, stderr := run("fit", "t.csv", "--fair", "sex=male", "--parity", ".01", "--lambda", ".001", "--time", "400ms", "--proof", "p")
	if _, err := os.Stat("p"); status != exitNoProof || err == nil || !strings.Contains(stderr, "no proof in p: the search ended before") {
		t.Errorf("status %d, %v: %s", status, err, stderr)
	}
}

func TestVerifyTellsProgress(t *testing.T) {
	proveBikes(t)
	for _, args := range [][]string{nil, {"--progress", "never"}, {"--progress", "auto", "--quiet"}} {
		if status, _, stderr := run(append([]string{"verify", "bikes.proof", "bikes.csv"}, args...)...); status != exitDone ||
			stderr != "" {
			t.Errorf("%q: status %d, %q where there is no terminal", args, status, stderr)
		}
	}
	status, stdout, stderr := run("verify", "bikes.proof", "bikes.csv", "--progress", "always", "--json", "-")
	var o struct {
		Stats struct{ Records, Prefixes int64 }
	}
	if err := json.Unmarshal([]byte(stdout), &o); err != nil || status != exitDone {
		t.Fatalf("status %d, %v: %s", status, err, stdout)
	}
	lines := strings.Split(strings.TrimSuffix(stderr, "\n"), "\n")
	cells := strings.Fields(lines[len(lines)-1])
	if len(lines) < 2 || !strings.HasSuffix(lines[0], "records  checked       of  share    time") || len(cells) != 6 ||
		cells[0] != wording.Short(o.Stats.Records) || cells[1] != wording.Short(o.Stats.Prefixes) {
		t.Errorf("records and prefixes are %+v, and this was told:\n%s", o.Stats, stderr)
	}
	if len(lines[len(lines)-1]) > 60 {
		t.Errorf("a line of %d columns: %s", len(lines[len(lines)-1]), stderr)
	}
}
