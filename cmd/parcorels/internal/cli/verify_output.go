package cli

import (
	"encoding/json"
	"fmt"
	"io"

	"parcorels/internal/resident"
	"parcorels/internal/wording"
	"parcorels/report"
)

// write prints the verdict, on stdout where it is VERIFIED. What was refused is
// told by the error.
func (v *verified) write(e *env, s *settings) error {
	if s.json != "" {
		if err := e.writeFile(s.json, func(w io.Writer) error { return encodeJSON(w, v.object()) }); err != nil {
			return err
		}
	}
	if v.refusal != nil {
		return nil
	}
	x := v.result.Explanation
	if s.explainCSV != "" && x.Holds() {
		if err := e.writeFile(s.explainCSV, explained{v, x}.writeCSV); err != nil {
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
	switch {
	case v.tree != nil:
		return v.treeText(quiet)
	case v.bayes != nil:
		return v.bayesText(quiet)
	}
	head := "VERIFIED: no rule list on these data is better\n"
	if v.set.Pruned() {
		head = fmt.Sprintf("VERIFIED: no rule list on these data is better, among the %s\nkept of %s\n",
			wording.Count(int64(len(v.set.Antecedents)), "antecedent"), wording.Thousands(v.set.Mined))
	}
	if quiet {
		return head
	}
	r := v.result
	what := wording.Count(r.Records, "record")
	if r.Symmetries > 0 {
		what += ", " + wording.Count(r.Symmetries, "symmetry") + " among them,"
	}
	return head + "\n" + v.model.Text(helpWidth) +
		fmt.Sprintf("\nobjective %s = %s + %s × %s\n", decimal(r.Objective, r.Scale, r.Lambda, false),
			errorTerm(v.set.Data, r.Errors, v.model.About().Data.Weight), wording.Count(int64(len(r.Rules)), "rule"), r.Lambda) +
		fmt.Sprintf("(checked %s and %s with %s in %s)\n", what,
			wording.Count(r.Prefixes, "prefix"), wording.Count(r.Extensions, "extension"), seconds(v.time))
}

// verdictObject is the JSON object of verify.
type verdictObject struct {
	Status     string        `json:"status"`           // "verified" or "refused"
	Reason     string        `json:"reason,omitempty"` // why it is refused
	Proof      string        `json:"proof"`
	File       string        `json:"file"`
	Objective  json.Number   `json:"objective,omitempty"` // this and what follows: of what is verified
	Errors     json.Number   `json:"errors,omitempty"`
	Length     *int          `json:"length,omitempty"`
	LambdaText string        `json:"lambda_text,omitempty"`
	Rules      []report.Rule `json:"rules,omitempty"`
	Default    *report.Rule  `json:"default,omitempty"`
	Stats      verifyStats   `json:"stats"`

	Explanation *explanationObject `json:"explanation,omitempty"` // with --explain
}

// verifyStats is what it took.
type verifyStats struct {
	ProofBytes   int64   `json:"proof_bytes"`
	Records      int64   `json:"records"`     // in the proof
	Symmetries   int64   `json:"symmetries"`  // of the data, among them
	Prefixes     int64   `json:"prefixes"`    // checked extension by extension
	Extensions   int64   `json:"extensions"`  // of those prefixes
	Dominations  int64   `json:"dominations"` // checked
	SecondsTotal float64 `json:"seconds_total"`
	PeakBytes    int64   `json:"peak_bytes"` // of the process, 0 where the system does not tell
}

func (v *verified) object() verdictObject {
	r := v.result
	o := verdictObject{
		Status: "verified", Proof: v.proof, File: v.path,
		Stats: verifyStats{v.bytes, r.Records, r.Symmetries, r.Prefixes, r.Extensions, r.Dominations, report.Seconds(v.time), resident.Peak()},
	}
	if v.refusal != nil {
		o.Status, o.Reason = "refused", oneLine(v.refusal)
		return o
	}
	n := v.model.Certificate().Size
	o.Length, o.LambdaText = &n, r.Lambda.String()
	if v.bayes != nil {
		o.Objective = json.Number(v.posterior())
	} else {
		o.Objective = json.Number(decimal(r.Objective, r.Scale, r.Lambda, false))
	}
	o.Errors = json.Number(userWeight(v.set.Data, r.Errors, digits))
	result := report.New(v.model, v.path, nil)
	o.Rules, o.Default = result.Rules, result.Default
	o.Explanation = v.explanation()
	return o
}
