// Package browser is what tests of pages have for a browser. Most tests need no network, and link none. Begin with [New].
package browser

import (
	"context"
	"net"
	"net/http"
	"net/http/cookiejar"
)

// New returns a client that keeps cookies, and takes each name for this machine, as browsers take those that end in .localhost.
func New() *http.Client {
	jar, _ := cookiejar.New(nil)
	return &http.Client{Jar: jar, Transport: &http.Transport{DialContext: func(ctx context.Context, network, at string) (net.Conn, error) {
		_, port, err := net.SplitHostPort(at)
		if err != nil {
			return nil, err
		}
		return new(net.Dialer).DialContext(ctx, network, net.JoinHostPort("127.0.0.1", port))
	}}}
}
