package download_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"parcorels/cmd/parcorels-bench/internal/download"
	"parcorels/internal/testing/testgen"
)

const text = "1,2,3\n4,5,6\n"

// source is a source of text.
func source(address string) download.Source {
	sum := sha256.Sum256([]byte(text))
	return download.Source{Name: "six", File: "six.data", URL: address, Size: int64(len(text)), SHA256: hex.EncodeToString(sum[:])}
}

// serve serves over https and returns a client that trusts the server.
func serve(t *testing.T, handler http.HandlerFunc) (address string, c *http.Client) {
	t.Helper()
	server := httptest.NewTLSServer(handler)
	t.Cleanup(server.Close)
	return server.URL, server.Client()
}

// send answers with a text.
func send(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, text) }
}

func TestGet(t *testing.T) {
	address, c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
			t.Error("the client asks for other bytes than the published")
		}
		if r.URL.Path != "/a/six.data" || r.Method != http.MethodGet {
			http.NotFound(w, r)
			return
		}
		send(text)(w, r)
	})
	got, err := source(address+"/a/six.data").Get(t.Context(), c, "")
	if err != nil || string(got) != text {
		t.Errorf("got %q, error %v", got, err)
	}
	got, err = source("https://nowhere.invalid/six.data").Get(t.Context(), c, address+"/a/six.data")
	if err != nil || string(got) != text {
		t.Errorf("from a mirror: got %q, error %v", got, err)
	}
}

// TestRefused: what comes is not what was published, and the error says what
// was expected and what came.
func TestRefused(t *testing.T) {
	same := strings.Replace(text, "6", "7", 1)
	sum := sha256.Sum256([]byte(same))
	for _, c := range []struct {
		what    string
		handler http.HandlerFunc
		want    string
	}{
		{"one byte changed", send(same), "bytes with SHA-256 " + hex.EncodeToString(sum[:]) + " came, expected " + source("").SHA256},
		{"short", send(text[:5]), "5 bytes came, expected 12"},
		{"empty", send(""), "0 bytes came, expected 12"},
		{"long", send(text + "7"), "more than 12 bytes came"},
		{"endless", func(w http.ResponseWriter, _ *http.Request) {
			for {
				if _, err := w.Write(make([]byte, 1<<16)); err != nil {
					return
				}
			}
		}, "more than 12 bytes came"},
		{"not found", http.NotFound, "the server answers 404 Not Found"},
		{"no content", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) },
			"the server answers 204 No Content"},
		{"part", func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusPartialContent)
			_, _ = io.WriteString(w, text)
		}, "the server answers 206 Partial Content"},
		{"broken off", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", "12")
			_, _ = io.WriteString(w, text[:7])
		}, "after 7 of 12 bytes: unexpected EOF"},
		{"compressed", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			_, _ = io.WriteString(z, text)
			_ = z.Close()
		}, "this is not the published file"},
	} {
		address, client := serve(t, c.handler)
		got, err := source(address).Get(t.Context(), client, "")
		if err == nil || !strings.HasPrefix(err.Error(), "six from "+address+": ") || !strings.Contains(err.Error(), c.want) || got != nil {
			t.Errorf("%s: got %q\n%v\nwant %s", c.what, got, err, c.want)
		}
	}
}

// stalling answers with some bytes and then with nothing until the client
// gives up.
func stalling(t *testing.T, begun chan<- bool) (string, *http.Client) {
	return serve(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, text[:5])
		w.(http.Flusher).Flush()
		begun <- true
		<-r.Context().Done()
	})
}

func TestInterrupted(t *testing.T) {
	begun := make(chan bool, 1)
	address, c := stalling(t, begun)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-begun
		cancel()
	}()
	if got, err := source(address).Get(ctx, c, ""); err == nil || got != nil {
		t.Errorf("got %q, error %v", got, err)
	}
}

func TestTimeout(t *testing.T) {
	address, c := stalling(t, make(chan bool, 1))
	c.Timeout = time.Millisecond
	if got, err := source(address).Get(t.Context(), c, ""); err == nil || !strings.Contains(err.Error(), "Client.Timeout") || got != nil {
		t.Errorf("got %q, error %v", got, err)
	}
}

func TestNoServer(t *testing.T) {
	server := httptest.NewServer(send(text))
	server.Close()
	_, err := source(server.URL).Get(t.Context(), http.DefaultClient, "")
	if err == nil || strings.Count(err.Error(), server.URL) != 1 {
		t.Errorf("error %v", err)
	}
}

// TestSources holds the table against itself.
func TestSources(t *testing.T) {
	var names []string
	for _, s := range download.Sources() {
		names = append(names, s.Name)
		sum, err := hex.DecodeString(s.SHA256)
		if err != nil || len(sum) != sha256.Size || s.Size < 1 || s.Size > 1<<24 || s.About == "" {
			t.Errorf("%+v", s)
		}
		if !strings.HasPrefix(s.URL, "https://") || !strings.HasSuffix(s.URL, "/"+s.File) ||
			s.Use != "" && !strings.Contains(s.Use, s.File) {
			t.Errorf("%s: %s, %s, %s", s.Name, s.URL, s.File, s.Use)
		}
	}
	if !slices.IsSorted(names) || len(slices.Compact(names)) != len(download.Sources()) {
		t.Errorf("names %q", names)
	}
}

// TestPublishedFiles holds the checksums against copies of the files.
func TestPublishedFiles(t *testing.T) {
	folder := testgen.Data(t, "tables")
	for _, s := range download.Sources() {
		body, err := os.ReadFile(filepath.Join(folder, s.File))
		if errors.Is(err, os.ErrNotExist) {
			var packed []byte
			if packed, err = os.ReadFile(filepath.Join(folder, s.File+".gz")); err == nil {
				body = unpack(t, packed)
			}
		}
		if err != nil {
			t.Error(err)
			continue
		}
		address, c := serve(t, send(string(body)))
		if got, err := s.Get(t.Context(), c, address); err != nil || !bytes.Equal(got, body) {
			t.Errorf("%s: %v", s.Name, err)
		}
	}
}

func unpack(t *testing.T, packed []byte) []byte {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return body
}
