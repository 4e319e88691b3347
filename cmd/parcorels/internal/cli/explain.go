package cli

import (
	"context"
	"fmt"

	"parcorels/answer"
	"parcorels/cmd/parcorels/internal/process"
	"parcorels/internal/wording"
)

func beginExplain(*call) (work, []process.Group) {
	s := &rowSettings{}
	return s.begin(s.explain, "row", "sep", "laplace", "strict")
}

// explain prints why a row is predicted as it is.
func (s *rowSettings) explain(ctx context.Context, e *process.Env, args []string) error {
	p, rows, err := bind(ctx, e, s, args)
	if err != nil {
		return err
	}
	defer rows.Close()
	var row []string
	last, want := int64(0), max(s.row, 1)
	if err := answer.EachRow(rows, func(cells []string, n int64) bool {
		row, last = cells, n
		return n < want
	}); err != nil {
		return err
	}
	if last < want {
		return fmt.Errorf("%s: no row %d, the table has %s", args[1], want, wording.Count(last, "row"))
	}
	text, err := answer.Explanation(p, row)
	if err != nil {
		return fmt.Errorf("%s:%d: %w", args[1], rows.Line(), err)
	}
	return e.Print(fmt.Sprintf("%s, row %d (line %d)\n\n", wording.Escape(args[1]), want, rows.Line()) + text)
}
