package cli

import (
	"encoding/json"
	"io"

	"parcorels/internal/resident"
	"parcorels/report"
)

// object makes the JSON object of the result.
func (f *fitted) object() report.Result {
	o := report.New(f.model, f.path, flaggedAll(f.set.Data.Notes))
	s := report.SearchStats(f.instance, &f.result.Stats)
	s.SecondsTotal, s.SecondsRead = report.Seconds(f.total), report.Seconds(f.read)
	if peak := resident.Peak(); peak > 0 {
		s.PeakBytes = peak
	}
	if f.proof == "" {
		s.ProofBytes, s.ProofRecords = 0, 0
	}
	s.MemoryBytes = f.options.Memory
	s.Policy, s.Symmetry, s.Without = f.options.Policy.String(), f.options.Symmetry.String(), f.options.Without.String()
	if len(f.trace) > 1 { // not the last look alone
		s.Trace = f.trace
	}
	s.CountAntecedents(f.set)
	o.Stats = s
	return o
}

// encodeJSON writes an object, indented, with names as they are.
func encodeJSON(w io.Writer, object any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(object)
}
