package cli

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"strings"
	"testing"

	"parcorels/internal/testing/browser"
	"parcorels/internal/testing/must"
)

// page runs serve until the test ends, and returns the address that it prints.
func page(t *testing.T, args ...string) (address string) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	in, out := io.Pipe()
	ended := make(chan int, 1)
	var errs strings.Builder
	go func() {
		status := Process{Stdin: strings.NewReader(""), Stdout: out, Stderr: &errs}.Run(ctx,
			append([]string{"serve", "--no-open"}, args...))
		_ = out.Close()
		ended <- status
	}()
	line, err := bufio.NewReader(in).ReadString('\n')
	if err != nil {
		t.Fatalf("no address: %v, %s", err, &errs)
	}
	t.Cleanup(func() {
		cancel()
		if status := <-ended; status != exitDone {
			t.Errorf("status %d: %s", status, &errs)
		}
	})
	return strings.TrimSpace(line)
}

// asked returns the page at an address, and its status.
func asked(t *testing.T, c *http.Client, address string) (int, string) {
	t.Helper()
	answer := must.Get(c.Get(address))(t)
	defer answer.Body.Close()
	text, _ := io.ReadAll(answer.Body)
	return answer.StatusCode, string(text)
}

// TestServe begins at the page of the table that is named.
func TestServe(t *testing.T) {
	folder := t.TempDir()
	address := page(t, "../../../../examples/monk1.csv", "--dir", folder)
	if !strings.HasPrefix(address, "http://") || !strings.Contains(address, "/tables/monk1.csv?token=") {
		t.Fatalf("the address is %s", address)
	}
	client := browser.New()
	asked(t, client, address) // a page that leads on, with the session
	status, text := asked(t, client, strings.Split(address, "?")[0])
	if status != http.StatusOK || !strings.Contains(text, "Find the best model") {
		t.Errorf("%d: %.300s", status, text)
	}
	if status, _, stderr := run("serve", "--no-open", "--dir", folder); status == exitDone ||
		!strings.Contains(stderr, "another parcorels serve has this folder") {
		t.Errorf("a second server: %d, %s", status, stderr)
	}
}
