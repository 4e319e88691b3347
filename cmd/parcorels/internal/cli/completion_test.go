package cli

import (
	"strings"
	"testing"
)

// TestCompletion asks as the scripts of the shells do: what may follow.
func TestCompletion(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, map[string]string{
		"t.csv":    "age,sex,w,class\n1,m,1,yes\n2,f,1,no\n3,m,1,maybe\n",
		"evil.csv": "a\x1b[31m,class\nx,yes\n",
	})
	for _, c := range []struct {
		line, want string // words are separated by one space; the last may be empty
	}{
		{"f", "fit"},
		{"completion ", "bash fish powershell zsh :4"},
		{"help ve", "verify version :4"},
		{"fit ", "csv tsv txt data gz out :8"},
		{"fit t.csv --targ", "--target :4"},
		{"fit t.csv --target ", "age sex w class :36"},
		{"fit t.csv --target=s", "sex :36"},
		{"fit --no-header t.csv --weight ", "c1 c2 c3 c4 :36"},
		{"fit t.csv --ignore age,", "age,sex age,w age,class :38"},
		{"fit t.csv --positive ", "yes no maybe :4"},
		{"fit t.csv --target sex --positive ", "m f :4"},
		{"fit t.csv --lambda ", ":4"},
		{"fit nowhere.csv --target ", ":4"},
		{"fit evil.csv --target ", "class :36"},
		{"fit t.csv t2.csv", ":4"},
		{"predict m.json ", "csv tsv txt data gz out :8"},
		{"verify p.proof t.csv --json ", ":0"},
	} {
		status, stdout, _ := run(append([]string{"__complete"}, strings.Split(c.line, " ")...)...)
		var got []string
		for line := range strings.Lines(stdout) {
			word, _, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
			got = append(got, word)
		}
		for _, word := range strings.Fields(c.want) {
			found := false
			for _, g := range got {
				found = found || g == word
			}
			if !found {
				t.Errorf("%q: status %d, got %q, want %s", c.line, status, got, word)
			}
		}
		if strings.Contains(stdout, "\x1b") {
			t.Errorf("%q: an escape sequence reaches the shell", c.line)
		}
	}
}

func TestCompletionScripts(t *testing.T) {
	for shell, want := range map[string]string{
		"bash": "complete -o default -F __start_parcorels parcorels", "zsh": "#compdef parcorels",
		"fish": "complete -c parcorels", "powershell": "Register-ArgumentCompleter",
	} {
		if status, stdout, stderr := run("completion", shell); status != exitDone || !strings.Contains(stdout, want) || stderr != "" {
			t.Errorf("%s: status %d, %d bytes, stderr %q", shell, status, len(stdout), stderr)
		}
	}
}
