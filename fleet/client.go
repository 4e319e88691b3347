package fleet

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
)

// Client asks the coordinator of a running job.
type Client struct{ l *link }

// ErrNobody reports a server without a coordinator, or no server.
var ErrNobody = errors.New("no job is running there")

// Reach connects to a job's server.
func Reach(ctx context.Context, url string, c *Credentials) (*Client, error) {
	nc, err := Connect(ctx, url, c, "parcorels-client", 2*time.Second, nil)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNobody, err)
	}
	l, err := newLink(nc)
	return &Client{l}, err
}

// Close ends the connection.
func (c *Client) Close() { c.l.nc.Close() }

// Look says how far the job is.
func (c *Client) Look(ctx context.Context) (l Look, err error) { return l, c.ask(ctx, "ask", &l) }

// Stop ends the job resumably.
func (c *Client) Stop(ctx context.Context) error {
	return c.ask(ctx, "stop", new(string))
}

func (c *Client) ask(ctx context.Context, what string, into any) error {
	err := c.l.ask(ctx, what, nil, into)
	if errors.Is(err, nats.ErrNoResponders) {
		return ErrNobody
	}
	return err
}
