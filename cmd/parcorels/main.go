// Parcorels learns interpretable models that are provably optimal.
// Begin with "parcorels help"; everything that it does is in package internal/cli.
package main

import (
	"context"
	"os"

	"parcorels/cmd/parcorels/internal/cli"
)

func main() {
	ctx := cli.Interruptible(context.Background())
	os.Exit(cli.Run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
