package cli

import (
	"io"
	"parcorels/answer"
	"parcorels/cmd/parcorels/internal/process"
	"parcorels/internal/wording"
)

// write prints the verdict, on stdout where it is VERIFIED. What was refused is
// told by the error.
func (v *verified) write(e *process.Env, s *verifySettings) error {
	if s.JSON != "" {
		if err := e.WriteJSON(s.JSON, v.object()); err != nil {
			return err
		}
	}
	if v.Refusal != nil {
		return nil
	}
	x := v.List.Explanation
	if s.explainCSV != "" && x.Holds() {
		if err := e.WriteFile(s.explainCSV, v.WriteCSV); err != nil {
			return err
		}
	} else if s.explainCSV == "-" {
		_, err := io.WriteString(e.Stderr, v.Certificate())
		return err
	}
	if s.JSON == "-" || s.explainCSV == "-" {
		return nil
	}
	if e.Client != nil {
		return e.Client.Result(v.object(), v.Model, v.Set.Data.Columns)
	}
	return e.Print(v.Text(s.Quiet) + v.Certificate())
}

// object makes the JSON object of verify.
func (v *verified) object() answer.VerifiedJSON {
	if v.Refusal == nil {
		return v.Object("")
	}
	return v.Object(wording.OneLine(v.Refusal))
}
