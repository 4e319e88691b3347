//go:build unix

package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"parcorels/internal/peakmem"
	"parcorels/internal/testing/must"
)

// childEnv makes this test program behave like a child of the runner, or like
// another solver.
const childEnv = "PARCORELS_BENCH_TEST"

func TestMain(m *testing.M) {
	switch mode := os.Getenv(childEnv); mode {
	case "":
		os.Exit(m.Run())
	case "serve":
		if err := RunCase(context.Background(), os.Stdin, os.Stdout, func(*Case) {}); err != nil {
			fmt.Fprintln(os.Stderr, "parcorels:", err)
			os.Exit(2)
		}
	case "garbage":
		fmt.Println("not JSON")
	case "fail":
		fmt.Fprintln(os.Stderr, "first line\nno such luck")
		os.Exit(7)
	}
}

// testRunner runs cases with this test program as the child.
func testRunner(t *testing.T, mode string) (*Runner, *[]Record, *[]string) {
	t.Setenv(childEnv, mode)
	var records []Record
	var lines []string
	r := &Runner{
		Program: []string{os.Args[0]}, Repeats: 2, Warmup: true, Origin: NewOrigin("", "test"),
		Log:  func(line string) { lines = append(lines, line) },
		Emit: func(rec *Record) error { records = append(records, *rec); return nil },
	}
	return r, &records, &lines
}

func TestRunner(t *testing.T) {
	r, records, lines := testRunner(t, "serve")
	cases := []Case{
		{Suite: "s", Instance: "monk1", Lambda: "0.01", Workers: 2},
		{Suite: "s", Instance: "monk1", Lambda: "0.01", Workers: 2, Variant: "apart", Separate: true, Kernel: "generic"},
		{Suite: "s", Instance: "compas", Lambda: "0.01"},
	}
	must.Do(t, r.Run(t.Context(), cases))
	if len(*records) != 6 {
		t.Fatalf("%d records, want those of a warm-up and two rounds of two cases", len(*records))
	}
	for i, rec := range *records {
		if rec.Round != i/2 || rec.Status != "optimal" || rec.Objective != .04 || rec.Length != 4 || rec.Error != "" {
			t.Errorf("record %d: %+v", i, rec)
		}
		if rec.SecondsWall < rec.SecondsTotal || rec.SecondsTotal < rec.SecondsSearch || rec.PeakBytes == 0 || rec.SecondsSearch == 0 ||
			rec.Searchers != 2 {
			t.Errorf("record %d: %+v", i, rec)
		}
	}
	if !strings.Contains((*lines)[0], "skipped: compas is not there") {
		t.Errorf("lines %q", *lines)
	}
	if err := Check(*records); err != nil {
		t.Error(err)
	}
}

func TestRunnerWithoutData(t *testing.T) {
	r, records, lines := testRunner(t, "serve")
	for _, r.Data = range []string{"", t.TempDir()} {
		*lines = nil
		err := r.Run(t.Context(), []Case{{Instance: "compas", Lambda: "0.01"}, {Instance: "compas", Lambda: "0.02"}})
		if err == nil || !strings.Contains(err.Error(), "nothing to run: compas is not there") || len(*records) > 0 || len(*lines) != 1 {
			t.Errorf("folder %q: %v, %d records, lines %q", r.Data, err, len(*records), *lines)
		}
	}
	for _, c := range []Case{{Instance: "monk1", Lambda: "2"}, {Instance: "monk1", Lambda: "0.1", Without: "luck"},
		{Instance: "nowhere", Lambda: "0.1"}, {Instance: "planted/axb", Lambda: "0.1"}} {
		if err := r.Run(t.Context(), []Case{c}); err == nil {
			t.Errorf("%+v ran", c)
		}
	}
}

// TestChildThatFails leaves a record that says why.
func TestChildThatFails(t *testing.T) {
	for mode, want := range map[string]string{"fail": "exit status 7: no such luck", "garbage": "no result that can be read"} {
		r, records, _ := testRunner(t, mode)
		err := r.Run(t.Context(), []Case{{Instance: "monk1", Lambda: "0.01"}})
		if err == nil || len(*records) != 1 || !strings.Contains((*records)[0].Error, want) {
			t.Errorf("%s: %v, %+v", mode, err, *records)
		}
		if text := Tables(*records); !strings.Contains(text, "failed") {
			t.Errorf("%s: tables\n%s", mode, text)
		}
	}
}

func TestRunCase(t *testing.T) {
	serve := func(in io.Reader) (Outcome, error) {
		var out strings.Builder
		err := RunCase(t.Context(), in, &out, func(*Case) {})
		var r Outcome
		if err == nil {
			err = json.Unmarshal([]byte(out.String()), &r)
		}
		return r, err
	}
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer write.Close()
	must.Get(write.WriteString(`{"instance":"monk3","lambda":"0.01","workers":1}` + "\n"))(t)
	if r, err := serve(read); err != nil || r.Status != "optimal" || r.PeakBytes == 0 && peakmem.Peak() > 0 {
		t.Errorf("%+v, error %v", r, err)
	}
	// The end of stdin ends a search that would take hours.
	hard := `{"instance":"planted/100000x160","lambda":"0.0001"}`
	if r, err := serve(strings.NewReader(hard)); err == nil {
		t.Errorf("an orphan went on: %+v", r)
	}
	for _, bad := range []string{"", "{", `{"instance":"monk1","lambda":"x"}`, `{"instance":"compas","lambda":"0.1"}`} {
		if _, err := serve(strings.NewReader(bad)); err == nil {
			t.Errorf("%q was served", bad)
		}
	}
}
