package cli

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"parcorels/cmd/parcorels/internal/download"
	"parcorels/internal/generate"
)

const stopHeader = "inout,trhsloc,frisked,searched,pistol,riflshot,asltweap,knifcuti,machgun,othrweap,ac_rept,ac_inves,ac_proxm,cs_objcs,cs_descr,cs_casng,cs_lkout,cs_cloth,cs_drgtr,ac_evasv,ac_assoc,cs_furtv,ac_cgdir,cs_vcrim,cs_bulge,ac_incid,ac_time,ac_stsnd,sex,race,age,build,city\n"

// TestInterruptedTable: a table that is not whole is not left behind.
func TestInterruptedTable(t *testing.T) {
	t.Chdir(t.TempDir())
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, line := range []string{"data stopfrisk --rows 1000000000 -o stops.csv", "data nypd - -o stops.csv"} {
		var stdout, stderr strings.Builder
		if status := Run(ctx, words(line), strings.NewReader(stopHeader), &stdout, &stderr); status != exitInterrupted {
			t.Errorf("%s: status %d, stderr %q", line, status, stderr.String())
		}
	}
	if left, err := os.ReadDir("."); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// publishedBoards is the tic-tac-toe file of the UCI repository, which is the table
// that is generated here but for the header.
func publishedBoards(t *testing.T) string {
	t.Helper()
	var b bytes.Buffer
	if err := generate.Write(&b, "tictactoe"); err != nil {
		t.Fatal(err)
	}
	_, boards, _ := strings.Cut(b.String(), "\n")
	return boards
}

// mirror serves a file.
func mirror(t *testing.T, text string) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, text) }))
	t.Cleanup(server.Close)
	return server.URL
}

func TestGet(t *testing.T) {
	t.Chdir(t.TempDir())
	boards := publishedBoards(t)
	address := mirror(t, boards)
	get := []string{"data", "get", "tic-tac-toe", "--url", address}
	status, stdout, stderr := run(get...)
	const want = "tic-tac-toe.data: 25,866 bytes, SHA-256 as published\nnext: parcorels fit tic-tac-toe.data --no-header\n"
	if status != exitDone || stdout != want || stderr != "" {
		t.Errorf("status %d, stdout %q, stderr %q", status, stdout, stderr)
	}
	if text, err := os.ReadFile("tic-tac-toe.data"); err != nil || string(text) != boards {
		t.Errorf("the file differs, error %v", err)
	}
	status, stdout, stderr = run(get...)
	if status != exitInput || stdout != "" || stderr != "parcorels: tic-tac-toe.data: there is such a file: say where to write with -o\n" {
		t.Errorf("again: status %d, stdout %q, stderr %q", status, stdout, stderr)
	}
	status, stdout, stderr = run(append(get, "-o", "-")...)
	if status != exitDone || stdout != boards || stderr != "" {
		t.Errorf("to stdout: status %d, %d bytes, stderr %q", status, len(stdout), stderr)
	}
	status, _, stderr = run(append(get, "-o", "no/such.data")...)
	if status != exitOutput || stderr != "parcorels: no/such.data: cannot be written: no such file or directory\n" {
		t.Errorf("nowhere to write: status %d, stderr %q", status, stderr)
	}
}

// TestGetNothing: what is not the published file, or not to be had, is not
// written, and does not replace what is there.
func TestGetNothing(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, map[string]string{"old.data": "old"})
	boards := publishedBoards(t)
	changed := strings.Replace(boards, "o", "x", 1)
	for text, want := range map[string]string{
		changed:      ": bytes with SHA-256 ",
		boards[:100]: ": 100 bytes came, expected 25866: this is not the whole published file\n",
	} {
		address := mirror(t, text)
		for _, line := range []string{"data get tic-tac-toe", "data get tic-tac-toe -o old.data", "data get tic-tac-toe -o -"} {
			status, stdout, stderr := run(append(words(line), "--url", address)...)
			if status != exitOutput || stdout != "" || !strings.HasPrefix(stderr, "parcorels: tic-tac-toe from "+address+want) || strings.Count(stderr, "\n") != 1 {
				t.Errorf("%s: status %d, stdout %q, stderr %q", line, status, stdout, stderr)
			}
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var stdout, stderr strings.Builder
	if status := RunWith(ctx, download.Client{}.Get, []string{"data", "get", "tic-tac-toe", "--url", mirror(t, boards)}, strings.NewReader(""), &stdout, &stderr); status != exitInterrupted {
		t.Errorf("cancelled: status %d, stderr %q", status, stderr.String())
	}
	left, err := os.ReadDir(".")
	text, _ := os.ReadFile("old.data")
	if err != nil || len(left) != 1 || string(text) != "old" {
		t.Errorf("left behind: %v, %v, old file %q", left, err, text)
	}
}

// TestGetProgram: without the program that downloads, a person is told where the
// file is; with it, its streams and its status are this program's.
func TestGetProgram(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("PATH", "")
	var stdout, stderr strings.Builder
	get := []string{"data", "get", "tic-tac-toe"}
	if status := Run(t.Context(), get, nil, &stdout, &stderr); status != exitOutput || stdout.Len() > 0 ||
		!strings.Contains(stderr.String(), "go install ./cmd/... brings both; or get https://") || strings.Count(stderr.String(), "\n") != 1 {
		t.Errorf("status %d, stdout %q, stderr %q", status, stdout.String(), stderr.String())
	}
	if runtime.GOOS == "windows" {
		t.Skip("scripts have another form")
	}
	folder := t.TempDir()
	const script = "#!/bin/sh\necho \"$@\"\necho oops >&2\nexit 7\n"
	if err := os.WriteFile(filepath.Join(folder, getProgram), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", folder)
	stdout.Reset()
	stderr.Reset()
	status := Run(t.Context(), append(get, "--url", "http://mirror.invalid/x"), nil, &stdout, &stderr)
	if status != 7 || stdout.String() != "tic-tac-toe --output tic-tac-toe.data --url http://mirror.invalid/x\n" || stderr.String() != "oops\n" {
		t.Errorf("status %d, stdout %q, stderr %q", status, stdout.String(), stderr.String())
	}
}
