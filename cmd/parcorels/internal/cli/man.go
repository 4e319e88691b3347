package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// The manual pages are made from the table of options, as help is: a page for
// the program and one for each command. (The generators for package cobra put
// neither ranges nor groups of options on a page.) They are for packages of the
// program, and the same for the same version.

func manCommand() *command {
	return &command{
		name:    "man",
		summary: "write manual pages into a folder",
		usage:   "DIR",
		details: []string{"Writes parcorels.1 and a page for each command, such as parcorels-fit.1, to the folder DIR. DIR is made if it does not exist. man finds the pages if DIR is a folder man1 in a folder of MANPATH."},
		min:     1, max: 1,
		complete: anyFolder,
		begin: without(func(_ context.Context, e *env, args []string) error {
			if args[0] == "" || args[0] == "-" {
				return errors.New("man: expected a folder to write the pages to")
			}
			if err := os.MkdirAll(args[0], 0o755); err != nil {
				return unwritable(args[0], err)
			}
			for name, text := range manPages() {
				path := filepath.Join(args[0], name)
				if err := e.writeText(path, text); err != nil {
					return err
				}
			}
			return nil
		}),
	}
}

// manPages returns the texts of all pages by the names of their files.
func manPages() map[string]string {
	pages := map[string]string{"parcorels.1": manOverview()}
	for _, c := range shown() {
		pages["parcorels-"+c.name+".1"] = c.manPage()
	}
	return pages
}

// manHead begins a page.
func manHead(b *strings.Builder, name, summary string) {
	fmt.Fprintf(b, ".TH %q 1 \"\" %q\n.nh\n.ad l\n.SH NAME\n%s \\- %s\n", strings.ToUpper(name), software(), roff(name), roff(summary))
}

func manOverview() string {
	var b strings.Builder
	manHead(&b, "parcorels", "learn interpretable models that are provably optimal")
	b.WriteString(".SH SYNOPSIS\n.B parcorels\nCOMMAND [arguments] [options]\n.SH COMMANDS\n")
	for _, c := range shown() {
		fmt.Fprintf(&b, ".TP\n.BR parcorels\\-%s (1)\n%s\n", roff(c.name), roff(c.summary))
	}
	b.WriteString(".SH EXAMPLES\nMake a table, learn a rule list, and predict with it:\n.PP\n.nf\n" + roff(example) + ".fi\n")
	b.WriteString(".SH EXIT STATUS\n")
	for _, status := range exitStatuses {
		fmt.Fprintf(&b, ".TP\n%d\n%s\n", status.code, roff(status.text))
	}
	return b.String()
}

// exitStatuses is what the statuses of the program mean.
var exitStatuses = []struct {
	code int
	text string
}{
	{exitDone, "Done, also when a limit ended the search."},
	{exitOutput, "A result could not be written, or a proof is refused."},
	{exitInput, "Bad input or usage."},
	{exitNoProof, "The search ended without the proof that was asked for."},
	{exitInterrupted, "Interrupted."},
}

func (c *command) manPage() string {
	var b strings.Builder
	manHead(&b, "parcorels-"+c.name, c.summary)
	fmt.Fprintf(&b, ".SH SYNOPSIS\n.B parcorels %s\n%s\n", roff(c.name), roff(c.usage))
	for i, p := range c.details {
		b.WriteString([]string{".SH DESCRIPTION\n", ".PP\n"}[min(i, 1)] + roff(p) + "\n")
	}
	for i, g := range c.call().groups {
		b.WriteString([]string{".SH OPTIONS\n", ""}[min(i, 1)])
		fmt.Fprintf(&b, ".SS %s\n", roff(g.title))
		for _, o := range g.options {
			fmt.Fprintf(&b, ".TP\n.B %s\n%s\n", roff(typed(o)), roff(describe(o)))
		}
	}
	b.WriteString(".SH SEE ALSO\n.BR parcorels (1)\n")
	return b.String()
}

// roff lets a text stand in a page as it is.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`).Replace(text)
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}
