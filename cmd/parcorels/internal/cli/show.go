package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"

	"parcorels/answer"
	"parcorels/cmd/parcorels/internal/process"
	"parcorels/internal/option"
	"parcorels/model"
	"parcorels/report/export"
	runs "parcorels/run"
	"parcorels/tree"
)

func beginShow(*call) (work, []process.Group) {
	var form, output string
	show := func(ctx context.Context, e *process.Env, args []string) error {
		m, err := e.Load(ctx, args[0])
		if err != nil {
			return err
		}
		text, err := showAs(m, form)
		if err != nil {
			return err
		}
		return e.WriteFile(cmp.Or(output, "-"), func(w io.Writer) error { _, err := io.WriteString(w, text); return err })
	}
	return show, []process.Group{{Title: "Options", Options: []*option.Option{
		{Name: "as", Default: "text", Value: option.Choice(&form, "text", "svg")},
		toStdout(&output),
	}}}
}

// showAs returns a tree in the form that --as names.
func showAs(m model.Model, form string) (string, error) {
	t, ok := m.(*tree.Model)
	switch {
	case form == "text" || form == "":
		return m.Text(answer.Width) + "\n" + answer.Origin(m), nil
	case !ok:
		return "", fmt.Errorf("--as %s draws trees, and this model is a %s", form, m.Family())
	}
	return t.SVG(tree.Drawing{}), nil
}

func beginExport(*call) (work, []process.Group) {
	languages := export.Languages()
	var language, output string
	write := func(ctx context.Context, e *process.Env, args []string) error {
		m, err := e.Load(ctx, args[0])
		if err != nil {
			return err
		}
		output := cmp.Or(output, "-")
		if err := runs.CheckOutputs([]string{output}, args); err != nil {
			return err
		}
		return e.WriteFile(output, func(w io.Writer) error { return export.Write(w, m, language) })
	}
	return write, []process.Group{{Title: "Options", Options: []*option.Option{
		{Name: "to", Default: "json", Value: option.Choice(&language, languages...)},
		toStdout(&output),
	}}}
}
