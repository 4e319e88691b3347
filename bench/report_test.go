package bench

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestFigure(t *testing.T) {
	for x, want := range map[float64]string{
		0: "0", .000956: ".000956", .0147: ".0147", .5: ".5", 1: "1", 1.6666: "1.67", 10.1: "10.1", 11.03: "11", 53: "53", 99.96: "100",
		149.4: "149",
		999.4: "999", 999.6: "1,000", 12345: "12,345", -.25: "-.25", 100: "100", 20: "20",
	} {
		if got := figure(x); got != want {
			t.Errorf("%v: %q, want %q", x, got, want)
		}
	}
}

// TestTables: every suite has a table with the figures of its records.
func TestTables(t *testing.T) {
	for _, c := range []struct {
		suite, part string
		want        []string
	}{
		{"", "", []string{"| alpha", "| .01 |", "| .2500000000 |", "| 2       |", "| 1–3   |", "| 3    |", "1,234", "56,789"}},
		{"table", "", []string{"| alpha", `beta\|2`}},
		{"corels-jmlr", "table 3", []string{"| .01 | 2       | 1–3   | 1          | 3              | 2     | 56,789"}},
		{"corels-jmlr", "table 4", []string{"1×"}},
		{"scaling", "workers", []string{"| 1.00     |         | 100%", "75%"}},
		{"scaling", "samples", []string{"| 10      | 5 "}},
		{"open", "", []string{".2500000000", "0%"}},
		{"kernels", "", []string{"| 3 | 1 |"}},
	} {
		text := Tables(some(c.suite, c.part, 1, 2, 3))
		for _, want := range append(c.want, "Commit 0123456789ab (2026-01-02); abacus, 4 cores, go1.") {
			if !strings.Contains(strings.ReplaceAll(text, "\n", " "), want) {
				t.Errorf("%s %s: no %q in\n%s", c.suite, c.part, want, text)
			}
		}
		if strings.Contains(text, "99") {
			t.Errorf("%s %s: the warm-up counts\n%s", c.suite, c.part, text)
		}
	}
}

// TestColumns: every column of every table is known.
func TestColumns(t *testing.T) {
	for _, s := range Suites() {
		for part, names := range s.Tables {
			for _, name := range names {
				_, column, different := strings.Cut(name, " = ")
				if !different {
					column = name
				}
				if columns[column] == nil {
					t.Errorf("%s %s: no column %q", s.Name, part, name)
				}
			}
		}
	}
}

