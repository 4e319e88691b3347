package cli

import (
	"fmt"
	"strings"
	"testing"
	"unicode"
)

// evil has what a terminal would obey or hide: escape sequences of both kinds,
// bell, carriage return, backspace, a reversal of the reading direction, a
// space of no width, a line separator.
const evil = "a\x1b[31mb\a\r\b\u009b2J\u202ec\u200b\u2028d"

// plainText reports whether text has nothing that a terminal would obey or hide.
func plainText(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r != '\n' && !unicode.IsPrint(r) })
}

// TestNamesDoNotReachTheTerminalRaw: whatever the names, values, labels and
// paths, what is printed for people is plain, and an error is one line.
func TestNamesDoNotReachTheTerminalRaw(t *testing.T) {
	t.Chdir(t.TempDir())
	quoted := `"` + evil + `"`
	row := func(cells ...string) string { return strings.Join(cells, ",") + "\n" }
	name := `"` + strings.ReplaceAll(evil, "\r", "") + `"` // a header is refused with a carriage return
	header := row(name, "n", name, "w", `"t`+name[1:])
	var rows strings.Builder
	for i := range 40 {
		rows.WriteString(row([]string{quoted, "x"}[i%2], fmt.Sprint(i%5), `"`+fmt.Sprint(evil, i)+`"`, "1", []string{quoted, "no"}[i%2]))
	}
	const path = "p\x1b[2Jq\u202er"
	write(t, map[string]string{
		path + ".csv":    header + rows.String(),
		path + "3.csv":   header + rows.String() + row("x", "1", "z", "1", `"three`+evil+`"`),
		path + "s.csv":   header + row(quoted, "1", "x", "1", "maybe"),
		path + "h.csv":   row(quoted, "n") + row("1", "2"),
		path + ".out":    "{" + evil + "} 0 1\n",
		path + "c.out":   "{a} 0 " + evil + "\n",
		path + "l.out":   "{a} 0 1\n",
		path + "l.label": "{n} 0 " + evil + "\n{y} 0 1\n",
		path + ".json":   `{"format": "` + strings.ReplaceAll(strings.ToValidUTF8(evil, ""), "\x1b", `\u001b`) + `"}`,
	})
	const model = path + ".m.json"
	for _, args := range [][]string{
		{"fit", path + ".csv", "--lambda", "0.1", "-o", model},
		{"fit", path + ".csv", "--lambda", "0.1", "--quiet"},
		{"fit", path + ".csv", "--lambda", "0.1", "--nodes", "1", "--progress", "always", "--test-without", "incumbent"},
		{"fit", path + ".csv", "--weight", evil}, {"fit", path + ".csv", "--target", "n"}, {"fit", path + ".csv", "--positive", evil + "!"},
		{"fit", path + ".csv", "--ignore", "q" + evil}, {"fit", path + ".csv", "--cuts", evil + "=1"},
		{"fit", path + ".csv", "--class-weights", evil},
		{"fit", path + ".csv", "--cuts", "n=1" + evil}, {"fit", path + ".csv", "--sep", evil}, {"fit", path + ".csv", "--lambda", evil},
		{"fit", path + ".csv", "--" + evil, "1"}, {"fit", path + ".csv", evil}, {"fit", path + ".csv", "--quiet=" + evil},
		{"fit", path + ".csv", "-o", "no/" + evil}, {"fit", path + ".csv", "-o", path + ".csv"}, {"fit", path + ".csv", "--labels", evil},
		{"fit", path + "3.csv"}, {"fit", path + "h.csv"}, {"fit", "none" + evil}, {"fit", path + ".out"}, {"fit", path + "c.out"},
		{"fit", path + "l.out"},
		{"fit", path + "l.out", "--labels", "none" + evil},
		{"fit", path + ".csv", "--lambda", "0.1", "--proof", path + ".proof"},
		{"verify", path + ".proof", path + ".csv"}, {"verify", path + ".proof", path + "3.csv"}, {"verify", path + ".json", path + ".csv"},
		{"verify", "none" + evil, path + ".csv"}, {"verify", path + ".proof", "none" + evil},
		{"fit", path + ".csv", "--lambda", "0.1", "--nodes", "1", "--test-without", "incumbent", "--checkpoint", path + ".ckpt"},
		{"fit", path + ".csv", "--lambda", "0.1", "--nodes", "1", "--test-without", "incumbent", "--resume", path + ".ckpt"},
		{"fit", path + ".csv", "--resume", path + ".json"}, {"fit", path + ".csv", "--checkpoint", path + ".json"},
		{"fit", path + ".csv", "--resume", evil},
		{"cv", path + ".csv", "--lambda", "0.1"}, {"cv", path + ".csv", "--target", evil},
		{"show", model}, {"show", path + ".json"}, {"show", "none" + evil}, {"show", path + ".csv"},
		{"predict", model, path + ".csv", "-o", "out" + evil + ".csv"}, {"predict", model, path + "s.csv", "--strict"},
		{"evaluate", model, path + "s.csv", "--by", evil}, {"explain", model, path + "s.csv"}, {"predict", model, path + ".out"},
		{"predict", model, "none" + evil}, {"predict", path + ".json", path + ".csv"},
		{"help", evil}, {evil}, {"version", evil},
	} {
		status, stdout, stderr := run(args...)
		for _, text := range []string{stdout, stderr} {
			if !plainText(text) {
				t.Errorf("%q printed %q", args, text)
			}
		}
		if status == exitInput && (stdout != "" || strings.Count(stderr, "\n") != 1) {
			t.Errorf("%q: %q is not one line, or stdout has %q", args, stderr, stdout)
		}
		if status == exitDone && args[0] == "fit" && !strings.Contains(stdout, `\x1b[31m`) {
			t.Errorf("%q does not show the name:\n%s", args, stdout)
		}
	}
}
