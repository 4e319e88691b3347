package cli

import (
	"strings"
	"testing"

	"parcorels/internal/testing/cases"
	"parcorels/internal/testing/testgen"
)

// TestDocs runs the commands of the pages that can be followed from beginning to end, each page in
// a folder of its own. It leaves out pages in the browser, which somebody must close.
func TestDocs(t *testing.T) {
	if testgen.Raced {
		t.Skip("the commands have tests of their own under the race detector")
	}
	pages := map[string]string{}
	names := []string{"choosing", "trees", "export", "bayesian-rule-lists"}
	if cases.All() {
		names = append(names, "README")
	}
	for _, page := range names {
		pages[page] = contents(t, "../../../../docs/"+page+".md")
	}
	for page, text := range pages {
		t.Run(page, func(t *testing.T) {
			t.Chdir(t.TempDir())
			// The tables and models that pages name without making them.
			exampleTable(t, "compas-like", "table.csv")
			exampleTable(t, "compas-like", "new.csv")
			mustRun(t, "fit", "table.csv", "--model", "tree", "--depth", "2", "--quiet", "-o", "tree.json")
			mustRun(t, "fit", "table.csv", "--max-card", "1", "--quiet", "-o", "model.json")
			commands := 0
			for i, block := range strings.Split(text, "```\n") {
				if i%2 == 0 {
					continue
				}
				for line := range strings.Lines(block) {
					if table, ok := strings.CutPrefix(strings.TrimPrefix(strings.TrimSpace(line), "$ "), "cp examples/"); ok {
						name, to, _ := strings.Cut(table, ".csv ")
						exampleTable(t, name, to)
						continue
					}
					line, ok := strings.CutPrefix(strings.TrimPrefix(strings.TrimSpace(line), "$ "), "parcorels ")
					if !ok || strings.HasPrefix(line, "serve") {
						continue
					}
					line, _, _ = strings.Cut(line, " | ") // what others do with the output
					line, _, _ = strings.Cut(line, " #")
					commands++
					if status, stdout, stderr := run(words(strings.ReplaceAll(line, "'", `"`))...); status != exitDone {
						t.Errorf("parcorels %s\nstatus %d, %s%s", line, status, stdout, stderr)
					}
				}
			}
			if commands == 0 {
				t.Error("no commands")
			}
			t.Logf("%d commands", commands)
		})
	}
}
