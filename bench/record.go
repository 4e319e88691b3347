package bench

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/klauspost/cpuid/v2"

	"parcorels/internal/wording"
)

// recordVersion is the version of the format of records.
const recordVersion = 3

// Record is one run: what was run, on what, and what came of it. Seconds are
// seconds, bytes bytes, counts exact.
type Record struct {
	Case
	Solver string `json:"solver"`          // "parcorels", or the name of another
	Round  int    `json:"round,omitempty"` // 0 is the warm-up, which no table counts unless it is the only one
	Outcome
	Error       string  `json:"error,omitempty"` // why there is no outcome
	SecondsWall float64 `json:"seconds_wall"`    // life of the process
	SecondsCPU  float64 `json:"seconds_cpu"`     // user and system, all threads
	PeakBytes   int64   `json:"peak_bytes"`      // most memory of the process that was resident at once
	Origin      Origin  `json:"-"`               // the line above it in its file
}

// Origin says where the runs below it in a file come from.
type Origin struct {
	Version int     `json:"v"`
	Machine Machine `json:"machine"`
	Commit  string  `json:"commit"`
	Date    string  `json:"date"`    // the day, such as 2026-11-23, UTC
	Command string  `json:"command"` // that repeats it
}

// newOrigin describes this machine, program and day.
func newOrigin(m Machine, command string) Origin {
	return Origin{recordVersion, m, Commit(), time.Now().UTC().Format(time.DateOnly), command}
}

// mostWorkers is far beyond what any machine has.
const mostWorkers = 1 << 20

// Solver names of records. An external solver has the name that the user gives.
const (
	Own             = "parcorels"
	defaultExternal = "external"
)

// CommandLine joins a program and its arguments so that a shell would split them as they are.
func CommandLine(program string, args ...string) string {
	line := program
	for _, a := range args {
		line += " " + wording.ShellWord(a)
	}
	return line
}

// Writer writes records, a line of JSON for each run and one for each origin.
type Writer struct {
	W    io.Writer
	last Origin
}

// Write writes a record, below a line with its origin unless that is written
// already. It leaves in r the figures as they are written, so that they are rounded once.
func (w *Writer) Write(r *Record) error {
	var b bytes.Buffer
	if r.Origin != w.last {
		if err := writeLine(&b, r.Origin); err != nil {
			return err
		}
	}
	origin := b.Len()
	if err := writeLine(&b, r); err != nil {
		return err
	}
	if err := json.Unmarshal(b.Bytes()[origin:], r); err != nil {
		return err
	}
	w.last = r.Origin
	_, err := w.W.Write(b.Bytes())
	return err
}

// writeLine writes a value as JSON without what is zero, on a line of its own.
func writeLine(b *bytes.Buffer, value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return err
	}
	var fields map[string]any
	numbers := json.NewDecoder(bytes.NewReader(text))
	numbers.UseNumber()
	if err := numbers.Decode(&fields); err != nil {
		return err
	}
	enc := json.NewEncoder(b)
	enc.SetEscapeHTML(false)
	return enc.Encode(compact("", fields))
}

// compact returns a JSON value without the fields that are zero, which reading
// restores, and figures with the digits that say something.
func compact(name string, value any) any {
	switch v := value.(type) {
	case map[string]any:
		for key, field := range v {
			switch field = compact(key, field); field {
			case nil, "", false, json.Number("0"):
				delete(v, key)
			default:
				v[key] = field
			}
		}
		if len(v) == 0 {
			return nil
		}
	case []any:
		for i, item := range v {
			v[i] = compact(name, item)
		}
	case json.Number:
		if f, err := v.Float64(); err == nil && strings.ContainsAny(v.String(), ".e") {
			return json.Number(fmt.Sprintf("%.*g", digits(name), f))
		}
	}
	return value
}

// digits is how many digits of a figure are kept: all that tell objectives apart, of
// what was measured as many as can be repeated.
func digits(name string) int {
	if strings.Contains(name, "objective") || strings.Contains(name, "bound") {
		return 10
	}
	return 4
}

// ReadFile reads a file of records. An error names the file and the line.
func ReadFile(path string) ([]Record, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return Read(f, path)
}

// ReadFiles reads several files of records, one after the other.
func ReadFiles(paths []string) (all []Record, err error) {
	for _, path := range paths {
		records, err := ReadFile(path)
		if err != nil {
			return nil, err
		}
		all = append(all, records...)
	}
	return all, nil
}

// Read reads records, a line each; name stands for the stream in errors.
func Read(in io.Reader, name string) (records []Record, err error) {
	lines := bufio.NewReaderSize(in, 1<<16)
	var origin Origin
	for n := 1; ; n++ {
		line, err := lines.ReadBytes('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, fmt.Errorf("%s:%d: %w", name, n, err)
		}
		if len(bytes.TrimSpace(line)) > 0 {
			var r struct {
				Record
				Origin
			}
			bad := json.Unmarshal(line, &r)
			switch {
			case bad != nil:
				bad = fmt.Errorf("not a record of a run: %w", bad)
			case r.Version != 0:
				origin = r.Origin
				bad = origin.check()
			default:
				r.Record.Origin = origin
				records = append(records, r.Record)
				bad = r.Record.check()
			}
			if bad != nil {
				return nil, fmt.Errorf("%s:%d: %w", name, n, bad)
			}
		}
		if err != nil {
			break
		}
	}
	if len(records) == 0 {
		return nil, fmt.Errorf("%s: no records, expected a line of JSON for each run", name)
	}
	return records, nil
}

func (o *Origin) check() error {
	if o.Version != recordVersion {
		return fmt.Errorf("records of version %d, this program reads version %d", o.Version, recordVersion)
	}
	return nil
}

func (r *Record) check() error {
	switch {
	case r.Origin.Version == 0:
		return errors.New("a record without its origin above it")
	case r.Solver == "" || r.Instance == "":
		return errors.New("a record without solver or instance")
	case max(r.Workers, r.Searchers) > mostWorkers || min(r.Workers, r.Searchers) < 0:
		return fmt.Errorf("a record with %d workers", r.Workers)
	case r.SecondsWall < 0 || r.SecondsSearch < 0 || r.PeakBytes < 0:
		return errors.New("a record with a negative time or size")
	}
	return nil
}

// Machine says where a figure comes from.
type Machine struct {
	CPU    string `json:"cpu"`    // the model as the processor names itself
	Cores  int    `json:"cores"`  // that this process may use
	System string `json:"system"` // "linux/amd64"
	Go     string `json:"go"`
	Note   string `json:"note,omitempty"` // what the user says about it, such as "shared with other work"
}

// ThisMachine describes the machine that the program runs on.
func ThisMachine() Machine {
	m := Machine{
		CPU: strings.TrimSpace(cpuid.CPU.BrandName), Cores: runtime.GOMAXPROCS(0),
		System: runtime.GOOS + "/" + runtime.GOARCH, Go: runtime.Version(),
	}
	if m.CPU == "" {
		m.CPU = runtime.GOARCH
	}
	return m
}

// Commit returns the commit that the program was built from, with "+" if files
// were changed, and "unknown" if the build does not say.
func Commit() string {
	commit, changed := "unknown", ""
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return commit
	}
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision" && len(s.Value) >= 12:
			commit = s.Value[:12]
		case s.Key == "vcs.modified" && s.Value == "true":
			changed = "+"
		}
	}
	return commit + changed
}
