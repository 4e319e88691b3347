// Package download knows the public data sets of the papers on CORELS, and gets them over
// http. Begin with [Find], and [Client.Get].
package download

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"
)

// Client downloads. The zero value is ready for use.
type Client struct {
	Transport http.RoundTripper // nil: http.DefaultTransport, with the proxy that the environment names
	Timeout   time.Duration     // for all of a download; 0: two minutes
}

const defaultTimeout = 2 * time.Minute

// maxRedirects is how often a server may send to another place.
const maxRedirects = 5

// Get downloads s, from the mirror address if that is not empty. It returns the
// published bytes or an error that says what was expected and what came: no
// more than Size bytes are taken, and none are returned whose SHA-256 is another.
// The address is http or https; whatever it redirects to is https.
func (c Client) Get(ctx context.Context, s Source, mirror string) ([]byte, error) {
	address := s.URL
	if mirror != "" {
		address = mirror
	}
	if err := checkAddress(address); err != nil {
		return nil, err
	}
	timeout := c.Timeout
	if timeout == 0 {
		timeout = defaultTimeout
	}
	ctx, cancel := context.WithTimeoutCause(ctx, timeout, fmt.Errorf("no whole answer within %v", timeout))
	defer cancel()
	body, err := c.read(ctx, address, s.Size)
	if err == nil {
		err = s.Check(body)
	}
	if err != nil && ctx.Err() != nil {
		err = context.Cause(ctx) // a server that sees the end first may end its answer cleanly, too short
	}
	if err != nil {
		return nil, fmt.Errorf("%s from %s: %w", s.Name, address, err)
	}
	return body, nil
}

// checkAddress checks an address before anything is sent.
func checkAddress(address string) error {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return fmt.Errorf("%q is no address to download from: expected http://… or https://…", address)
	}
	return nil
}

// read returns the first size bytes of the answer, and one more if there are
// more.
func (c Client) read(ctx context.Context, address string, size int64) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("User-Agent", "parcorels")
	request.Header.Set("Accept-Encoding", "identity") // the bytes as published
	client := http.Client{Transport: c.Transport, CheckRedirect: secure}
	answer, err := client.Do(request)
	if err != nil {
		var u *url.Error
		if errors.As(err, &u) { // its text has the method and the address again
			err = u.Err
		}
		return nil, err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("the server answers %s", answer.Status)
	}
	body, err := io.ReadAll(io.LimitReader(answer.Body, size+1))
	if err != nil {
		return nil, fmt.Errorf("after %d of %d bytes: %w", len(body), size, err)
	}
	return body, nil
}

// secure refuses redirections to anything but https.
func secure(request *http.Request, via []*http.Request) error {
	if request.URL.Scheme != "https" {
		return fmt.Errorf("the server redirects to %s: only https is followed", request.URL)
	}
	if len(via) > maxRedirects {
		return fmt.Errorf("the server redirects more than %d times", maxRedirects)
	}
	return nil
}

// Check compares the bytes with what was published.
func (s Source) Check(body []byte) error {
	if n := int64(len(body)); n > s.Size {
		return fmt.Errorf("more than %d bytes came, expected just so many: this is not the published file", s.Size)
	} else if n < s.Size {
		return fmt.Errorf("%d bytes came, expected %d: this is not the whole published file", n, s.Size)
	}
	sum := sha256.Sum256(body)
	if got := hex.EncodeToString(sum[:]); got != s.SHA256 {
		return fmt.Errorf("bytes with SHA-256 %s came, expected %s: this is not the published file", got, s.SHA256)
	}
	return nil
}
