// Parcorels learns interpretable models that are provably optimal.
// Begin with "parcorels help"; everything that it does is in package internal/cli.
package main

import (
	"context"
	"os"

	"parcorels/cmd/internal/console"
	"parcorels/cmd/internal/memory"
	"parcorels/cmd/parcorels/internal/cli"
)

func main() {
	ctx := console.Interruptible(context.Background())
	p := cli.Process{Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Memory: memory.New()}
	os.Exit(p.Run(ctx, os.Args[1:]))
}
