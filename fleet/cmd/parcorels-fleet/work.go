package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"parcorels/fleet"
)

func work(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	var w fleet.Worker
	var memory float64
	var patience time.Duration
	f := newFlags("work", "FILE [options]", stdout)
	f.IntVarP(&w.Workers, "workers", "w", 0, "goroutines of the search (default: all processors)")
	f.Float64Var(&memory, "memory", 0, "most gigabytes of the search (default: no limit)")
	f.StringVar(&w.Name, "name", "", "name of this worker (default: of the host and the process)")
	f.DurationVar(&patience, "patience", 10*time.Minute, "how long to wait for a server that is away")
	rest, helped, err := parse(f, args, 1, "the file that serve has made: join in its folder")
	switch {
	case helped || err != nil:
		return err
	case w.Workers < 0 || memory < 0 || patience <= 0:
		return usageError{errors.New("--workers, --memory and --patience: expected no negative number")}
	}
	w.Memory = int64(memory * (1 << 30))
	w.Say = func(text string) { fmt.Fprintf(stderr, "parcorels-fleet: %s\n", text) }
	nc, err := fleet.Connect(ctx, rest[0], patience, w.Say)
	if err != nil {
		return err
	}
	defer nc.Close()
	return w.Run(ctx, nc)
}
