package cli

import (
	"io"
	"parcorels/answer"
	"parcorels/internal/wording"
)

// write prints the verdict, on stdout where it is VERIFIED. What was refused is
// told by the error.
func (v *verified) write(e *env, s *verifySettings) error {
	if s.json != "" {
		if err := e.writeJSON(s.json, v.object()); err != nil {
			return err
		}
	}
	if v.Refusal != nil {
		return nil
	}
	x := v.List.Explanation
	if s.explainCSV != "" && x.Holds() {
		if err := e.writeFile(s.explainCSV, v.WriteCSV); err != nil {
			return err
		}
	} else if s.explainCSV == "-" {
		_, err := io.WriteString(e.stderr, v.Certificate())
		return err
	}
	if s.json == "-" || s.explainCSV == "-" {
		return nil
	}
	if e.client != nil {
		return e.client.result(v.object(), v.Model, v.Set.Data.Columns)
	}
	return e.print(v.Text(s.quiet) + v.Certificate())
}

// object makes the JSON object of verify.
func (v *verified) object() answer.VerifiedJSON {
	if v.Refusal == nil {
		return v.Object("")
	}
	return v.Object(wording.OneLine(v.Refusal))
}
