package cli

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"parcorels/internal/testing/must"
	"strings"
	"testing"
	"time"
)

// run is Run in a test, without stdin.
func run(args ...string) (status int, stdout, stderr string) {
	var out, errs bytes.Buffer
	status = Process{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs,
		ProgressEvery: 20 * time.Millisecond}.Run(context.Background(), args)
	return status, out.String(), errs.String()
}

// write makes files in the current folder.
func write(t *testing.T, files map[string]string) {
	t.Helper()
	for name, text := range files {
		must.Do(t, os.WriteFile(name, []byte(text), 0o644))
	}
}

// wide is a table of so many columns that their pairs are too many.
func wide() string {
	const columns, rows = 420, 100
	source := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	for c := range columns {
		fmt.Fprintf(&b, "c%d,", c)
	}
	b.WriteString("class\n")
	for range rows {
		for range columns {
			fmt.Fprintf(&b, "%d,", source.IntN(2))
		}
		fmt.Fprintf(&b, "%d\n", source.IntN(2))
	}
	return b.String()
}
