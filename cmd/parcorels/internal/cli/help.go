package cli

import (
	"cmp"
	_ "embed" // of what help says
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"parcorels/answer"
	"parcorels/cmd/parcorels/internal/process"
	"parcorels/family"
	"parcorels/internal/option"
)

const helpIndent = 26 // where the text of an option begins

// overview is what "parcorels help" prints.
func overview() string {
	var b strings.Builder
	b.WriteString("parcorels learns rule lists, trees and rule sets, and proves how good they are.\n\nusage: parcorels COMMAND " +
		"[arguments] [options]\n\n")
	for _, c := range shown() {
		b.WriteString(row("  "+c.name, c.summary(), 14))
	}
	b.WriteString(row("  completion", completionSummary, 14))
	b.WriteString(row("  help", "print this, or the help of a command", 14))
	b.WriteString("\n" + answer.Wrap("To see one at work: learn a rule list from a table, and predict with it.",
		0) + "\n" + example + "\nEach command has its own help: parcorels fit --help\n")
	return b.String()
}

// completionSummary is what the command does that cobra makes.
const completionSummary = "print a script that completes command lines in your shell"

// example is two commands that show what the program does.
const example = `  parcorels fit examples/monk1.csv --lambda 0.01 -o model.json
  parcorels predict model.json examples/monk1.csv
`

//go:embed commands.txt
var commandsText string

// paragraphs returns what commands.txt says of a command, or of several. The first has two lines: how it is typed, and a
// summary. Those of options come last.
func paragraphs(name string) []string {
	_, text, _ := strings.Cut(commandsText, "\n# "+name)
	text, _, _ = strings.Cut(text, "\n\n# ")
	return strings.Split(strings.TrimRight(text, "\n"), "\n\n")
}

// describe adds the help on options, with what stands for their values, where they are the command's own or have a meaning of
// their own there.
func (c *command) describe(all []*option.Option) {
	for _, p := range append(paragraphs("several commands"), paragraphs(c.name)...) {
		head, text, _ := strings.Cut(p, "\n")
		name, holder, _ := strings.Cut(head, " ")
		for _, o := range all {
			if name == "--"+o.Name {
				o.Holder, o.Help = holder, strings.ReplaceAll(text, "\n", " ")
			}
		}
	}
}

// line is how the command is typed.
func (c *command) line() string {
	usage, _, _ := strings.Cut(paragraphs(c.name)[0], "\n")
	return "parcorels " + c.name + usage
}

// summary is what the overview says.
func (c *command) summary() string {
	_, text, _ := strings.Cut(paragraphs(c.name)[0], "\n")
	return text
}

// help is what "parcorels COMMAND --help" prints.
func (c *command) help() string {
	var b strings.Builder
	b.WriteString("parcorels " + c.name + ": " + c.summary() + "\n\n")
	b.WriteString("usage: " + c.line() + "\n")
	for _, p := range paragraphs(c.name)[1:] {
		if !strings.HasPrefix(p, "--") {
			b.WriteString("\n" + answer.Wrap(p, 0))
		}
	}
	for _, g := range c.call().groups {
		b.WriteString("\n" + g.Title + "\n")
		for _, o := range g.Options {
			b.WriteString(row("  "+typed(o), describe(o), helpIndent))
		}
	}
	return b.String()
}

// typed returns how an option is typed: -o, --output FILE.
func typed(o *option.Option) string {
	text := "--" + o.Name
	if o.Short != "" {
		text = dashed(o) + ", " + text
	}
	return strings.TrimRight(text+" "+o.Holder, " ")
}

// describe returns the text of an option with its range and default.
func describe(o *option.Option) string {
	text := o.Help
	switch o.Holder {
	case "", "COLUMN", "FILE": // says it all
	default:
		text += ": " + o.Expect
	}
	text += defaults(o)
	return (&process.Env{Flag: flagOf}).Flagged(text)
}

// defaults says what holds where an option is not given.
func defaults(o *option.Option) string {
	var others []string
	for _, f := range family.Families() {
		if def, ok := o.Defaults[f.Name]; ok {
			others = append(others, fmt.Sprintf("%s of a %s", def, f.Noun()))
		}
	}
	switch def := cmp.Or(o.Default, o.Unset); {
	case def == "":
		return ""
	case others != nil:
		return fmt.Sprintf(" (default: %s, %s)", def, strings.Join(others, ", "))
	default:
		return fmt.Sprintf(" (default: %s)", def)
	}
}

// row puts text beside head, from the given column on.
func row(head, text string, column int) string {
	body := answer.Wrap(text, column)
	if utf8.RuneCountInString(head) > column-2 {
		return head + "\n" + body
	}
	return head + body[utf8.RuneCountInString(head):]
}

// The packages below know no flags: they name a field of their options, as in
// "option MaxCard". A text for people has the option of the command line
// there.

// otherNames are the options that are not called as their fields.
var otherNames = map[string]string{"Budget": "max-antecedents", "Comma": "sep", "Lambdas": "lambda", "Literal": "lambda",
	"Alpha1": "alpha", "Alpha0": "alpha"}

// flagOf returns the option of a field, without dashes, "" if there is none.
func flagOf(name string) string {
	flag := otherNames[name]
	if flag == "" {
		flag = kebab(name)
	}
	if !slices.ContainsFunc(commands(), func(c *command) bool { return c.option(flag) != nil }) {
		return ""
	}
	return flag
}

// kebab writes MaxCard as max-card.
func kebab(name string) string {
	var b strings.Builder
	for i, r := range name {
		if unicode.IsUpper(r) && i > 0 {
			b.WriteByte('-')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}
