package cli

import (
	"github.com/spf13/cobra"

	"parcorels/internal/option"
)

// completion returns how a shell completes the value of an option. The rest is package cobra's: names of commands and
// options, and files.
func completion(o *option.Option) cobra.CompletionFunc {
	switch {
	case o.Among != nil:
		return cobra.FixedCompletions(o.Among, cobra.ShellCompDirectiveNoFileComp)
	case o.Holder == "FILE", o.Holder == "X.out":
		return cobra.FixedCompletions(nil, cobra.ShellCompDirectiveDefault)
	case o.Holder == "DIR":
		return cobra.FixedCompletions(nil, cobra.ShellCompDirectiveFilterDirs)
	}
	return cobra.NoFileCompletions
}