// TestCeiling: two searches side by side that take 5 s each, where one alone
// takes 4, do the work of 1.6; their own row is not in the table.
func TestCeiling(t *testing.T) {
	records := some("scaling", "workers", 1)[1:2]
	for _, x := range []struct {
		workers, copies int
		seconds         float64
	}{{1, 0, 4}, {2, 0, 2}, {1, 2, 5}, {4, 0, 1}} {
		r := records[0]
		r.Workers, r.Copies, r.SecondsSearch = x.workers, x.copies, x.seconds
		records = append(records, r)
	}
	text := Tables(records[1:])
	for _, want := range []string{
		"| 1       | 4       | one run | 1.00     |         | 100%",
		"| 2       | 2       | one run | 2.00     | 1.60    | 100%",
		"| 4       | 1       | one run | 4.00     |         | 100%",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if n := strings.Count(text, "| alpha"); n != 3 {
		t.Errorf("%d rows and not 3 in\n%s", n, text)
	}
}

func TestWarmUpCountsWhereNothingElseDoes(t *testing.T) {
	if text := Tables(some("table", "")); !strings.Contains(text, "| 99 ") || !strings.Contains(text, "one run") {
		t.Errorf("%s", text)
	}
}

func TestRenew(t *testing.T) {
	folder := t.TempDir()
	f, err := os.Create(filepath.Join(folder, "r.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	w := Writer{W: f}
	for _, r := range append(some("scaling", "workers", 1), some("scaling", "samples", 1)...) {
		if err := w.Write(&r); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	doc := filepath.Join(folder, "B.md")
	write := func(text string) {
		if err := os.WriteFile(doc, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("before\n<!-- bench r.jsonl samples -->\nold\n<!-- /bench -->\nafter\n<!-- bench r.jsonl -->\n<!-- /bench -->\n")
	text, err := renew(doc)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(text, "before\n<!-- bench r.jsonl samples -->\n\nCommit 0123456789ab (2026-01-02); abacus") ||
		strings.Contains(text, "old") ||
		strings.Count(text, "\nafter\n") != 1 || strings.Count(text, "speed-up") != 1 || strings.Count(text, "distinct points") != 2 {
		t.Errorf("%s", text)
	}
	write(text)
	if again, err := renew(doc); err != nil || again != text {
		t.Errorf("renewed once more: error %v\n%s", err, again)
	}
	for bad, want := range map[string]string{
		"no mark\n":                "no pairs",
		"<!-- bench r.jsonl -->\n": "no pairs",
		"x\n<!-- /bench -->\n":     "no pairs",
		"<!-- bench r.jsonl -->\n<!-- bench r.jsonl -->\n<!-- /bench -->\n": "no pairs",
		"<!-- bench absent -->\n<!-- /bench -->\n":                          "no such file",
		"<!-- bench r.jsonl samples | moon -->\n<!-- /bench -->\n":          "no column \"moon\"",
		"<!-- bench r.jsonl moon -->\n<!-- /bench -->\n":                    "no records of part",
		"<!-- bench r.jsonl\n<!-- /bench -->\n":                             "no pairs",
	} {
		write(bad)
		if _, err := renew(doc); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", bad, err, want)
		}
	}
}

// TestSuites: every case of every suite can be run, but for its data.
func TestSuites(t *testing.T) {
	r := &Runner{}
	for _, s := range Suites() {
		cases, err := Find([]string{s.Name}, nil, 0, "")
		if err != nil || len(cases) == 0 {
			t.Errorf("%s: %d cases, error %v", s.Name, len(cases), err)
		}
		seen := map[Case]bool{}
		for _, c := range cases {
			if err := r.ready(c); err != nil && !strings.Contains(err.Error(), ErrAbsent.Error()) {
				t.Errorf("%s: %v", s.Name, err)
			}
			k := (&Record{Case: c}).key()
			if seen[k] {
				t.Errorf("%s: two cases are %s", s.Name, c.Name())
			}
			seen[k] = true
		}
	}
	if _, err := Find([]string{"nowhere"}, []string{"0.1"}, 1, ""); err == nil {
		t.Error("found nowhere")
	}
	if got, err := Find([]string{"quick"}, nil, 1, "monk2"); err != nil || len(got) != 1 || got[0].Lambda != "0.05" {
		t.Errorf("selected %+v, error %v", got, err)
	}
}

func TestReadRates(t *testing.T) {
	text := "goos: linux\nBenchmarkCount/4/avx2-2 \t 5\t 40.5 ns/op\t 2000.5 MB/s\nBenchmarkCount/2/avx2-2 \t 5\t 7 ns/op\t 900 MB/s\n" +
		"BenchmarkCount/4/avx2-2 \t 5\t 41 ns/op\t 1900 MB/s\nPASS\n"
	got, err := readRates(text)
	if want := []Rate{{"avx2", 2, .9, "GB/s"}, {"avx2", 4, 2.0005, "GB/s"}}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%+v, error %v, want %+v", got, err, want)
	}
	if _, err := readRates("PASS\n"); err == nil {
		t.Error("no figure is no error")
	}
}

// TestPlanted: a longer table begins with a shorter one.
func TestPlanted(t *testing.T) {
	short, err := planted(t.Context(), "a", []int{100, 9})
	if err != nil {
		t.Fatal(err)
	}
	long, err := planted(t.Context(), "b", []int{1000, 9})
	if err != nil {
		t.Fatal(err)
	}
	for i := range short.Features {
		for row := range uint(100) {
			if short.Features[i].Bits.Test(row) != long.Features[i].Bits.Test(row) || short.Labels.Test(row) != long.Labels.Test(row) {
				t.Fatalf("row %d differs", row)
			}
		}
	}
}
