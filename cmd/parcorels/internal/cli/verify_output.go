package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"parcorels/answer"
	"parcorels/cmd/internal/console"
	"parcorels/family"

	"parcorels/bayes"
	"parcorels/internal/peakmem"
	"parcorels/internal/wording"
	"parcorels/model"
	"parcorels/report"
)

// write prints the verdict, on stdout where it is VERIFIED. What was refused is
// told by the error.
func (v *verified) write(e *env, s *verifySettings) error {
	if s.json != "" {
		if err := e.writeJSON(s.json, v.object()); err != nil {
			return err
		}
	}
	if v.refusal != nil {
		return nil
	}
	x := v.list.Explanation
	if s.explainCSV != "" && x.Holds() {
		if err := e.writeFile(s.explainCSV, v.explained().writeCSV); err != nil {
			return err
		}
	} else if s.explainCSV == "-" {
		_, err := io.WriteString(e.stderr, v.certificate())
		return err
	}
	if s.json == "-" || s.explainCSV == "-" {
		return nil
	}
	if e.client != nil {
		return e.client.result(v.object(), v.model, v.set.Data.Columns)
	}
	return e.print(v.text(s.quiet) + v.certificate())
}

func (v *verified) text(quiet bool) string {
	head := answer.Hanging("VERIFIED: "+v.claim, 10)
	if v.set.Pruned() {
		head += fmt.Sprintf("(among the %s kept of %s)\n", wording.Count(int64(len(v.set.Antecedents)), "condition"), wording.Thousands(v.set.Mined))
	}
	if v.file != "" {
		head += fmt.Sprintf("(%s is the same model%s)\n", v.file, v.sameProof())
	}
	if quiet {
		return head
	}
	good := answer.ObjectiveLine(v.set.Data, v.model, v.lambda)
	if list, ok := v.model.(*bayes.Model); ok {
		good = answer.PosteriorLine(list)
	}
	return head + "\n" + v.model.Text(answer.Width) + "\n" + good + fmt.Sprintf("(checked %s in %s)\n", v.effort, wording.Seconds(v.time))
}

// sameProof says whether the model names this proof, by its SHA-256.
func (v *verified) sameProof() string {
	switch v.named {
	case "":
		return ""
	case v.digest:
		return ", and names this proof"
	}
	return ", but was written with another proof, " + v.named
}

// verdictObject is the JSON object of verify.
type verdictObject struct {
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
	Stats      verifyStats   `json:"stats"`
}

// verifyStats is what it took.
type verifyStats struct {
	ProofBytes int64 `json:"proof_bytes"`
	family.VerifyCounts
	SecondsTotal float64 `json:"seconds_total"`
	PeakBytes    int64   `json:"peak_bytes"` // of the process, 0 where the system does not tell
}

func (v *verified) object() verdictObject {
	v.stats.ProofBytes, v.stats.SecondsTotal, v.stats.PeakBytes = v.bytes, report.Seconds(v.time), peakmem.Peak()
	o := verdictObject{Status: "verified", Proof: v.proof, File: v.path, Stats: v.stats}
	if v.refusal != nil {
		o.Status, o.Reason = "refused", console.OneLine(v.refusal)
		return o
	}
	c := v.model.Certificate()
	o.Digest = v.digest
	o.Length, o.LambdaText = &c.Size, v.lambda.String()
	o.Objective = json.Number(answer.Decimal(c.Objective.Num, c.Objective.Den, v.lambda, false))
	o.Errors = json.Number(answer.UserWeight(v.set.Data, model.ErrorWeight(v.model.Cases()), answer.Digits))
	result := report.New(v.model, v.path, nil)
	o.Rules, o.Default = result.Rules, result.Default
	return o
}
