// Package program runs the commands of parcorels in a program that has a search of its own, as
// that on several machines. Begin with [Run].
package program

import (
	"context"
	"io"

	"parcorels/cmd/internal/memory"
	"parcorels/cmd/parcorels/internal/cli"
	"parcorels/family"
)

// Run does what the program parcorels does with these arguments, and returns the exit status.
// Searches for rule lists are left to solve, which is as family.Options.Solve.
func Run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer, solve family.Solver) int {
	return cli.Process{Stdin: stdin, Stdout: stdout, Stderr: stderr, Memory: memory.New(), Solve: solve}.Run(ctx, args)
}

// Version is that of the program.
func Version() string { return cli.Version() }
