package cli

import (
	"cmp"
	"context"
	"fmt"
	"parcorels/answer"
	"parcorels/cmd/parcorels/internal/process"
	"parcorels/internal/option"
	"parcorels/tree"

	"parcorels/model"
)

func showCommand() *command {
	return &command{
		name:    "show",
		summary: "print a model that fit wrote",
		usage:   "MODEL [options]",
		details: []string{"MODEL is a file that fit wrote with -o; - reads it from stdin."},
		min:     1, max: 1,
		complete: each(endingIn("json")),
		begin: func(*call) (func(context.Context, *process.Env, []string) error, []process.Group) {
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
				return e.WriteText(cmp.Or(output, "-"), text)
			}
			return show, []process.Group{{Title: "Options", Options: []*option.Option{
				{Name: "as", Holder: "FORM", Default: "text", Help: "print text, or draw a tree for web pages (svg)", Value: option.Choice(&form, "text", "svg")},
				toStdout(&output, "write it there"),
			}}}
		},
	}
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
	return t.SVG(), nil
}
