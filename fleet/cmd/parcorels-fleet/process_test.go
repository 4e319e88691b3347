package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"parcorels/family"
	"parcorels/fleet"
	"parcorels/internal/testing/must"
	"parcorels/model"
	"parcorels/verify"
)

// software is what models say that they were made by.
const software = "parcorels (devel)"

// processEnv makes this test program behave like parcorels-fleet.
const processEnv = "PARCORELS_FLEET_TEST"

func TestMain(m *testing.M) {
	if os.Getenv(processEnv) != "" {
		debug.SetGCPercent(100) // the program's, where package cases set the tests'
		os.Exit(run(context.Background(), os.Args[1:], os.Stdout, os.Stderr))
	}
	flag.Parse()
	_ = flag.Set("test.parallel", "4") // they mostly wait
	os.Exit(m.Run())
}

// table writes a table of noisy measurements, on which a search takes a second or so.
func table(t *testing.T, rows, columns, classes int, seed uint64) string {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 95))
	var b strings.Builder
	for c := range columns {
		fmt.Fprintf(&b, "c%d,", c)
	}
	b.WriteString("y\n")
	for range rows {
		z := []float64{rng.Float64(), rng.Float64(), rng.Float64()}
		bit := func(yes bool) int {
			if yes {
				return 1
			}
			return 0
		}
		for c := range columns {
			cut := float64(c) * .61803
			for cut > 1.5 {
				cut -= 1.5
			}
			fmt.Fprintf(&b, "%d,", bit(z[c%3]+rng.Float64()/2 > cut))
		}
		class := bit((z[0] > .5) != (z[1] > .6 && z[2] > .4) != (rng.IntN(6) == 0))
		if classes == 3 && z[2] > .6 && rng.IntN(6) > 0 {
			class = 2
		}
		fmt.Fprintf(&b, "%d\n", class)
	}
	file := filepath.Join(t.TempDir(), "table.csv")
	must.Do(t, os.WriteFile(file, []byte(b.String()), 0o600))
	return file
}

// process is a running parcorels-fleet.
type process struct {
	*exec.Cmd
	out  lockedBuffer
	done chan error
}

// lockedBuffer keeps what a process prints.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

func start(t *testing.T, args ...string) *process {
	t.Helper()
	p := &process{Cmd: exec.Command(os.Args[0], args...), done: make(chan error, 1)}
	p.Env = append(os.Environ(), processEnv+"=1")
	p.Stdout, p.Stderr = &p.out, &p.out
	must.Do(t, p.Start())
	go func() { p.done <- p.Wait() }()
	t.Cleanup(func() { _ = p.Process.Kill() })
	return p
}

func (p *process) signal(s os.Signal) { _ = p.Process.Signal(s) }

// ended waits for the end, and returns the exit status.
func (p *process) ended() int {
	<-p.done
	return p.ProcessState.ExitCode()
}

// job is a job of processes.
type jobOf struct {
	t        *testing.T
	table    string
	folder   string
	lambda   string
	extra    []string
	expected string // model file
}

// quick are options for jobs of a second.
var quick = []string{"--least-part", "50", "--give-after", "100ms", "--save-every", "300ms", "--ack-wait", "2s"}

func newJob(t *testing.T, classes int, seed uint64) *jobOf {
	t.Helper()
	j := &jobOf{t: t, table: table(t, 300, 80, classes, seed), folder: filepath.Join(t.TempDir(), "job"), lambda: "0.009"}
	reading := family.Of(model.RuleList).Reading(family.Reading{})
	data := must.Get(family.Read(j.table, reading))(t)
	m := must.Get(family.Fit(t.Context(), data, family.Options{Lambda: j.lambda, MaxCard: 1, Workers: 1, Software: software}))(t)
	var b bytes.Buffer
	must.Do(t, m.Encode(&b))
	j.expected = b.String()
	return j
}

func (j *jobOf) model() string { return j.folder + ".model" }

