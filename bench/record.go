package bench

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
)

// recordVersion is the version of the format of records.
const recordVersion = 2

// Record is one run: what was run, on what, and what came of it. Seconds are
// seconds, bytes bytes, counts exact.
type Record struct {
	Version int `json:"v"`
	Case
	Solver string `json:"solver"` // "parcorels", or the name of another
	Round  int    `json:"round"`  // 0 is the warm-up, which no table counts unless it is the only one
	Outcome
	Exit        int     `json:"exit"`            // exit status of the process, −1 if a signal ended it
	Error       string  `json:"error,omitempty"` // why there is no outcome
	SecondsWall float64 `json:"seconds_wall"`    // life of the process
	SecondsCPU  float64 `json:"seconds_cpu"`     // user and system, all threads
	PeakBytes   int64   `json:"peak_bytes"`      // most memory of the process that was resident at once
	Sampled     bool    `json:"sampled,omitempty"`
	Machine     Machine `json:"machine"`
	Commit      string  `json:"commit"`
	Date        string  `json:"date"` // RFC 3339, UTC
	Command     string  `json:"command"`
}

// mostWorkers is far beyond what any machine has.
const mostWorkers = 1 << 20

// Solver names of records. An external solver has the name that the user gives.
const (
	Own             = "parcorels"
	defaultExternal = "external"
)

// Write writes a record as a line of JSON.
func (r *Record) Write(w io.Writer) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(r); err != nil {
		return err
	}
	_, err := w.Write(b.Bytes())
	return err
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
	for n := 1; ; n++ {
		line, err := lines.ReadBytes('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, fmt.Errorf("%s:%d: %w", name, n, err)
		}
		if len(bytes.TrimSpace(line)) > 0 {
			r, bad := parseRecord(line)
			if bad != nil {
				return nil, fmt.Errorf("%s:%d: %w", name, n, bad)
			}
			records = append(records, r)
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

func parseRecord(line []byte) (r Record, err error) {
	if err := json.Unmarshal(line, &r); err != nil {
		return r, fmt.Errorf("not a record of a run: %w", err)
	}
	switch {
	case r.Version != recordVersion:
		return r, fmt.Errorf("a record of version %d, this program reads version %d", r.Version, recordVersion)
	case r.Solver == "" || r.Instance == "":
		return r, errors.New("a record without solver or instance")
	case r.Workers < 0 || r.Workers > mostWorkers:
		return r, fmt.Errorf("a record with %d workers", r.Workers)
	case r.SecondsWall < 0 || r.SecondsSearch < 0 || r.PeakBytes < 0:
		return r, errors.New("a record with a negative time or size")
	}
	return r, nil
}
