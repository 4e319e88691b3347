package main

import (
	"context"
	"os"
	"strings"
	"testing"
)

// processEnv makes this test program behave like parcorels-bench.
const processEnv = "PARCORELS_TEST_PROCESS"

func TestMain(m *testing.M) {
	if os.Getenv(processEnv) == "main" {
		main()
	}
	os.Exit(m.Run())
}

// run runs a command line.
func run(args ...string) (status int, stdout, stderr string) {
	return runContext(context.Background(), "", args...)
}

func runContext(ctx context.Context, stdin string, args ...string) (status int, stdout, stderr string) {
	var out, err strings.Builder
	p := program{in: strings.NewReader(stdin), out: &out, err: &err, args: args}
	status = p.run(ctx)
	return status, out.String(), err.String()
}

func writeFile(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestMistakes: what is wrong with records and options is one line.
func TestMistakes(t *testing.T) {
	t.Chdir(t.TempDir())
	const record = origin + `{"suite":"s","instance":"x","lambda":"0.01","round":1,"status":"optimal","objective":0.5,"length":1,"seconds_search":1}` + "\n"
	writeFile(t, "a.jsonl", record)
	writeFile(t, "wrong.jsonl", strings.Replace(record, "0.5", "0.4", 1))
	writeFile(t, "broken.jsonl", record+`{`)
	for _, c := range []struct {
		line   string
		status int
		want   string
	}{
		{"compare a.jsonl wrong.jsonl", exitOutput, "certified objectives disagree: x λ=.01 has 0.5000000000 with 1 rules and " +
			"0.4000000000 with 1 rules"},
		{"compare a.jsonl", exitInput, "accepts 2 arg(s), received 1"},
		{"compare a.jsonl broken.jsonl", exitInput, "broken.jsonl:3: not a record of a run: unexpected end of JSON input"},
		{"report broken.jsonl", exitInput, "broken.jsonl:3: not a record of a run: unexpected end of JSON input"},
		{"report absent.jsonl", exitInput, "absent.jsonl: no such file or directory"},
		{"report", exitInput, "requires at least 1 arg(s), only received 0"},
		{"nowhere", exitInput, `"nowhere" is no suite, no instance and no file (see parcorels-bench list)`},
		{"compas --data nowhere --quiet", exitInput, "nothing to run: compas is not there: no file nowhere/corels/compas_train.out.gz"},
		{"monk1 --only nothing", exitInput, `no case has "nothing" in its name`},
		{"monk1 -o a.jsonl", exitInput, "a.jsonl: holds something already; --append adds to it"},
		{"monk1 -output=x", exitInput, "-output=x: an option of more than one letter has two dashes"},
		{"monk1 --lambda 0.1,2", exitInput, `monk1 λ=2: option Lambda is 2: expected a number between 0 and 1`},
		{"monk1 --repeats 0", exitInput, "--repeats 0: expected at least 1"},
		{"run", exitInput, "stdin holds no case: EOF"},
	} {
		status, _, stderr := run(strings.Fields(c.line)...)
		if status != c.status || !strings.HasPrefix(stderr, "parcorels-bench: "+c.want) || strings.Count(stderr, "\n") != 1 {
			t.Errorf("%s: status %d, %s", c.line, status, stderr)
		}
	}
}

// origin is the line above records.
const origin = `{"v":4,"machine":{"cpu":"c","cores":1,"system":"s","go":"g"},"commit":"c","date":"d","command":"p"}` + "\n"

// TestCompare prints the medians of four runs beside those of four others.
func TestCompare(t *testing.T) {
	t.Chdir(t.TempDir())
	writeFile(t, "a.jsonl", origin+`{"suite":"s","instance":"x","lambda":"0.01","round":1,"status":"optimal","peak_bytes":1000000,"objective":0.5,"length":1,"seconds_search":1,"expanded":10}
{"suite":"s","instance":"x","lambda":"0.01","round":2,"status":"optimal","peak_bytes":1000000,"objective":0.5,"length":1,"seconds_search":1.01,"expanded":10}
{"suite":"s","instance":"x","lambda":"0.01","round":3,"status":"optimal","peak_bytes":1000000,"objective":0.5,"length":1,"seconds_search":1.02,"expanded":10}
{"suite":"s","instance":"x","lambda":"0.01","round":4,"status":"optimal","peak_bytes":1000000,"objective":0.5,"length":1,"seconds_search":1.03,"expanded":10}`)
	writeFile(t, "b.jsonl", origin+`{"suite":"s","instance":"x","lambda":"0.01","round":1,"status":"optimal","peak_bytes":1000000,"objective":0.5,"length":1,"seconds_search":0.5,"expanded":9}
{"suite":"s","instance":"x","lambda":"0.01","round":2,"status":"optimal","peak_bytes":1000000,"objective":0.5,"length":1,"seconds_search":0.51,"expanded":9}
{"suite":"s","instance":"x","lambda":"0.01","round":3,"status":"optimal","peak_bytes":1000000,"objective":0.5,"length":1,"seconds_search":0.52,"expanded":9}
{"suite":"s","instance":"x","lambda":"0.01","round":4,"status":"optimal","peak_bytes":1000000,"objective":0.5,"length":1,"seconds_search":0.53,"expanded":9}`)
	const want = `| case    | before s | now s | change | p     | runs | verdict |
|---------|----------|-------|--------|-------|------|---------|
| x λ=.01 | 1.02     | .515  | -49.3% | 0.029 | 4, 4 | faster  |

| case    | before MB | now MB | change | p     | runs | verdict               |
|---------|-----------|--------|--------|-------|------|-----------------------|
| x λ=.01 | 1         | 1      | +0.0%  | 1.000 | 4, 4 | the same within noise |

| case    | expanded before | now | change |
|---------|-----------------|-----|--------|
| x λ=.01 | 10              | 9   | -10.0% |

Medians; p by the Mann–Whitney U test, a change is called one if p < 0.05. Of 1
rows one in 20 does so by chance.
`
	if status, stdout, stderr := run("compare", "a.jsonl", "b.jsonl"); status != exitDone || stdout != want {
		t.Errorf("status %d, %s\n%s\nwant\n%s", status, stderr, stdout, want)
	}
	if status, stdout, stderr := run("report", "a.jsonl"); status != exitDone ||
		!strings.Contains(stdout, "| x        | .01 | .5000000000 | 1     |") {
		t.Errorf("status %d, %s\n%s", status, stderr, stdout)
	}
}

// TestList names suites and instances.
func TestList(t *testing.T) {
	status, stdout, stderr := run("list")
	for _, want := range []string{"suites\n", "  table ", "\ninstances\n", "  monk1 ", "FILE"} {
		if status != exitDone || !strings.Contains(stdout, want) {
			t.Errorf("status %d, no %q: %s%s", status, want, stderr, stdout)
		}
	}
}
