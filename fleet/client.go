package fleet

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
)

// ErrNobody reports a folder without a coordinator that runs.
var ErrNobody = errors.New("no job is running there")

// Status says how far the job of a folder is.
func Status(ctx context.Context, folder string) (l Look, err error) {
	return l, ask(ctx, folder, "ask", &l)
}

// Stop ends the job of a folder resumably.
func Stop(ctx context.Context, folder string) error { return ask(ctx, folder, "stop", new(string)) }

// ask asks the coordinator of a folder's job.
func ask(ctx context.Context, folder, what string, into any) error {
	url, err := Address(folder)
	if err != nil {
		return fmt.Errorf("%s: %w", folder, ErrNobody)
	}
	creds, err := ReadCredentials(CredentialsOf(folder))
	if err != nil {
		return err
	}
	nc, err := Connect(ctx, url, creds, "parcorels-client", 2*time.Second, nil)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrNobody, err)
	}
	defer nc.Close()
	if err = (&link{nc: nc}).ask(ctx, what, nil, into); errors.Is(err, nats.ErrNoResponders) {
		return ErrNobody
	}
	return err
}
