package cases

import (
	"context"
	"net"
	"net/http"
	"net/http/cookiejar"
)

// Browser is a client that keeps cookies, and takes each name for this machine, as browsers take those that end in .localhost.
func Browser() *http.Client {
	jar, _ := cookiejar.New(nil)
	return &http.Client{Jar: jar, Transport: &http.Transport{DialContext: func(ctx context.Context, network, at string) (net.Conn, error) {
		_, port, err := net.SplitHostPort(at)
		if err != nil {
			return nil, err
		}
		return new(net.Dialer).DialContext(ctx, network, net.JoinHostPort("127.0.0.1", port))
	}}}
}
