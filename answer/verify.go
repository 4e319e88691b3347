package answer

import (
	"encoding/json"
	"time"

	"parcorels/family"
	"parcorels/internal/peakmem"
	"parcorels/internal/wording"
	"parcorels/model"
	"parcorels/report"
	"parcorels/rules"
)

// Verified is the outcome of verify.
type Verified struct {
	Proof, Path string
	File        string // with the model; "": not compared
	Set         *rules.Set
	Reading     family.Reading
	family.Verification
	Bytes   int64         // of the proof
	Digest  string        // of the proof
	Time    time.Duration // from the start of the program
	Refusal error
}

// Text returns the outcome of a proof that holds.
func (v *Verified) Text(quiet bool) string {
	return render("verified", map[string]any{"Verified": v, "Quiet": quiet})
}

// VerifiedJSON is the JSON object of verify.
type VerifiedJSON struct {
	Status     string        `json:"status"`           // "verified" or "refused"
	Reason     string        `json:"reason,omitempty"` // why it is refused
	Proof      string        `json:"proof"`
	Digest     string        `json:"digest,omitempty"` // of the proof, where it is verified
	File       string        `json:"file"`
	Objective  json.Number   `json:"objective,omitempty"` // this and what follows: of what is verified
	Errors     json.Number   `json:"errors,omitempty"`
	Length     *int          `json:"length,omitempty"`
	LambdaText string        `json:"lambda_text,omitempty"`
	Rules      []report.Rule `json:"rules,omitempty"`
	Default    *report.Rule  `json:"default,omitempty"`
	// ProvedRules of a rule list: it is proved only that no list of at most so many rules is smaller; 0: none is
	ProvedRules int         `json:"proved_rules,omitempty"`
	Stats       VerifyStats `json:"stats"`
}

// VerifyStats is what it took.
type VerifyStats struct {
	ProofBytes int64 `json:"proof_bytes"`
	family.VerifyCounts
	SecondsTotal float64 `json:"seconds_total"`
	PeakBytes    int64   `json:"peak_bytes"` // of the process, 0 where the system does not tell
}

// Object returns the outcome for programs.
func (v *Verified) Object() VerifiedJSON {
	o := VerifiedJSON{Status: "verified", Proof: v.Proof, File: v.Path,
		Stats: VerifyStats{v.Bytes, v.Counts, report.Seconds(v.Time), peakmem.Peak()}}
	if v.Refusal != nil {
		o.Status, o.Reason = "refused", wording.OneLine(v.Refusal)
		return o
	}
	c := v.Model.Certificate()
	o.Digest, o.ProvedRules = v.Digest, v.List.Counted
	o.Length, o.LambdaText = &c.Size, v.Price.String()
	o.Objective = json.Number(Decimal(c.Objective.Num, c.Objective.Den, v.Price, false))
	o.Errors = json.Number(UserWeight(v.Set.Data, model.ErrorWeight(v.Model.Cases()), Digits))
	result := report.New(v.Model, v.Path, nil)
	o.Rules, o.Default = result.Rules, result.Default
	return o
}
