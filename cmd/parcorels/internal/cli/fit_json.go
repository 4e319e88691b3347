package cli

import (
	"encoding/json"
	"io"
	"time"

	"parcorels/dataset"
	"parcorels/internal/resident"
	"parcorels/parallel"
	"parcorels/rulelist"
)

// result is the JSON object of fit. Numbers that decide are rounded to ten
// decimals; the model file has them exactly.
type result struct {
	Status     parallel.Status `json:"status"`
	Objective  json.Number     `json:"objective"`   // errors/weight + lambda·length
	Errors     json.Number     `json:"errors"`      // weight of the samples that the list gets wrong, as the user weighs them
	Samples    int64           `json:"samples"`     // N, without the rows dropped
	Weight     json.Number     `json:"weight"`      // of all samples
	Length     int             `json:"length"`      // rules, the default not counted
	Lambda     float64         `json:"lambda"`      // the nearest float
	LambdaText string          `json:"lambda_text"` // exactly
	LowerBound json.Number     `json:"lower_bound"` // no rule list has a smaller objective
	Gap        float64         `json:"gap"`         // (objective − lower_bound) / objective
	Rules      []rule          `json:"rules"`
	Default    rule            `json:"default"`
	Data       data            `json:"data"`
	Stats      stats           `json:"stats"`
}

// rule is a line of the list. Correct is how many of the captured samples have
// the label predicted. The weights are there if samples have any.
type rule struct {
	Antecedent     string      `json:"antecedent,omitempty"`
	Predict        string      `json:"predict"` // label text
	Class          int         `json:"class"`   // 0 or 1
	Captured       int64       `json:"captured"`
	Correct        int64       `json:"correct"`
	CapturedWeight json.Number `json:"captured_weight,omitempty"`
	CorrectWeight  json.Number `json:"correct_weight,omitempty"`
}

// data says what was learned from.
type data struct {
	File    string    `json:"file"`
	Hash    string    `json:"hash"`
	Target  string    `json:"target"`
	Classes [2]string `json:"classes"`
	Dropped int       `json:"dropped"`
	Notes   []string  `json:"notes"`
}

// stats is what it took.
type stats struct {
	Expanded       int64   `json:"expanded"`
	Inserted       int64   `json:"inserted"`
	Evaluations    int64   `json:"evaluations"`
	MapEntries     int64   `json:"map_entries"`
	MapHits        int64   `json:"map_hits"`
	Dominated      int64   `json:"dominated"`
	Closed         int64   `json:"closed"`
	DistinctPoints int     `json:"distinct_points"`
	Antecedents    int     `json:"antecedents"`
	Live           int     `json:"live_antecedents"`
	SecondsTotal   float64 `json:"seconds_total"`   // from the start of the program
	SecondsRead    float64 `json:"seconds_read"`    // of which until the antecedents were there
	SecondsSearch  float64 `json:"seconds_search"`  // of which the search, first incumbent included
	SecondsEarlier float64 `json:"seconds_earlier"` // of which before the checkpoint that was resumed; the counts above are totals too
	SecondsPaused  float64 `json:"seconds_paused"`  // of which writing checkpoints
	Checkpoints    int64   `json:"checkpoints"`     // written
	SecondsFirst   float64 `json:"seconds_first"`   // of which until the first prefix: the first incumbent and the symmetries
	PeakBytes      int64   `json:"peak_bytes"`      // of the process, of the search where the system does not tell
	SearchBytes    int64   `json:"search_bytes"`    // peak of nodes, queues and map
	MemoryBytes    int64   `json:"memory_bytes"`    // the bound on them
	ProofBytes     int64   `json:"proof_bytes"`     // of the proof that was written, 0 for none
	ProofRecords   int64   `json:"proof_records"`   // in it
	Workers        int     `json:"workers"`
	Kernel         string  `json:"kernel"`
	Policy         string  `json:"policy"`
	Symmetry       string  `json:"symmetry"`
	Without        string  `json:"without"`
}

// object makes the JSON object.
func (f *fitted) object() result {
	r, d := f.result, f.set.Data
	lower := decimal(r.LowerBound, r.Scale, r.Status != parallel.Optimal)
	o := result{
		Status:    r.Status,
		Objective: json.Number(decimal(r.Objective, r.Scale, false)),
		Errors:    json.Number(userWeight(d, r.Errors, digits)), Samples: int64(d.N),
		Weight: json.Number(userWeight(d, f.instance.Total, digits)), Length: len(r.Rules),
		Lambda: f.options.Lambda.Float(), LambdaText: f.options.Lambda.String(),
		LowerBound: json.Number(lower), Gap: r.Gap(),
		Rules: []rule{}, Default: ruleObject(d, f.model, f.model.Default),
		Data:  data{f.path, d.Hash, d.Target, d.Classes, d.Dropped, append([]string{}, d.Notes...)},
		Stats: f.stats(),
	}
	for _, l := range f.model.Rules {
		o.Rules = append(o.Rules, ruleObject(d, f.model, l))
	}
	return o
}

func ruleObject(d *dataset.Dataset, m *rulelist.Model, l rulelist.Line) rule {
	r := rule{
		Antecedent: l.Antecedent, Predict: m.Label(l.Class), Class: l.Class,
		Captured: l.Captured(), Correct: l.Correct(),
	}
	if d.Weights != nil {
		r.CapturedWeight = json.Number(userWeight(d, l.CapturedWeight(), digits))
		r.CorrectWeight = json.Number(userWeight(d, l.CorrectWeight(), digits))
	}
	return r
}

func (f *fitted) stats() stats {
	s := f.result.Stats
	peak := resident.Peak()
	if peak == 0 {
		peak = s.PeakBytes
	}
	if f.proof == "" {
		s.ProofBytes, s.ProofRecords = 0, 0
	}
	return stats{
		Expanded: s.Expanded, Inserted: s.Inserted, Evaluations: s.Evaluations,
		MapEntries: s.MapEntries, MapHits: s.MapHits, Dominated: s.Dominated, Closed: s.Closed,
		DistinctPoints: f.instance.Points, Antecedents: f.instance.Antecedents, Live: s.Live,
		SecondsTotal: inSeconds(f.total), SecondsRead: inSeconds(f.read),
		SecondsSearch: inSeconds(s.Search), SecondsFirst: inSeconds(s.First),
		SecondsEarlier: inSeconds(s.Earlier), SecondsPaused: inSeconds(s.Paused), Checkpoints: s.Saves,
		PeakBytes: peak, SearchBytes: s.PeakBytes, MemoryBytes: f.options.Memory,
		ProofBytes: s.ProofBytes, ProofRecords: s.ProofRecords,
		Workers: s.Workers, Kernel: s.Kernel,
		Policy: f.options.Policy.String(), Symmetry: f.options.Symmetry.String(), Without: f.options.Without.String(),
	}
}

// inSeconds rounds to microseconds.
func inSeconds(d time.Duration) float64 { return d.Round(time.Microsecond).Seconds() }

// encodeJSON writes an object, indented, with names as they are.
func encodeJSON(w io.Writer, object any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(object)
}