func (j *jobOf) serve(args ...string) *process {
	args = append([]string{"serve", j.table, "--lambda", j.lambda, "--max-card", "1", "--dir", j.folder, "-o", j.model(), "--workers", "1",
		"--json-progress"}, args...)
	return start(j.t, append(append(args, quick...), j.extra...)...)
}

// join waits for the server, and returns how it is joined.
func (j *jobOf) join() *url.URL {
	for {
		if a, err := fleet.ReadJoin(fleet.JoinFile(j.folder)); err == nil {
			return a
		}
		time.Sleep(25 * time.Millisecond)
	}
}

func (j *jobOf) work(args ...string) *process {
	j.join()
	return j.workWith(fleet.JoinFile(j.folder), args...)
}

func (j *jobOf) workWith(file string, args ...string) *process {
	return start(j.t, append([]string{"work", file, "--workers", "1"}, args...)...)
}

// same checks the model file.
func (j *jobOf) same(p *process) {
	j.t.Helper()
	b, err := os.ReadFile(j.model())
	if err != nil {
		j.t.Fatalf("%v\n%s", err, p.out.String())
	}
	if string(b) != j.expected {
		j.t.Fatalf("another model:\n%s\nwant\n%s\n%s", b, j.expected, p.out.String())
	}
}

// proved checks the proof and the model.
func (j *jobOf) proved(file string, p *process) {
	j.t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		j.t.Fatalf("%v\n%s", err, p.out.String())
	}
	m, err := family.Load(j.model())
	if err != nil {
		j.t.Fatal(err)
	}
	var plain bytes.Buffer
	if err := m.Encode(&plain); err != nil || plain.String() != j.expected {
		j.t.Errorf("%v, another model:\n%s", err, plain.String())
	}
	opened, err := verify.Open(bytes.NewReader(b))
	if err != nil {
		j.t.Fatal(err)
	}
	_, r, o, err := family.ParseProofSettings(opened.About().Settings)
	if err != nil {
		j.t.Fatal(err)
	}
	data, err := family.Read(j.table, family.Of(model.RuleList).Reading(r))
	if err != nil {
		j.t.Fatal(err)
	}
	set, err := family.Mine(j.t.Context(), data, o)
	if err != nil {
		j.t.Fatal(err)
	}
	if _, err := family.Verify(j.t.Context(), opened, set, r, family.VerifyOptions{Options: verify.Options{Workers: 1}}); err != nil {
		j.t.Errorf("the proof: %v", err)
	}
}

// TestThirdParty: THIRD_PARTY.md has the modules that are linked into the program on any system.
func TestThirdParty(t *testing.T) {
	var linked []string
	for _, system := range []string{"linux", "darwin", "windows", "freebsd"} {
		list := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}}{{end}}{{end}}", ".")
		list.Env = append(os.Environ(), "GOOS="+system)
		out := must.Get(list.Output())(t)
		linked = append(linked, strings.Fields(string(out))...)
	}
	text := must.Get(os.ReadFile("../../THIRD_PARTY.md"))(t)
	slices.Sort(linked)
	linked = slices.DeleteFunc(slices.Compact(linked), func(m string) bool { return m == "parcorels" })
	var told []string
	for _, row := range regexp.MustCompile(`(?m)^\| (\S+) \| (?:Apache-2\.0|BSD-[23]-Clause|MIT) \|$`).FindAllStringSubmatch(string(text),
		-1) {
		told = append(told, row[1])
	}
	if want := append([]string{"Go"}, linked...); !slices.Equal(told, want) {
		t.Errorf("THIRD_PARTY.md has the modules %v, linked are %v", told, want)
	}
}

// looks returns the looks at a job that a coordinator printed.
func looks(p *process) (all []fleet.Look) {
	for line := range strings.Lines(p.out.String()) {
		var l fleet.Look
		if json.Unmarshal([]byte(line), &l) == nil && strings.HasPrefix(line, "{") {
			all = append(all, l)
		}
	}
	return all
}
