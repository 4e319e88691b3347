package bench

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"parcorels/internal/testing/must"
)

// some returns records of a suite: cases with several runs each, the warm-up
// first, which is slow.
func some(suite, part string, seconds ...float64) (list []Record) {
	for _, i := range []string{"alpha", "beta|2"} {
		for round, s := range append([]float64{99}, seconds...) {
			r := Record{
				Round: round, SecondsWall: 2 * s, SecondsCPU: s, Origin: Origin{recordVersion,
					Machine{CPU: "abacus", Cores: 4, System: "wood/beads", Go: "go1"}, "0123456789ab", "2026-01-02", "parcorels-bench"},
			}
			r.Case = Case{Suite: suite, Part: part, Instance: i, Lambda: "0.01", Workers: 1}
			r.Outcome = Outcome{
				Status: "optimal", Objective: .25, LowerBound: .25, Length: 2, Samples: 10,
				Antecedents: 5, SecondsSearch: s, SecondsOptimum: s / 2,
				Expanded: 1234, Evaluations: 56789, Inserted: 2345, SearchBytes: 3e6, PeakBytes: 20e6, Longest: 3,
				Searchers: 1, SecondsParked: s / 4,
				Rates: []Rate{{"throughput", 2, 3, "GB/s"}, {"throughput", 4, 1, "GB/s"}},
			}
			list = append(list, r)
		}
	}
	return list
}

func TestRoundTrip(t *testing.T) {
	want := some("table", "p", 1, 2)
	want[0].Error, want[0].Separate, want[0].Kernel = "no <luck> & λ", true, "generic"
	var b bytes.Buffer
	w := Writer{W: &b}
	for i := range want {
		must.Do(t, w.Write(&want[i]))
	}
	if lines := bytes.Count(b.Bytes(), []byte("\n")); lines != len(want)+1 {
		t.Errorf("%d records on %d lines, expected one more", len(want), lines)
	}
	file := filepath.Join(t.TempDir(), "r.jsonl")
	must.Do(t, os.WriteFile(file, b.Bytes(), 0o600))
	got := must.Get(ReadFiles(file, file))(t)
	if !reflect.DeepEqual(got, append(want, want...)) {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
}

// TestFieldsAreKept: no two parts of a record share a name in JSON, which
// would silently leave both out.
func TestFieldsAreKept(t *testing.T) {
	names := map[string]string{}
	var visit func(v reflect.Type, path string)
	visit = func(v reflect.Type, path string) {
		for i := range v.NumField() {
			f := v.Field(i)
			if f.Anonymous && f.Tag.Get("json") == "" {
				visit(f.Type, path+"."+f.Name)
				continue
			}
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if other, taken := names[name]; taken || name == "" {
				t.Errorf("%s.%s is %q in JSON, as %s", path, f.Name, name, other)
			}
			names[name] = path + "." + f.Name
		}
	}
	visit(reflect.TypeFor[Record](), "Record")
}

// origin is the line above records.
const origin = `{"v":4,"machine":{"cpu":"c","cores":1,"system":"s","go":"g"},"commit":"c","date":"d","command":"p"}` + "\n"

// FuzzRead: whatever a file holds, it is read or refused, and what is read can
// be reported and compared.
func FuzzRead(f *testing.F) {
	var b bytes.Buffer
	w := Writer{W: &b}
	for _, r := range some("scaling", "workers", 1) {
		_ = w.Write(&r)
	}
	f.Add(b.Bytes())
	for _, suite := range []string{"kernels", "systems", "open"} {
		f.Add([]byte(origin + `{"suite":"` + suite + `","instance":"x","variant":"map"}`))
	}
	f.Add([]byte(origin + `{"suite":"corels-jmlr","part":"table 4","instance":"x"}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		records, err := read(text, "f")
		if err != nil {
			return
		}
		_ = Tables(records)
		_, _ = Compare(records, records)
	})
}
