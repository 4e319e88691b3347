package cli

import (
	"parcorels/answer"
	"parcorels/cmd/parcorels/internal/process"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// parsed reads the options of a command from args. It returns the positional
// arguments too.
func parsed(c *command, args ...string) (*call, []string, error) {
	made, cmd := c.build(&process.Env{})
	if err := cmd.ParseFlags(args); err != nil {
		return nil, nil, cmd.FlagErrorFunc()(cmd, err)
	}
	return made, cmd.Flags().Args(), nil
}

// TestOptionTables holds the rows against what feeds on them: defaults that can be read, ranges that say something, names that
// occur once a command. Values that a shell completes are taken, and an empty text for no value but a list.
func TestOptionTables(t *testing.T) {
	for _, c := range commands() {
		if _, _, err := parsed(c); err != nil {
			t.Errorf("%s: a default is refused: %v", c.name, err)
		}
		seen := map[string]bool{"help": true, "h": true}
		for _, o := range options(c.call().groups) {
			if seen[o.Name] || o.Help == "" || (o.Holder == "") != (o.Expect == "") {
				t.Errorf("%s: option %q occurs twice or lacks its text or range", c.name, o.Name)
			}
			seen[o.Name], seen[o.Short] = true, o.Short != ""
			for _, v := range o.Among {
				if _, _, err := parsed(c, "--"+o.Name, v); err != nil {
					t.Errorf("%s: %v", c.name, err)
				}
			}
			if _, _, err := parsed(c, "--"+o.Name, ""); err == nil && o.Holder != "" && o.Name != "missing" {
				t.Errorf("%s: %s takes an empty value", c.name, dashed(o))
			}
		}
	}
}

func TestHelpFits80Columns(t *testing.T) {
	texts := []string{overview()}
	for _, c := range commands() {
		texts = append(texts, c.help())
	}
	for _, text := range texts {
		for line := range strings.Lines(text) {
			if utf8.RuneCountInString(strings.TrimSuffix(line, "\n")) > answer.Width {
				t.Errorf("too wide: %s", line)
			}
		}
	}
}

// TestOptionsAndArgumentsMix: the order does not matter, and what follows "--" is no option.
func TestOptionsAndArgumentsMix(t *testing.T) {
	for _, line := range []string{
		"a.csv --workers 3 --negations", "--workers 3 --negations a.csv", "--workers=3 --negations=true -- a.csv",
		"--workers=3 --negations=t a.csv --",
	} {
		made, rest, err := parsed(find("fit"), words(line)...)
		if err != nil || len(rest) != 1 || rest[0] != "a.csv" {
			t.Fatalf("%s: %v, %v", line, rest, err)
		}
		for _, o := range options(made.groups) {
			if want := map[string]string{"workers": "3", "negations": "true"}[o.Name]; want != "" &&
				!slices.Equal(o.Texts(), []string{want}) {
				t.Errorf("%s: %s is %q", line, o.Name, o.Texts())
			}
		}
	}
	if _, rest, err := parsed(find("show"), words("-- -x --y")...); err != nil || strings.Join(rest, " ") != "-x --y" {
		t.Errorf("after --: %q, %v", rest, err)
	}
}
