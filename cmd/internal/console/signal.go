package console

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// Interruptible returns a context that the first SIGINT (Ctrl-C) or SIGTERM
// cancels. Then the signals do again what they always do, so that a second
// one ends the process at once. It is for the life of the process.
func Interruptible(parent context.Context) context.Context {
	ctx, stop := signal.NotifyContext(parent, os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	return ctx
}
