// Parcorels-get downloads the public data sets that parcorels knows by name, and
// checks them. "parcorels data get" starts it; begin with "parcorels help data".
package main

import (
	"context"
	"os"

	"parcorels/cmd/parcorels/internal/cli"
	"parcorels/cmd/parcorels/internal/download"
)

func main() {
	ctx := cli.Interruptible(context.Background())
	args := append([]string{"data", "get"}, os.Args[1:]...)
	os.Exit(cli.RunWith(ctx, download.Client{}.Get, args, os.Stdin, os.Stdout, os.Stderr))
}
