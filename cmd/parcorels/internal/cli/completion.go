package cli

import (
	"os"
	"parcorels/internal/option"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"parcorels/dataset"
)

// Shells complete what is typed by asking this program (package cobra). The
// answers come from the table of options; names of columns and labels come from
// the table that the command line names.

// completed keeps control characters out of a completion, as a terminal might take one
// for an order. Without one of its own a command completes files.
func (c *command) completed(f cobra.CompletionFunc) cobra.CompletionFunc {
	if f == nil {
		f = anyFile
		if c.max == 0 {
			f = cobra.NoFileCompletions
		}
	}
	return func(cmd *cobra.Command, args []string, word string) ([]cobra.Completion, cobra.ShellCompDirective) {
		list, directive := f(cmd, args, word)
		return slices.DeleteFunc(slices.Clone(list), func(text string) bool { return strings.ContainsFunc(text, isControl) }), directive
	}
}

func isControl(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }

// anyFile leaves the word to the shell, which knows files.
var anyFile = cobra.FixedCompletions(nil, cobra.ShellCompDirectiveDefault)

// anyFolder completes folders.
var anyFolder = cobra.FixedCompletions(nil, cobra.ShellCompDirectiveFilterDirs)

// oneOfThese completes one of some words.
func oneOfThese(words ...string) cobra.CompletionFunc {
	return cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)
}

// endingIn completes files with one of some endings, and folders.
func endingIn(endings ...string) cobra.CompletionFunc {
	return cobra.FixedCompletions(endings, cobra.ShellCompDirectiveFilterFileExt)
}

// tableEndings are those of files that commands read as tables.
var tableEndings = []string{"csv", "tsv", "txt", "data", "gz", "out", "parquet"}

// each completes each positional argument in its own way, and nothing after.
func each(list ...cobra.CompletionFunc) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, word string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(args) >= len(list) {
			return cobra.NoFileCompletions(cmd, args, word)
		}
		return list[len(args)](cmd, args, word)
	}
}

// inList completes the last item of a list with commas between items.
func inList(f cobra.CompletionFunc) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, word string) ([]cobra.Completion, cobra.ShellCompDirective) {
		before := word[:strings.LastIndexByte(word, ',')+1]
		items, directive := f(cmd, args, word[len(before):])
		given := strings.Split(before, ",")
		items = slices.DeleteFunc(slices.Clone(items), func(item string) bool { return slices.Contains(given, item) })
		for i := range items {
			items[i] = before + items[i]
		}
		return items, directive | cobra.ShellCompDirectiveNoSpace
	}
}

// completion returns how the value of an option is completed, given the others.
func (c *call) completion(o *option.Option) cobra.CompletionFunc {
	list := oneOfThese(o.Among...)
	switch {
	case o.Among != nil && o.Holder == "LIST":
		return inList(list)
	case o.Among != nil:
		return list
	case o.Holder == "COLUMN":
		return c.columns
	case o.Name == "ignore":
		return inList(c.columns)
	case o.Name == "positive":
		return c.labels
	case o.Holder == "FILE", o.Holder == "X.out":
		return anyFile
	case o.Holder == "DIR":
		return anyFolder
	}
	return cobra.NoFileCompletions
}

// columns completes names of columns of the table.
func (c *call) columns(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	rows := c.openTable(args)
	if rows == nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	defer rows.Close()
	return slices.Clone(rows.Header()), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
}

const (
	rowsCompleted   = 10_000 // how far labels are looked for
	labelsCompleted = 100    // more are no labels
)

// labels completes the values of the target column.
func (c *call) labels(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	rows := c.openTable(args)
	if rows == nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	defer rows.Close()
	target := len(rows.Header()) - 1
	if c.opens.Target != "" {
		target = slices.Index(rows.Header(), c.opens.Target)
	}
	var found []cobra.Completion
	for range rowsCompleted {
		cells, err := rows.Next()
		if err != nil || target < 0 || len(found) > labelsCompleted {
			break
		}
		if !slices.Contains(found, cells[target]) {
			found = append(found, strings.Clone(cells[target]))
		}
	}
	return found, cobra.ShellCompDirectiveNoFileComp
}

// openTable opens the table among the positional arguments: the last of them that
// is a regular file. It returns nil if there is none that can be read.
func (c *call) openTable(args []string) *dataset.Rows {
	reading := dataset.Options{}
	if c.opens != nil {
		reading = *c.opens
	}
	for _, path := range slices.Backward(args) {
		if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() || dataset.IsOut(path) {
			continue
		}
		if rows, err := dataset.OpenRows(path, reading); err == nil {
			return rows
		}
	}
	return nil
}

// describedCommands is all commands, with what they do.
func describedCommands() (list []cobra.Completion) {
	for _, c := range shown() {
		list = append(list, cobra.CompletionWithDesc(c.name, c.summary()))
	}
	return append(list, cobra.CompletionWithDesc("completion", completionSummary))
}

// modelThen completes a model and then a table.
var modelThen = each(endingIn("json"), endingIn(tableEndings...))
