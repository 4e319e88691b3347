//go:build unix

package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestFleet: what follows "fleet" is for parcorels-fleet, with its output and its status.
func TestFleet(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	var out, said bytes.Buffer
	if status := Run(t.Context(), []string{"fleet", "status"}, nil, &out, &said); status != exitInput ||
		!strings.Contains(said.String(), "not on the PATH") {
		t.Errorf("without the program: status %d, %q", status, said.String())
	}
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, fleetProgram), []byte("#!/bin/sh\necho \"$@\"\necho no >&2\nexit 7\n"),
		0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", folder+":/bin:/usr/bin")
	out.Reset()
	said.Reset()
	status := Run(t.Context(), []string{"fleet", "serve", "x.csv", "--lambda", "0.1"}, nil, &out, &said)
	if status != 7 || out.String() != "serve x.csv --lambda 0.1\n" || said.String() != "no\n" {
		t.Errorf("status %d, %q, %q", status, out.String(), said.String())
	}
}
